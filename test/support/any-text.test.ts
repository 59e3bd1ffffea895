import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyText } from './any-text.ts'

const one = anyText({ minLength: 1, maxLength: 1 })

test('a text has any character but halves of pairs, and is known again as one of them', () => {
  for (const text of ['\u0000', 'a', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{10ffff}']) {
    expect([text, one.canShrinkWithoutContext(text)]).toEqual([text, true])
  }
  for (const text of ['', 'ab', '\ud800', '\udfff'])
    expect([text, one.canShrinkWithoutContext(text)]).toEqual([text, false])
  fc.assert(
    fc.property(anyText({ maxLength: 8 }), (text) => text.isWellFormed() && [...text].length <= 8),
    { numRuns: 200 },
  )
})

test('texts are of characters far apart, some outside the first 65,536', () => {
  const found = fc.sample(anyText({ minLength: 4 }), 100).flatMap((text) => [...text])
  const wide = found.filter((character) => character.length === 2)
  expect(wide.length).toBeGreaterThan(found.length / 4)
  expect(new Set(found).size).toBeGreaterThan(found.length / 4)
})

test('a failure is shrunk to the shortest text', () => {
  const { counterexample } = fc.check(
    fc.property(anyText(), (text) => [...text].every((character) => character < '\u0100')),
  )
  expect(counterexample).toEqual(['\u0100'])
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rawField } from '../../../connectors/archives/payloads/raw-field.ts'
import { SEED } from '../../support/seed.ts'

test('numbers stand as the file has them: no digit is lost', () => {
  const text =
    '{"_metadata": {"response": 1}, "response": {"p": 0.45530000000000004, "id": 123456789012345678901234567890}}'
  expect(rawField(text, 'response')).toBe('{"p": 0.45530000000000004, "id": 123456789012345678901234567890}')
})

test.each([
  ['{"a":1}', 'b', null],
  ['{}', 'a', null],
  ['{"b":{"a":1}}', 'a', null],
  ['{"b":"\\"a\\":1,}{","a":2}', 'a', '2'],
  ['{"b":["a",{"a":3}],"a":"x"}', 'a', '"x"'],
  ['{"a":1,"a":2}', 'a', '2'],
  ['{"\\u0061" : [ ] }', 'a', '[ ]'],
  ['{"a":{"b":"}"}}', 'a', '{"b":"}"}'],
  ['{"a":null}', 'a', 'null'],
])('%s has %s %s', (text, field, raw) => {
  expect(rawField(text, field)).toBe(raw)
})

test('what is cut out parses to what the whole text has', () => {
  const objects = fc.dictionary(fc.constantFrom('a', 'b', 'response', '"', '{'), fc.jsonValue())
  fc.assert(
    fc.property(objects, fc.constantFrom(undefined, 1, 2), (object, indent) => {
      const text = JSON.stringify(object, null, indent)
      for (const field of ['a', 'response', '"']) {
        const raw = rawField(text, field)
        const whole = JSON.parse(text) as Record<string, unknown>
        expect(raw === null ? undefined : JSON.parse(raw)).toEqual(whole[field])
      }
    }),
    { seed: SEED },
  )
})

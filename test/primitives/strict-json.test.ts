import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { JsonFault, parseStrictText } from '../../primitives/strict-json.ts'

/** JSON value as it is written: the members of an object in order, so that a key can be there twice. */
type Written = { readonly text: string; readonly is_doubled: boolean }

const space = fc.constantFrom('', ' ', '\n', '\t \r')
/** Few keys, so that they often meet; one of them may be written with an escape. */
const key = fc.constantFrom(
  ['a', '"a"'],
  ['a', '"\\u0061"'],
  ['b:', '"b:"'],
  ['"', '"\\""'],
  ['__proto__', '"__proto__"'],
)
const scalar = fc.constantFrom('1', 'null', '"{\\"a\\":1,\\"a\\":2}"', '"a"', '"\\\\"').map((text) => ({
  text,
  is_doubled: false,
}))

const written = fc.letrec<{ value: Written }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.tuple(space, fc.array(tie('value'), { maxLength: 3 })).map(([gap, items]) => ({
      text: `[${gap}${items.map(({ text }) => text).join(`${gap},`)}${gap}]`,
      is_doubled: items.some(({ is_doubled }) => is_doubled),
    })),
    fc.tuple(space, fc.array(fc.tuple(key, tie('value')), { maxLength: 3 })).map(([gap, members]) => ({
      text: `{${members.map(([[, name], { text }]) => `${gap}${name}${gap}:${gap}${text}`).join(',')}${gap}}`,
      is_doubled:
        new Set(members.map(([[name]]) => name)).size < members.length || members.some(([, part]) => part.is_doubled),
    })),
  ),
})).value

describe('a JSON text in which each object has each key once', () => {
  test('is parsed as by JSON.parse, and another is refused', () => {
    fc.assert(
      fc.property(written, ({ text, is_doubled }) => {
        if (is_doubled) expect(() => parseStrictText(text)).toThrow(JsonFault)
        else expect(parseStrictText(text)).toEqual(JSON.parse(text))
      }),
      { numRuns: 300 },
    )
  })

  test.each([
    ['{"level":"1","level":"2"}', 'has the key "level" twice'],
    ['{"a":{"b":[{"c":1,"\\u0063":1}]}}', 'has the key "c" twice'],
    [`{"${'k'.repeat(999)}":1,"${'k'.repeat(999)}":1}`, `has the key "${'k'.repeat(200)}..." twice`],
    ['{', 'is not JSON: '],
    [`${'['.repeat(99_999)}{"a":1,"a":2}${']'.repeat(99_999)}`, 'has the key "a" twice'],
  ])('names what is wrong with %.40s', (text, message) => {
    expect(() => parseStrictText(text)).toThrow(message)
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { JSON_DEPTH_MAX, parseJsonText } from '../../../pipelines/text/json-scan.ts'
import type { JsonText } from '../../../pipelines/text/json-text.ts'
import { parseRecord } from '../../../pipelines/venues/quarantine.ts'
import { anyText } from '../../support/any-text.ts'
import { SEED } from '../../support/seed.ts'

const read = (text: string) => parseRecord(() => parseJsonText(text))
const taken = (text: string) => ({ record: parseJsonText(text) })
const REFUSED = { reason: 'BAD_JSON' }

/** The platform's parser over the same text with every number in quotes: slower, and known to be right. */
function reference(text: string): { readonly record: JsonText } | { readonly reason: string } {
  try {
    JSON.parse(text)
  } catch {
    return REFUSED
  }
  const quoted = text.replace(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, (token) =>
    token.startsWith('"') ? token : `"${token}"`,
  )
  return { record: JSON.parse(quoted) as JsonText }
}

describe('numbers', () => {
  test.each([
    '0.45530000000000004',
    '1e400',
    '-0',
    '0.10',
    '1.0',
    '1E5',
    '1e-7',
    '12345678901234567890',
    '106609265484077840175360172422965931135985902452917415948746082963883118966841',
  ])('%s arrives as written', (text) => {
    expect(parseJsonText(text)).toBe(text)
    expect(parseJsonText(`{"a":[${text} , ${text}]}`)).toEqual({ a: [text, text] })
  })

  test.each(['01', '.5', '1.', '+1', '-', '1e', '1e+', '0x1', 'NaN', 'Infinity', '--1', '1.e5'])(
    '%s is none',
    (text) => {
      expect(read(text)).toEqual(REFUSED)
      expect(read(`[${text}]`)).toEqual(REFUSED)
    },
  )
})

describe('texts', () => {
  test.each([
    ['"a\\"b"', 'a"b'],
    ['"\\\\"', '\\'],
    ['"\\u00e9\\n"', 'é\n'],
    ['"{\\"price\\": 0.10}"', '{"price": 0.10}'],
    ['"\\ud800"', '\ud800'],
    ['" \u2028é"', ' \u2028é'],
  ])('%s', (text, expected) => {
    expect(parseJsonText(text)).toBe(expected)
  })

  test.each(['"', '"a', '"\\"', '"\\x"', '"\\u12"', '"a\nb"', '"\u0000"', "'a'"])('%j is refused', (text) => {
    expect(read(text)).toEqual(REFUSED)
  })

  test.each([1, 22, 23, 24, 25, 78, 300])('an escape or a control character anywhere in %i characters', (length) => {
    for (const special of ['\\"', '\\n', '\\\\', '\\x', '\n', '\u0000', '\u001f', ' ', '\u007f', '\u2028']) {
      for (const place of [0, length >> 1, length - 1]) {
        const content = `${'a'.repeat(place)}${special}${'a'.repeat(length - 1 - place)}`
        for (const text of [`"${content}"`, `["${content}","b"]`, `{"${content}":1}`]) {
          expect(read(text)).toEqual(reference(text))
        }
      }
    }
  })

  test('a number outside a string is not mistaken for one inside', () => {
    expect(parseJsonText('{"a 1.0":"2.50","b":[true,false,null,{}, [ ]]}')).toEqual({
      'a 1.0': '2.50',
      b: [true, false, null, {}, []],
    })
  })
})

describe('structure', () => {
  test.each(['', ' ', '{', '[1', '[1,]', '{"a":1,}', '{"a"}', '{a:1}', '[1 2]', '1 2', 'tru', 'nulll', ',', '\ufeff1'])(
    '%j is refused',
    (text) => {
      expect(read(text)).toEqual(REFUSED)
    },
  )

  test('only the white space of JSON is allowed between tokens', () => {
    expect(parseJsonText(' \t\r\n{ "a" :\n[ 1\t, 2 ] }\n')).toEqual({ a: ['1', '2'] })
    expect(read('[1,\u00a02]')).toEqual(REFUSED)
  })

  test('of a field that is there twice the later counts; __proto__ is a field like any other', () => {
    expect(parseJsonText('{"a":1,"a":2}')).toEqual({ a: '2' })
    const object = parseJsonText('{"__proto__":{"a":1}}') as object
    expect([Object.keys(object), Object.getPrototypeOf(object) === Object.prototype]).toEqual([['__proto__'], true])
  })

  test('nesting is taken to its limit and not beyond', () => {
    const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
    expect(read(nested(JSON_DEPTH_MAX))).toEqual(reference(nested(JSON_DEPTH_MAX)))
    expect(read(nested(JSON_DEPTH_MAX + 1))).toEqual(REFUSED)
    expect(read('{"a":'.repeat(200_000))).toEqual(REFUSED)
  })
})

const nastyNumber = fc.oneof(
  fc.constantFrom('1e400', '-0', '0.10', '1.0', '12345678901234567890', '1E5', '0.1e-9', '-1.50', '0e0'),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.stringMatching(/^-?(0|[1-9]\d{0,40})(\.\d{1,40})?([eE][+-]?\d{1,4})?$/),
)
const nastyText = fc.oneof(anyText(), fc.string(), nastyNumber, fc.constantFrom('\\', '"', '\\"', '\n', '__proto__'))
const blank = fc.constantFrom('', '', '', ' ', '\n', '\t \r')

const { document } = fc.letrec<{ document: string }>((tie) => ({
  document: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    nastyNumber,
    nastyText.map((text) => JSON.stringify(text)),
    fc.constantFrom('true', 'false', 'null'),
    fc
      .tuple(blank, fc.array(tie('document'), { maxLength: 4 }))
      .map(([gap, items]) => `[${gap}${items.join(`${gap},`)}]`),
    fc
      .tuple(blank, fc.array(fc.tuple(nastyText, tie('document')), { maxLength: 4 }))
      .map(
        ([gap, fields]) =>
          `{${gap}${fields.map(([name, value]) => `${JSON.stringify(name)}${gap}:${gap}${value}`).join(',')}${gap}}`,
      ),
  ),
}))

test('any document is what the platform reads of it with quoted numbers', () => {
  fc.assert(
    fc.property(document, (text) => {
      expect(taken(text)).toEqual(reference(text))
    }),
    { seed: SEED, numRuns: 3000 },
  )
})

test('a document with a character lost, doubled or changed is taken or refused as the platform does', () => {
  const changed = fc.tuple(
    document,
    fc.nat(),
    fc.constantFrom('', '"', '\\', ',', ']', '}', '1', '.', 'e', '-', '\n', ' '),
  )
  fc.assert(
    fc.property(changed, fc.boolean(), ([text, place, by], keep) => {
      const at = place % (text.length + 1)
      const hurt = text.slice(0, at) + by + text.slice(keep ? at : at + 1)
      expect(read(hurt)).toEqual(reference(hurt))
    }),
    { seed: SEED, numRuns: 6000 },
  )
})

test('names of one slot, with and without escapes, stay distinct in every later document', () => {
  // Same first, middle and last character and same length: abXcd, aYXcd ...
  const names = ['abXcd', 'aYXcd', 'abX\\u0063d', 'a\\\\Xcd', 'a\\Xcd', '', 'abXcd'.repeat(20)]
  for (let round = 0; round < 2; round += 1) {
    for (const name of names) {
      const text = `{"${name}":1,"${name}x":2}`
      expect(read(text)).toEqual(reference(text))
    }
  }
})

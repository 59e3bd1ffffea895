import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Decimal } from '../../../primitives/decimal.ts'
import { fixedPrice, fixedSize, plainPrice, plainScaled, plainSize } from '../../../simulator/wire/decimal-text.ts'
import { parseRequest, wholeNumber, withQuery } from '../../../simulator/wire/request.ts'
import { jsonNumber, wireJson } from '../../../simulator/wire/wire-json.ts'

test('prices and sizes as each venue writes them', () => {
  expect([0, 5, 4_200, 9_990, 10_000].map(plainPrice)).toEqual(['0', '0.0005', '0.42', '0.999', '1'])
  expect([0, 5, 4_200, 10_000].map(fixedPrice)).toEqual(['0.0000', '0.0005', '0.4200', '1.0000'])
  expect([0, 5, 1_250, 10_000].map(plainSize)).toEqual(['0', '0.05', '12.5', '100'])
  expect([0, 1_250, -5_400].map(fixedSize)).toEqual(['0.00', '12.50', '-54.00'])
})

test('a scaled whole number is printed exactly, without needless zeros', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.integer({ min: 1, max: 20 }), (value, scale) => {
      const exact = new Decimal(value.toString()).div(new Decimal(10).pow(scale))
      expect(plainScaled(value, scale)).toBe(exact.toFixed())
    }),
  )
})

test('JSON numbers keep the digits that they were given; absent fields are left out', () => {
  const text = wireJson({ a: jsonNumber('0.583317862844020'), b: undefined, c: [1, null, true], d: { e: 'x"y' } })
  expect(text).toBe('{"a":0.583317862844020,"c":[1,null,true],"d":{"e":"x\\"y"}}')
})

test('what is written is JSON that says the same', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      fc.pre(
        JSON.stringify(value) ===
          JSON.stringify(value, (_, part) => (typeof part === 'number' ? Math.trunc(part) : part)),
      )
      expect(JSON.parse(wireJson(value as never))).toEqual(JSON.parse(JSON.stringify(value)))
    }),
  )
})

test('a request is read in parts and changed in one of them', () => {
  const { path, query } = parseRequest('/v0/bets?limit=10&contractId=abc')
  expect(path).toEqual(['v0', 'bets'])
  expect(wholeNumber(query, 'limit', 1, 5, 3)).toBe(5)
  expect(wholeNumber(query, 'contractId', 1, 5, 3)).toBe(3)
  expect(withQuery('/v0/bets?limit=10', { before: 'x y' })).toBe('/v0/bets?limit=10&before=x+y')
})

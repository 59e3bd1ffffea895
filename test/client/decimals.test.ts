import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDecimals, compareDecimals, decimal, multiplyDecimals, subtractDecimals } from '../../client/decimals.ts'
import { wantedOrder } from '../../client/trading/order-terms.ts'
import { Decimal } from '../../primitives/decimal.ts'

const text = fc
  .tuple(fc.integer({ min: -999_999_999, max: 999_999_999 }), fc.integer({ min: 0, max: 8 }))
  .map(([integer, scale]) => new Decimal(integer).div(new Decimal(10).pow(scale)).toFixed(scale))
  .filter((value) => !/^-0(\.0+)?$/.test(value))

test('sums, differences, products and comparisons are exact', () => {
  fc.assert(
    fc.property(text, text, (a, b) => {
      const [left, right] = [new Decimal(a), new Decimal(b)]
      expect(new Decimal(addDecimals(a, b)).eq(left.plus(right))).toBe(true)
      expect(new Decimal(subtractDecimals(a, b)).eq(left.minus(right))).toBe(true)
      expect(new Decimal(multiplyDecimals(a, b)).eq(left.times(right))).toBe(true)
      expect(compareDecimals(a, b)).toBe(left.comparedTo(right))
    }),
  )
})

test.each([
  ['0.1', '0.2', '0.3'],
  ['1.50', '-1.50', '0.00'],
  ['-0.05', '0.049', '-0.001'],
])('%s + %s is %s', (a, b, sum) => expect(addDecimals(a, b)).toBe(sum))

test.each([0.52, 5, Number.NaN, null, undefined, '1e3', '.5', '01', '+1', ''])('%j is refused', (value) => {
  expect(() => decimal(value as never, 'quantity')).toThrow(/^quantity is .*; allowed: a decimal string such as "0.52"/)
  expect(() => addDecimals('1', value as never)).toThrow('second value is')
})

test('an integer of any size is a decimal', () => expect(decimal(2n ** 80n)).toBe('1208925819614629174706176'))

test.each(['limit_price', 'quantity', 'maximum_fee', 'maximum_notional'])('an order whose %s is a number', (field) => {
  const terms = { market_id: 'mkt_a', outcome_id: 'out_a', side: 'BUY', limit_price: '0.5', quantity: '1' } as const
  const given = { ...terms, maximum_fee: '1', maximum_notional: '1', [field]: 0.5 }
  expect(() => wantedOrder(given, 'acct_a', 'asset_usd')).toThrow(`${field} is number 0.5`)
})

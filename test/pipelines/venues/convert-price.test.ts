import { expect, test } from 'vitest'
import { convertPrice, type PriceUnit } from '../../../pipelines/venues/mapping/convert-price.ts'
import { parseRecord } from '../../../pipelines/venues/quarantine.ts'

/** Each form of one half, and the unit in which it is written. */
const HALVES: readonly (readonly [string, PriceUnit])[] = [
  ...['0.5', '.5', '+0.5', '+.5', '5e-1', '5.0E-1', '5.e-1', '0.50'].map((text) => [text, 'probability'] as const),
  ...['50', '50.', '+50', '5e1', '50%', '50 %', '+50.%'].map((text) => [text, 'percent'] as const),
  ...['50', '50.', '+50'].map((text) => [text, 'cents'] as const),
  ...['2', '2.', '+2.0', '2e0'].map((text) => [text, 'decimal_odds'] as const),
  ...['+100', '100', '-100', '100.0'].map((text) => [text, 'american_odds'] as const),
]

test.each(HALVES)('%s in %s is one half', (text, unit) => {
  expect(convertPrice(text, unit)).toBe('0.500000000')
})

test.each(['05', '00.5', '.', '+', '+.', '++5', '+-5', '5..', '0,5', '1_0', '0x5', 'NaN', '5e', '5 0', '.e1', '%'])(
  '%s is no number',
  (text) => {
    for (const unit of ['probability', 'percent', 'cents', 'decimal_odds'] as const) {
      expect(parseRecord(() => convertPrice(text, unit))).toEqual({ reason: 'BAD_VALUE' })
    }
  },
)

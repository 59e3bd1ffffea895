import type { DecimalString } from '../../primitives/decimal.ts'
import { fromScaled, quantize } from '../../primitives/scaled.ts'
import type { JsonTextObject } from '../text/json-text.ts'
import { optionalNumber } from '../text/plain-number.ts'
import { shortQuantity } from '../text/short-quantity.ts'
import { Quarantined } from './quarantine.ts'
import type { MetricRecord } from './record.ts'

const SIZE_SCALE = 6
const WHOLE_DIGITS_MAX = 12

/**
 * Reads a size of a market, such as a volume, half even to 6 fraction digits; zero is a measured zero. null if it is absent or
 * negative, which venues write for "not calculated".
 * @throws Quarantined BAD_VALUE for a text that is not a number or has more than 12 whole digits
 */
export function sizeField(object: JsonTextObject, field: string): DecimalString | null {
  const value = object[field]
  const short = typeof value === 'string' ? shortQuantity(value) : null
  if (short !== null) return short
  const stated = optionalNumber(object, field)
  if (stated === null || stated.startsWith('-')) return null
  const size = fromScaled(quantize(stated, SIZE_SCALE), SIZE_SCALE)
  if (size.length > WHOLE_DIGITS_MAX + 1 + SIZE_SCALE) throw new Quarantined('BAD_VALUE')
  return size
}

/** Adds the sizes if any is stated. */
export function pushMetric(metrics: MetricRecord[], metric: MetricRecord): void {
  const { volume_24h, open_interest, liquidity_notional } = metric
  if (volume_24h !== null || open_interest !== null || liquidity_notional !== null) metrics.push(metric)
}

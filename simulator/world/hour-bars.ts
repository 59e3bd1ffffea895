import { MICROS_PER_SECOND, type Micros } from '../../primitives/instants.ts'

/** First, greatest, smallest and last price of an hour, in ten-thousandths. */
export type Range = { readonly open: number; high: number; low: number; close: number }

/** One hour of a book in the venue's history. null = that side was empty all the hour, or nothing traded. */
export type HourBar = {
  readonly end: Micros
  bid: Range | null
  ask: Range | null
  price: Range | null
  /** Price of the last trade before the hour. */
  readonly previous: number | null
  volume: number
  /** The venue shows a wrong close until this instant; null = it is right from the start. */
  wrong_until: Micros | null
}

export const HOUR: Micros = 3_600 * MICROS_PER_SECOND

/** Starts the bar of the hour that contains `at`. */
export function startHour(at: Micros, previous: number | null): HourBar {
  const end = at - (at % HOUR) + HOUR
  return { end, bid: null, ask: null, price: null, previous, volume: 0, wrong_until: null }
}

/** Extends the range by one more value; null leaves it. */
export function extendRange(range: Range | null, value: number | null): Range | null {
  if (value === null) return range
  if (range === null) return { open: value, high: value, low: value, close: value }
  if (value > range.high) range.high = value
  if (value < range.low) range.low = value
  range.close = value
  return range
}

import { MICROS_PER_SECOND, type Micros } from '../../primitives/instants.ts'

/** First, greatest, smallest and last of an hour, in ten-thousandths. */
export type Range = { readonly open: number; high: number; low: number; close: number }

/** One hour of a book, as the venue remembers it. null = that side was empty all the hour, or nothing traded. */
export type HourBar = {
  readonly end: Micros
  bid: Range | null
  ask: Range | null
  price: Range | null
  /** Price of the last trade before the hour. */
  readonly previous: number | null
  volume: number
  /** Until this instant the venue shows a wrong close; null = it is right from the beginning. */
  wrong_until: Micros | null
}

export const HOUR: Micros = 3_600 * MICROS_PER_SECOND

/** A new bar of the hour that holds `at`. */
export function startHour(at: Micros, previous: number | null): HourBar {
  const end = at - (at % HOUR) + HOUR
  return { end, bid: null, ask: null, price: null, previous, volume: 0, wrong_until: null }
}

/** The range with one more value; null leaves it. */
export function extendRange(range: Range | null, value: number | null): Range | null {
  if (value === null) return range
  if (range === null) return { open: value, high: value, low: value, close: value }
  if (value > range.high) range.high = value
  if (value < range.low) range.low = value
  range.close = value
  return range
}

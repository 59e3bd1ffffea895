import { intervalFor, secondsOf } from '../charts/intervals.ts'
import { readWindow, type TimeWindow, type WindowLimits } from '../charts/window.ts'
import { durationMillis } from '../data/instant-text.ts'

/** Ranges of the chart of a market, as in the address; a free range is an ISO 8601 interval. */
export const MARKET_RANGES = [
  ['P1D', '1D'],
  ['P7D', '1W'],
  ['P30D', '1M'],
  ['all', 'All'],
] as const
export const RANGE_DEFAULT = 'P7D'
/** Shortest window that can be zoomed to, in seconds. */
const SHORTEST_S = 600
/** Room after the last record of a range, as a share of its length. */
const ROOM = 0.01
/** Prediction markets before it are not recorded anywhere. */
const EARLIEST_S = Date.UTC(2000, 0, 1) / 1000

type Known = {
  /** Instant of the last record, in seconds. */
  readonly last: number
  /** Instant of the first record; null: not read, or there is none. */
  readonly first: number | null
}

/** Returns the window of a range of the address; an unknown range is the usual one. */
export function windowOfRange(range: string | null, { last, first }: Known): TimeWindow {
  const free = readWindow(range)
  if (free !== null) return free
  const known = MARKET_RANGES.find(([name]) => name === range)?.[0] ?? RANGE_DEFAULT
  if (known === 'all') return roomy(first ?? last - lengthOf(RANGE_DEFAULT), last)
  return roomy(last - lengthOf(known), last)
}

/** Returns how far the chart can be moved and zoomed. */
export function limitsOf(window: TimeWindow, { last, first }: Known): WindowLimits {
  const end = Math.max(window.to, roomy(last - lengthOf(RANGE_DEFAULT), last).to)
  return { from: Math.min(first ?? EARLIEST_S, window.from), to: end, length_min: SHORTEST_S }
}

/** Begins and ends at whole buckets, so that the window does not move with every record. */
function roomy(from: number, last: number): TimeWindow {
  const length = Math.max(last - from, SHORTEST_S)
  const step = secondsOf(intervalFor(null, { from: last - length, to: last }))
  const to = Math.ceil((last + length * ROOM) / step) * step
  return { from: Math.floor((last - length) / step) * step, to }
}

function lengthOf(range: string): number {
  return durationMillis(range)! / 1000
}

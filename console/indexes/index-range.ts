import { readWindow, type TimeWindow, type WindowLimits, within } from '../charts/window.ts'
import { durationMillis } from '../data/instant-text.ts'

/** Ranges that are offered; every other one is free. */
export const INDEX_RANGES = [
  ['P1D', '24 h'],
  ['P7D', '7 d'],
  ['P30D', '30 d'],
  ['all', 'All'],
] as const
export const INDEX_RANGE_DEFAULT = 'P7D'

/** Shortest window, in seconds. */
const LENGTH_MIN = 600

/** First and last instant of the index, in seconds since 1970. */
export type IndexSpan = { readonly first: number; readonly last: number }

/** Returns what can be shown: the life of the index. */
export function limitsOf({ first, last }: IndexSpan): WindowLimits {
  return { from: Math.min(first, last - LENGTH_MIN), to: last + LENGTH_MIN, length_min: LENGTH_MIN }
}

/** Returns the window of a range of the address: a free one, all, or the time before the last level. */
export function windowOf(range: string | null, span: IndexSpan): TimeWindow {
  const limits = limitsOf(span)
  const free = readWindow(range)
  if (free !== null) return within(free, limits)
  if (range === 'all') return { from: limits.from, to: limits.to }
  const length = (durationMillis(range ?? '') ?? durationMillis(INDEX_RANGE_DEFAULT)!) / 1000
  return within({ from: limits.to - length, to: limits.to }, limits)
}

import { CANDLE_INTERVALS, type CandleInterval } from '../../vocabulary/market.ts'
import { durationMillis } from '../data/instant-text.ts'
import type { TimeWindow } from './window.ts'

/** Candles that a chart of usual width has room for. */
const BUCKETS_SHOWN = 400
/** Candles that are drawn at most; more are not told apart. */
const BUCKETS_MAX = 2000

/** Returns the buckets of an interval in a window. */
export function bucketsIn(interval: CandleInterval, { from, to }: TimeWindow): number {
  return Math.ceil((to - from) / secondsOf(interval))
}

/** Returns the shortest interval whose candles fit on the screen; the longest if none does. */
export function usualInterval(window: TimeWindow): CandleInterval {
  return CANDLE_INTERVALS.find((one) => bucketsIn(one, window) <= BUCKETS_SHOWN) ?? CANDLE_INTERVALS.at(-1)!
}

/** Whether candles of an interval may be read for a window: not too many, and at least one. */
export function fits(interval: CandleInterval, window: TimeWindow): boolean {
  return bucketsIn(interval, window) <= BUCKETS_MAX && window.to - window.from >= secondsOf(interval)
}

/** Returns the interval asked for if it fits, or else the usual one. */
export function intervalFor(asked: string | null, window: TimeWindow): CandleInterval {
  const known = CANDLE_INTERVALS.find((one) => one === asked)
  return known !== undefined && fits(known, window) ? known : usualInterval(window)
}

/** Returns the window in whole buckets, so that the candles at its edges are complete. */
export function wholeBuckets({ from, to }: TimeWindow, interval: CandleInterval): TimeWindow {
  const step = secondsOf(interval)
  return { from: Math.floor(from / step) * step, to: Math.ceil(to / step) * step }
}

/** Returns the length of an interval in seconds. */
export function secondsOf(interval: CandleInterval): number {
  return durationMillis(interval)! / 1000
}

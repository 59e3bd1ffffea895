import type { EquityPoint } from '../../protocol/resources/account-summary.ts'
import type { Candle } from '../../protocol/resources/candle.ts'
import type { IndexObservation } from '../../protocol/resources/index-observation.ts'
import { QUALITY_WORST_FIRST, type QualityState } from '../../vocabulary/index-level.ts'
import { pixelNumber } from '../data/decimal-text.ts'
import { millisOf } from '../data/instant-text.ts'

/** One point along the chart. Texts are shown; numbers only become pixels. */
export type ChartPoint = {
  /** Seconds since 1970, as the chart library counts. */
  readonly x: number
  readonly x_end: number
  /** null: no level, the line is interrupted. */
  readonly y: number | null
  readonly state: QualityState
  readonly is_corrected: boolean
  readonly level: IndexObservation | null
  readonly candle:
    | (Candle & { readonly pixels: readonly [open: number, high: number, low: number, close: number] })
    | null
  /** Equity of an account; left out: a chart of levels. */
  readonly equity?: EquityPoint
}

/** Run of points in one state other than valid, in seconds. */
export type Band = { readonly from: number; readonly to: number; readonly state: QualityState }

/** Steps without a record, in multiples of the usual step, after which the line is interrupted. */
const GAP_STEPS = 2.5

/** States that last from one record to the next, with nothing published between (methodology §12). */
const LASTING: readonly QualityState[] = ['stale', 'suspended']

/** Converts levels to points; each lasts until the next, and a lasting state shades the gap. */
export function pointsOfLevels(levels: readonly IndexObservation[]): readonly ChartPoint[] {
  const xs = levels.map(({ tick_at }) => millisOf(tick_at) / 1000)
  const step = usualStep(xs)
  return levels.flatMap((level, at) => {
    const x = xs[at]!
    const next = xs[at + 1] ?? x + step
    const is_gap = next - x > step * GAP_STEPS
    const state = (level.underlying_quality_state ?? level.quality_state) as QualityState
    const y = level.level === null ? null : pixelNumber(level.level)
    const point = {
      x,
      x_end: is_gap ? x + step : next,
      y,
      state,
      is_corrected: level.revision > 1,
      level,
      candle: null,
    }
    const nothing: ChartPoint = {
      ...point,
      x: x + step,
      x_end: next,
      y: null,
      state: LASTING.includes(state) ? state : 'valid',
      is_corrected: false,
      level: null,
    }
    return is_gap ? [point, nothing] : [point]
  })
}

/** Converts candles to points in the worst state of each bucket. */
export function pointsOfCandles(candles: readonly Candle[]): readonly ChartPoint[] {
  return candles.map((candle) => {
    const [x, x_end] = [millisOf(candle.bucket_start) / 1000, millisOf(candle.bucket_end) / 1000]
    const { open, high, low, close, quality_states } = candle
    const pixels = [pixelNumber(open), pixelNumber(high), pixelNumber(low), pixelNumber(close)] as const
    const state = QUALITY_WORST_FIRST.find((one) => quality_states.includes(one)) ?? 'valid'
    const is_corrected = quality_states.includes('corrected')
    return { x, x_end, y: pixels[3], state, is_corrected, level: null, candle: { ...candle, pixels } }
  })
}

/** Returns the runs of points in one state other than valid; corrections have a mark instead. */
export function bandsOf(points: readonly ChartPoint[]): readonly Band[] {
  const bands: Band[] = []
  for (const { x, x_end, state } of points) {
    if (state === 'valid' || state === 'corrected') continue
    const last = bands.at(-1)
    if (last?.state === state && last.to >= x) bands[bands.length - 1] = { ...last, to: x_end }
    else bands.push({ from: x, to: x_end, state })
  }
  return bands
}

function usualStep(xs: readonly number[]): number {
  const steps = xs.slice(1).map((x, at) => x - xs[at]!)
  return steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 2)] ?? 60
}

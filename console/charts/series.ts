import type { Candle } from '../../protocol/resources/candle.ts'
import { pixelNumber } from '../data/decimal-text.ts'
import { millisOf } from '../data/instant-text.ts'

/** Colors of the style sheet that a layer may have. */
export type LayerInk = 'main' | 'other' | 'rise' | 'muted'

/** One bucket of a series. Texts are exact, as the API serves them; numbers only become pixels. */
export type Bar = {
  /** Start and end of the half-open bucket, in seconds since 1970. */
  readonly t: number
  readonly t_end: number
  readonly open: string
  readonly high: string
  readonly low: string
  readonly close: string
  /** null: not known, which is not 0. */
  readonly volume: string | null
  /** false: the bucket may still change, because it has not ended or the range cuts it. */
  readonly is_final: boolean
  readonly observation_count: number
  readonly quality_states: readonly string[]
}

/** One value of a line; null interrupts the line. */
export type LinePoint = { readonly t: number; readonly value: string | null }

/** One series of a chart. Layers are drawn in their order, volumes below all of them. */
export type Layer =
  | { readonly kind: 'candles'; readonly name: string; readonly ink: LayerInk; readonly bars: readonly Bar[] }
  | {
      readonly kind: 'line'
      readonly name: string
      readonly ink: LayerInk
      readonly is_dashed?: boolean
      readonly points: readonly LinePoint[]
    }
  | { readonly kind: 'volume'; readonly name: string; readonly bars: readonly Bar[] }

/** Vertical mark at an instant, such as a new version or a bucket that differs. */
export type ChartMark = { readonly t: number; readonly name: string; readonly kind: 'line' | 'diamond' }

/** Converts candles of the API to bars. */
export function barsOf(candles: readonly Candle[]): readonly Bar[] {
  return candles.map((candle) => {
    const { open, high, low, close, volume, observation_count, quality_states } = candle
    const [t, t_end] = [millisOf(candle.bucket_start) / 1000, millisOf(candle.bucket_end) / 1000]
    return { t, t_end, open, high, low, close, volume, is_final: candle.final, observation_count, quality_states }
  })
}

/** Returns a line through the closes of bars; an omitted bucket interrupts it. */
export function closesOf(bars: readonly Bar[]): readonly LinePoint[] {
  return bars.flatMap((bar, at) => {
    const next = bars[at + 1]
    const point = { t: middleOf(bar), value: bar.close }
    const is_gap = next !== undefined && next.t > bar.t_end
    return is_gap ? [point, { t: bar.t_end, value: null }] : [point]
  })
}

/** Returns where a bar is drawn and found: the middle of its bucket. */
export function middleOf({ t, t_end }: Pick<Bar, 't' | 't_end'>): number {
  return (t + t_end) / 2
}

/** Chart data as columns: instants, and for each layer its bar or value at each of them. */
export type Columns = {
  readonly xs: readonly number[]
  /** Pixels of each layer; null interrupts a line, undefined is an instant that the layer has nothing of. */
  readonly ys: readonly (readonly (number | null | undefined)[])[]
  readonly cells: readonly (readonly (Bar | LinePoint | undefined)[])[]
}

/** Aligns layers on the instants of all of them. */
export function columnsOf(layers: readonly Layer[]): Columns {
  const found = layers.map(cellsOf)
  const xs = [...new Set(found.flatMap((cells) => [...cells.keys()]))].sort((a, b) => a - b)
  const cells = found.map((of_layer) => xs.map((x) => of_layer.get(x)))
  return { xs, cells, ys: cells.map((column) => column.map(pixelOf)) }
}

function cellsOf(layer: Layer): ReadonlyMap<number, Bar | LinePoint> {
  if (layer.kind === 'line') return new Map(layer.points.map((point) => [point.t, point]))
  return new Map(layer.bars.map((bar) => [middleOf(bar), bar]))
}

function pixelOf(cell: Bar | LinePoint | undefined): number | null | undefined {
  if (cell === undefined) return undefined
  const text = 'close' in cell ? cell.close : cell.value
  return text === null ? null : pixelNumber(text)
}

/** Whether any layer has a value at a column. */
export function hasValue({ cells }: Columns, at: number): boolean {
  return cells.some((column) => {
    const cell = column[at]
    return cell !== undefined && ('close' in cell || cell.value !== null)
  })
}

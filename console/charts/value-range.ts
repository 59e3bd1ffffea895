import { pixelNumber } from '../data/decimal-text.ts'
import type { Bar, Layer } from './series.ts'
import type { TimeWindow } from './window.ts'

/** Share of the plot below the prices that volumes have. */
const VOLUME_SHARE = 0.24
/** Room above and below the values, as a share of their range. */
const PADDING = 0.06
/** Range around values that are all equal. */
const FLAT = 0.01

/** Returns the range of the vertical axis: every visible value with some room, and room for volumes below. */
export function valueRange(layers: readonly Layer[], window: TimeWindow): readonly [number, number] {
  const values = layers.flatMap((layer) => valuesOf(layer, window))
  if (values.length === 0) return [0, 1]
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const height = high - low || Math.abs(high) * FLAT || FLAT
  const [bottom, top] = [low - height * PADDING, high + height * PADDING]
  const volumes = hasVolume(layers) ? ((top - bottom) * VOLUME_SHARE) / (1 - VOLUME_SHARE) : 0
  return [bottom - volumes, top]
}

/** Returns the greatest visible volume; 0: none is known. */
export function volumeMax(layers: readonly Layer[], window: TimeWindow): number {
  const volumes = layers.flatMap((layer) =>
    layer.kind === 'volume'
      ? layer.bars.filter((bar) => isVisible(bar, window)).map(({ volume }) => pixelNumber(volume ?? '0'))
      : [],
  )
  return Math.max(0, ...volumes)
}

/** Returns the height of a volume as a share of the plot. */
export function volumeHeight(volume: string, max: number): number {
  return max === 0 ? 0 : (pixelNumber(volume) / max) * VOLUME_SHARE * (1 - PADDING)
}

/** Whether a bar is at least partly inside the window. */
export function isVisible({ t, t_end }: Bar, { from, to }: TimeWindow): boolean {
  return t < to && t_end > from
}

function hasVolume(layers: readonly Layer[]): boolean {
  return layers.some(({ kind }) => kind === 'volume')
}

function valuesOf(layer: Layer, window: TimeWindow): number[] {
  if (layer.kind === 'volume') return []
  if (layer.kind === 'candles')
    return layer.bars
      .filter((bar) => isVisible(bar, window))
      .flatMap(({ high, low }) => [pixelNumber(high), pixelNumber(low)])
  // The neighbors beyond the edges belong to the visible part of the line.
  const first = layer.points.findLastIndex(({ t }) => t < window.from)
  const after = layer.points.findIndex(({ t }) => t > window.to)
  const shown = layer.points.slice(Math.max(first, 0), after < 0 ? undefined : after + 1)
  return shown.flatMap(({ value }) => (value === null ? [] : [pixelNumber(value)]))
}

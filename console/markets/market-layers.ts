import type { BarDifference } from '../charts/compare-bars.ts'
import { type Bar, type ChartMark, closesOf, type Layer } from '../charts/series.ts'
import { showMinute } from '../data/instant-text.ts'

/** Series of a market's chart, as known at one instant, or at two. */
export type KnownBars = {
  readonly bars: readonly Bar[]
  /** The same as known at the earlier instant; null: nothing is compared. */
  readonly earlier: readonly Bar[] | null
}

/** Names of the layers: the field, and the instants of knowledge. */
export type LayerNames = { readonly field: string; readonly from: string | null; readonly to: string | null }

/** Returns the layers of a chart: candles, the line known earlier below them, and volumes where any is known. */
export function marketLayers({ bars, earlier }: KnownBars, { field, from, to }: LayerNames): readonly Layer[] {
  const name = field.replaceAll('_', ' ')
  const known = to === null ? name : `${name}, known ${showMinute(to)}`
  const layers: Layer[] = [{ kind: 'candles', name: known, ink: 'main', bars }]
  if (earlier !== null && from !== null) {
    const points = closesOf(earlier)
    layers.push({ kind: 'line', name: `${name}, known ${showMinute(from)}`, ink: 'other', is_dashed: true, points })
  }
  if (bars.some(({ volume }) => volume !== null)) layers.push({ kind: 'volume', name: 'volume', bars })
  return layers
}

/** Returns a mark for each bucket that the two instants show differently. */
export function differenceMarks(differences: readonly BarDifference[]): readonly ChartMark[] {
  return differences.map(({ t, t_end, kind }) => ({ t: (t + t_end) / 2, name: kind, kind: 'diamond' }))
}

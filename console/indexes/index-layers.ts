import type { Candle } from '../../protocol/resources/candle.ts'
import type { IndexObservation } from '../../protocol/resources/index-observation.ts'
import type { IndexVersion } from '../../protocol/resources/index-version.ts'
import { IMPAIRED_STATES } from '../../vocabulary/index-level.ts'
import { type Bar, type ChartMark, closesOf, type Layer, type LinePoint } from '../charts/series.ts'
import type { TimeWindow } from '../charts/window.ts'
import { addDecimals, percentChange } from '../data/decimal-text.ts'
import { millisOf } from '../data/instant-text.ts'

/** Value at which every rebased line begins. */
const REBASED_AT = '100'
/** Digits of a rebased value. */
const DIGITS = 4

/** A named series of buckets. */
export type NamedBars = { readonly name: string; readonly bars: readonly Bar[] }

/**
 * Returns the layers of an index and of what is beside it: candles of the first alone, and lines of both together.
 * @param is_rebased true: both lines begin at 100 at the first bucket that both have; false: levels as published
 */
export function indexLayers(own: NamedBars, beside: NamedBars | null, is_rebased: boolean): readonly Layer[] {
  const { bars } = own
  if (beside === null) return [{ kind: 'candles', name: own.name, ink: 'main', bars }]
  const others = beside.bars
  const first = is_rebased ? firstCommon(bars, others) : null
  const line = (name: string, of: readonly Bar[]) => rebasedLine(closesOf(of), of, first, name)
  return [
    { kind: 'line', name: line(own.name, bars).name, ink: 'main', points: line(own.name, bars).points },
    {
      kind: 'line',
      name: line(beside.name, others).name,
      ink: 'other',
      is_dashed: true,
      points: line(beside.name, others).points,
    },
  ]
}

/** Returns the start of the first bucket that both series have; null: they have none in common. */
export function firstCommon(a: readonly Bar[], b: readonly Bar[]): number | null {
  const of_b = new Set(b.map(({ t }) => t))
  return a.find(({ t }) => of_b.has(t))?.t ?? null
}

function rebasedLine(points: readonly LinePoint[], bars: readonly Bar[], first: number | null, name: string) {
  const base = first === null ? undefined : bars.find(({ t }) => t === first)?.close
  if (base === undefined) return { name, points }
  return { name: `${name}, rebased`, points: points.map(({ t, value }) => ({ t, value: rebased(value, base) })) }
}

/** Returns 100 x value / base with four digits; null: the value is not known, or the base is 0. */
export function rebased(value: string | null, base: string): string | null {
  const change = value === null ? null : percentChange(base, value, DIGITS)
  return change === null ? null : addDecimals(REBASED_AT, change)
}

/** Returns the marks of new versions, corrections and impaired candles that lie in a window, in the order of time. */
export function indexMarks(
  known: {
    readonly versions: readonly IndexVersion[]
    readonly corrections: readonly IndexObservation[]
    readonly candles: readonly Candle[]
  },
  { from, to }: TimeWindow,
): readonly ChartMark[] {
  const versions = known.versions
    .slice(1)
    .map(({ effective_from, version }) => lineAt(effective_from, `version ${version}`))
  const corrections = known.corrections.map(({ tick_at }) => diamondAt(tick_at, 'corrected'))
  const impaired = known.candles.flatMap((candle, at) => {
    const state = impairedState(candle)
    // A run of one state has a mark where it begins.
    return state === null || state === impairedState(known.candles[at - 1])
      ? []
      : [diamondAt(candle.bucket_start, state)]
  })
  const all = [...versions, ...corrections, ...impaired].filter(({ t }) => t >= from && t <= to)
  return all.toSorted((a, b) => a.t - b.t)
}

function impairedState(candle: Candle | undefined): string | null {
  return IMPAIRED_STATES.find((one) => candle?.quality_states.includes(one)) ?? null
}

const lineAt = (instant: string, name: string): ChartMark => ({ t: millisOf(instant) / 1000, name, kind: 'line' })
const diamondAt = (instant: string, name: string): ChartMark => ({ t: millisOf(instant) / 1000, name, kind: 'diamond' })

import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Candle } from '../../protocol/resources/candle.ts'
import type { IndexObservation } from '../../protocol/resources/index-observation.ts'
import type { IndexVersion } from '../../protocol/resources/index-version.ts'
import { CANDLE_INTERVALS } from '../../vocabulary/market.ts'
import type { Api } from '../data/api-client.ts'
import { useCell, useLoaded } from '../data/hooks.ts'
import { durationMillis, instantOf, millisOf, showDuration } from '../data/instant-text.ts'
import { gaps, last_level } from '../data/live.ts'
import { byTick, withLevel } from '../data/newest.ts'
import { listCandles, listPrices } from '../data/reads.ts'
import { go, route } from '../data/route.ts'
import { html } from '../html.ts'
import { type ChartPoint, pointsOfCandles, pointsOfLevels } from '../parts/chart-data.ts'
import { ChartLegend } from '../parts/chart-legend.ts'
import { Choice } from '../parts/choice.ts'
import { Empty, ErrorNote, Loading } from '../parts/notes.ts'
import { LoadedView } from './loaded-view.ts'

/** The chart's code is as large as the rest of the page, so it loads only for pages that draw one. */
export const loadChart = () => import('../parts/level-chart.ts')

const RANGES = { PT6H: '6 h', P1D: '24 h', P7D: '7 d', P30D: '30 d' } as const
type Range = keyof typeof RANGES
const RANGE_DEFAULT = 'P7D'
/** Most points of a chart; more would not fit the pixels of a screen. */
const POINTS_MAX = 1000

type Window = {
  readonly from: number
  readonly to: number
  readonly frequency: string
  readonly candles: string | null
}

/** Levels of an index over time: a line or candles, shaded by quality state. */
export function ChartSection({
  api,
  latest,
  versions,
}: {
  api: Api
  latest: IndexObservation
  versions: readonly IndexVersion[]
}) {
  const shown = useCell(route)
  const usual = usualRange(versions, latest)
  const range = shown.range !== null && shown.range in RANGES ? (shown.range as Range) : usual
  const length = durationMillis(range)!
  const version = versions.find(({ index_version_id }) => index_version_id === latest.index_version_id)
  const frequency = version?.calculation_frequency ?? 'PT1M'
  const choices = CANDLE_INTERVALS.filter((interval) => fits(interval, length, frequency))
  const candles = choices.find((interval) => interval === shown.candles) ?? null
  const window = windowOf(millisOf(latest.tick_at), length, frequency, candles)
  const series = useSeries(api, latest, window)
  return html`<section aria-labelledby="level-title">
    <div class="section-head">
      <h2 id="level-title">${candles === null ? 'Level' : `Level, candles of ${showDuration(candles)}`}</h2>
      <${Choice} legend="Range" name="range" value=${range} options=${Object.entries(RANGES)}
        onChoose=${(value: string) => go({ range: value === usual ? null : value }, true)} />
      <${Choice} legend="Shape" name="candles" value=${candles ?? ''} options=${[['', 'Line'], ...choices.map((one) => [one, showDuration(one)])]}
        onChoose=${(value: string) => go({ candles: value === '' ? null : value }, true)} />
    </div>
    ${series.state === 'loading' && html`<div class="plot-space"><${Loading} what="levels" /></div>`}
    ${series.state === 'failed' && html`<${ErrorNote} error=${series.error} what="Levels" />`}
    ${series.state === 'ready' && html`<${Drawn} points=${series.data} window=${window} versions=${versions} latest=${latest} />`}
  </section>`
}

function Drawn({
  points,
  window,
  versions,
  latest,
}: {
  points: readonly ChartPoint[]
  window: Window
  versions: readonly IndexVersion[]
  latest: IndexObservation
}) {
  const { observation_id } = useCell(route)
  const marks = useMemo(
    () =>
      versions
        .slice(1)
        .map(({ effective_from, version }) => ({ at: millisOf(effective_from) / 1000, name: `version ${version}` })),
    [versions],
  )
  const range = [window.from / 1000, window.to / 1000] as const
  if (points.length === 0) return html`<${Empty}>No levels in this range<//>`
  const inside = marks.filter(({ at }) => at >= range[0] && at <= range[1])
  return html`<div class="plot-space"><${LoadedView} load=${loadChart} what="the chart" points=${points} range=${range} versions=${inside} chosen_id=${observation_id}
      label="Level over time; arrow keys move between levels, Enter shows the details of one"
      onChoose=${(id: string) => go({ observation_id: id === latest.observation_id ? null : id })} />
    <${ChartLegend} points=${points} versions=${inside.length} /></div>`
}

/** Returns a week or, for a younger index, the shortest range that contains all its levels. */
function usualRange([first]: readonly IndexVersion[], { tick_at }: IndexObservation): Range {
  const age = first === undefined ? Number.POSITIVE_INFINITY : millisOf(tick_at) - millisOf(first.effective_from)
  const fitting = (Object.keys(RANGES) as Range[]).find((range) => durationMillis(range)! >= age)
  return fitting === undefined || fitting === 'P30D' ? RANGE_DEFAULT : fitting
}

/** Returns the range in whole buckets, so the last candle is complete, with some room after the last level. */
function windowOf(last_tick: number, length: number, frequency: string, candles: string | null): Window {
  const step = durationMillis(candles ?? frequency) ?? 60_000
  const to = (Math.floor(last_tick / step) + 1) * step
  return { from: to - length, to, frequency, candles }
}

/** Whether candles of the interval are useful: several levels each, at least four, and no more than the screen has room for. */
function fits(interval: string, length: number, frequency: string): boolean {
  const millis = durationMillis(interval)!
  const buckets = length / millis
  return buckets <= POINTS_MAX && buckets >= 4 && millis > (durationMillis(frequency) ?? 0)
}

/** Returns the points of the window, extended by every level from the stream. */
function useSeries(api: Api, latest: IndexObservation, { from, to, frequency, candles }: Window) {
  const again = useCell(gaps)
  const { index_id } = latest
  const query = { start_time: instantOf(from), end_time: instantOf(to) }
  const length = to - from
  // The end is not part of the key: levels from the stream are appended without another read.
  const key = `${index_id} ${api.as_of} ${length} ${frequency} ${candles}`
  const added = useLiveLevels(latest, key)
  const levels = useLoaded(
    candles === null ? key : null,
    (signal) => listPrices(api, index_id, { ...query, ...samplingOf(length, frequency) }, signal),
    again,
  )
  // Only the service computes candles; they are read again with each new level.
  const buckets = useLoaded<readonly Candle[]>(
    candles === null ? null : key,
    (signal) => listCandles(api, index_id, { ...query, interval: candles! }, signal),
    `${again} ${added.length}`,
  )
  const points = useMemo(() => {
    if (buckets.state === 'ready') return pointsOfCandles(buckets.data)
    if (levels.state !== 'ready') return []
    return pointsOfLevels(
      added.reduce(withLevel, byTick(levels.data)).filter(({ tick_at }) => millisOf(tick_at) >= from),
    )
  }, [levels.data, buckets.data, added, from])
  const loaded = candles === null ? levels : buckets
  return loaded.state === 'ready' ? { ...loaded, data: points } : loaded
}

/** Returns the shortest sampling interval whose points fit the chart; none if every level fits. */
function samplingOf(length: number, frequency: string): { sampling?: string; interval?: string } {
  if (length / (durationMillis(frequency) ?? 60_000) <= POINTS_MAX) return {}
  const interval = CANDLE_INTERVALS.find((one) => length / durationMillis(one)! <= POINTS_MAX) ?? 'P1D'
  return { sampling: 'latest_per_interval', interval }
}

/**
 * Returns the levels that the stream sent since the key was set, corrections of earlier ticks included. A snapshot that repeats what the
 * page has read is ignored.
 */
function useLiveLevels(latest: IndexObservation, key: string): readonly IndexObservation[] {
  const [held, hold] = useState<{ key: string; levels: readonly IndexObservation[] }>({ key, levels: [] })
  const known = useRef(latest.observation_id)
  useEffect(
    () =>
      last_level.watch(() => {
        const level = last_level.get()
        if (level?.index_id !== latest.index_id || level.observation_id === known.current) return
        hold((before) => ({ key, levels: [...(before.key === key ? before.levels : []), level] }))
      }),
    [key],
  )
  return held.key === key ? held.levels : NOTHING
}

const NOTHING: readonly IndexObservation[] = []

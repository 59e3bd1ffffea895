import { useMemo, useRef, useState } from 'preact/hooks'
import type { Candle } from '../../protocol/resources/candle.ts'
import type { Index } from '../../protocol/resources/index-resource.ts'
import type { IndexVersion } from '../../protocol/resources/index-version.ts'
import { CANDLE_INTERVALS } from '../../vocabulary/market.ts'
import { ChartTable } from '../charts/chart-table.ts'
import { ChartTools } from '../charts/chart-tools.ts'
import { fits, intervalFor } from '../charts/intervals.ts'
import { barsOf } from '../charts/series.ts'
import { useChartWindow } from '../charts/use-chart-window.ts'
import { readWindow, type TimeWindow } from '../charts/window.ts'
import type { Api } from '../data/api-client.ts'
import { useCell, useLoaded } from '../data/hooks.ts'
import { durationMillis, millisOf, showDuration } from '../data/instant-text.ts'
import { gaps } from '../data/live.ts'
import { getIndex, listVersions } from '../data/reads.ts'
import { go, linkTo, type Route, route } from '../data/route.ts'
import { Select } from '../governance/parts/select.ts'
import { html } from '../html.ts'
import { Choice } from '../parts/choice.ts'
import { InventedMark } from '../parts/invented-mark.ts'
import { Empty, ErrorNote, Loading } from '../parts/notes.ts'
import { LoadedView } from '../views/loaded-view.ts'
import { CorrectionTable, RebalanceList } from './beside-chart.ts'
import type { CorrectedLevel } from './corrections.ts'
import { indexLayers, indexMarks } from './index-layers.ts'
import { INDEX_RANGE_DEFAULT, INDEX_RANGES, limitsOf, windowOf } from './index-range.ts'
import { listCorrections, listNames, listWindow } from './reads.ts'
import { type ReplayedLevels, replayedBars } from './replay-file.ts'
import { ReplayPicker } from './replay-picker.ts'

/** The chart's code loads when a chart is first opened. */
const loadChart = () => import('../charts/series-chart.ts')

/** Chart of an index over any range, alone, with another index, or with a replay of another version. */
export default function IndexChartPage({ api, index_id }: { api: Api; index_id: string }) {
  const shown = useCell(route)
  const again = useCell(gaps)
  const about = useLoaded(
    `chart of ${index_id} ${api.as_of}`,
    async (signal) => {
      const reads = [
        getIndex(api, index_id, signal),
        listVersions(api, index_id, signal),
        listNames(api, signal),
      ] as const
      const [index, versions, names] = await Promise.all(reads)
      return { index, versions, names }
    },
    again,
  )
  const place = html`<p class="kind"><a href=${linkTo(shown, {})}>Indexes</a> / <a href=${linkTo(shown, { index_id })}>${about.data?.index.symbol ?? index_id}</a> / chart</p>`
  if (about.state === 'failed') return html`${place}<h1>Chart</h1><${ErrorNote} error=${about.error} what="Index" />`
  if (about.state === 'loading') return html`<${Loading} what="index" />`
  const { index, versions, names } = about.data
  return html`${place}<h1>${index.name}</h1><${InventedMark} simulated=${index.simulated} />
    ${
      index.latest == null
        ? html`<${Empty}>No levels yet<//>`
        : html`<${ChartOfIndex} api=${api} index=${index} versions=${versions} names=${names} last_tick=${index.latest.tick_at} />`
    }
    <${RebalanceList} api=${api} index_id=${index_id} />`
}

type Known = { readonly index: Index; readonly versions: readonly IndexVersion[]; readonly names: readonly Index[] }
type ChartProps = Known & { readonly api: Api; readonly last_tick: string }

function ChartOfIndex({ api, index, versions, names, last_tick }: ChartProps) {
  const shown = useCell(route)
  const [replay, setReplay] = useState<ReplayedLevels | null>(null)
  const last = millisOf(last_tick) / 1000
  const span = { first: millisOf(versions[0]?.effective_from ?? last_tick) / 1000, last }
  const settled = windowOf(shown.range, span)
  const interval = intervalFor(shown.candles, settled)
  const other = names.find(({ index_id }) => index_id === shown.beside && index_id !== index.index_id) ?? null
  const beside = replay === null ? other : null
  const { index_id } = index
  const frequency = versions.at(-1)?.calculation_frequency ?? 'PT1M'
  const step_s = (durationMillis(frequency) ?? 60_000) / 1000
  const read = useLoaded(
    `${index_id} ${beside?.index_id} ${interval} ${settled.from} ${settled.to} ${api.as_of}`,
    async (signal) => {
      const asked = { window: settled, interval }
      const [own, other, corrections] = await Promise.all([
        listWindow(api, index_id, asked, signal),
        beside === null ? null : listWindow(api, beside.index_id, asked, signal),
        listCorrections(api, index_id, { window: settled, step_s }, signal),
      ])
      return { own, other, corrections }
    },
    useCell(gaps),
  )
  const intervals = CANDLE_INTERVALS.filter((one) => fits(one, settled)).map((one) => [one, showDuration(one)] as const)
  const others = names.filter((one) => one.index_id !== index_id).map((one) => [one.index_id, one.symbol] as const)
  const range = readWindow(shown.range) === null ? (shown.range ?? INDEX_RANGE_DEFAULT) : ''
  return html`<section aria-labelledby="index-chart-title">
    <div class="section-head">
      <h2 id="index-chart-title">${titleOf(shown, replay?.name ?? beside?.symbol ?? null, showDuration(interval))}</h2>
      <${Choice} legend="Range" name="range" value=${range} options=${INDEX_RANGES} onChoose=${(value: string) => go({ range: value, candles: null }, true)} />
      <${Choice} legend="Candles" name="candles" value=${interval} options=${intervals} onChoose=${(value: string) => go({ candles: value }, true)} />
      <${Select} id="beside" label="Beside" none="no other index" value=${other?.index_id ?? null} options=${others} onChoose=${(
        value: string | null,
      ) => {
        setReplay(null)
        go({ beside: value }, true)
      }} />
      ${(beside !== null || replay !== null) && html`<${Choice} legend="Scale" name="scale" value=${shown.scale ?? ''} options=${SCALES} onChoose=${(value: string) => go({ scale: value || null }, true)} />`}
    </div>
    ${read.state === 'failed' && html`<${ErrorNote} error=${read.error} what="Candles" />`}
    ${read.state === 'loading' && html`<div class="plot-space"><${Loading} what="candles" /></div>`}
    ${read.state === 'ready' && html`<${Drawn} read=${read.data} index=${index} versions=${versions} beside=${beside} replay=${replay} settled=${settled} span=${span} />`}
    <${ReplayPicker} replay=${replay} onReplay=${setReplay} />
  </section>`
}

const SCALES = [
  ['', 'As published'],
  ['rebased', 'Rebased to 100'],
] as const

function titleOf({ scale }: Route, beside: string | null, interval: string): string {
  if (beside === null) return `Candles of ${interval}`
  const how = scale === 'rebased' ? 'both rebased to 100 at their first common bucket' : 'levels as published'
  return `Closes of ${interval}, ${how}`
}

type Read = {
  readonly own: readonly Candle[]
  readonly other: readonly Candle[] | null
  readonly corrections: readonly CorrectedLevel[]
}
type DrawnProps = {
  readonly read: Read
  readonly index: Index
  readonly versions: readonly IndexVersion[]
  readonly beside: Index | null
  readonly replay: ReplayedLevels | null
  readonly settled: TimeWindow
  readonly span: { readonly first: number; readonly last: number }
}

function Drawn({ read, index, versions, beside, replay, settled, span }: DrawnProps) {
  const shown = useCell(route)
  const canvas = useRef<HTMLCanvasElement | null>(null)
  const [window, move] = useChartWindow(shown.range, settled)
  const is_rebased = shown.scale === 'rebased'
  const layers = useMemo(() => {
    const bars = barsOf(read.own)
    const other = beside === null || read.other === null ? null : { name: beside.symbol, bars: barsOf(read.other) }
    const replayed = replay === null ? null : { name: replay.name, bars: replayedBars(replay, bars) }
    return indexLayers({ name: index.symbol, bars }, replayed ?? other, is_rebased)
  }, [read, beside, replay, is_rebased])
  const { own: candles, corrections } = read
  const marks = useMemo(
    () => indexMarks({ versions, corrections: corrections.map(({ level }) => level), candles }, window),
    [read, versions, window],
  )
  const shared = { layers, window, limits: limitsOf(span), whole: windowOf('all', span), onWindow: move }
  const captions = [index.name, index.simulated ? 'simulated' : '']
  return html`<${ChartTools} ...${shared} name=${index.symbol.toLowerCase()} captions=${captions.filter(Boolean)} canvas=${canvas} />
    <div class="plot-space">
      ${candles.length === 0 && html`<${Empty}>No levels in this range<//>`}
      <${LoadedView} load=${loadChart} what="the chart" ...${shared} marks=${marks}
        label="Levels over time. Arrow keys move the crosshair, plus and minus zoom, Shift with arrow keys moves the chart, 0 shows everything"
        onCanvas=${(made: HTMLCanvasElement) => {
          canvas.current = made
        }} />
    </div>
    <p class="chart-help quiet">Lines mark new versions, diamonds corrected levels and where impaired ones begin. Drag to zoom; Shift and drag to move.</p>
    <${CorrectionTable} corrections=${corrections} index_id=${index.index_id} />
    <${ChartTable} layers=${layers} window=${window} />`
}

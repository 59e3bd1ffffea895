import { useMemo, useRef, useState } from 'preact/hooks'
import type { Market } from '../../protocol/resources/market.ts'
import type { MarketPrice } from '../../protocol/resources/market-price.ts'
import { CANDLE_FIELDS, CANDLE_INTERVALS } from '../../vocabulary/market.ts'
import { ChartTable } from '../charts/chart-table.ts'
import { ChartTools } from '../charts/chart-tools.ts'
import { compareBars } from '../charts/compare-bars.ts'
import { fits, intervalFor } from '../charts/intervals.ts'
import { useChartWindow } from '../charts/use-chart-window.ts'
import { readWindow } from '../charts/window.ts'
import type { Api } from '../data/api-client.ts'
import { useCell, useLoaded } from '../data/hooks.ts'
import { millisOf, showDuration, showMinute } from '../data/instant-text.ts'
import { go, type Route, route } from '../data/route.ts'
import { html } from '../html.ts'
import { Choice } from '../parts/choice.ts'
import { Empty, ErrorNote, Loading } from '../parts/notes.ts'
import { LoadedView } from '../views/loaded-view.ts'
import { limitsOf, MARKET_RANGES, RANGE_DEFAULT, windowOfRange } from './chart-range.ts'
import { ComparedNote } from './compared-note.ts'
import { differenceMarks, type KnownBars, marketLayers } from './market-layers.ts'
import { firstObservedAt } from './reads.ts'
import { useMarketBars } from './use-market-bars.ts'

/** The chart's code loads when a market is first opened. */
const loadChart = () => import('../charts/series-chart.ts')

type SectionProps = {
  readonly api: Api
  readonly market: Market
  readonly price: MarketPrice | null
  readonly is_simulated: boolean
}

/** Prices and volumes of one outcome over time, as known now, at an instant, or at two of them. */
export function PriceSection({ market, ...rest }: SectionProps) {
  const shown = useCell(route)
  const outcome = market.outcomes.find(({ outcome_id }) => outcome_id === shown.outcome_id) ?? market.outcomes[0]
  return outcome === undefined ? null : html`<${OutcomePrices} market=${market} outcome=${outcome} ...${rest} />`
}

function OutcomePrices({
  api,
  market,
  outcome,
  price,
  is_simulated,
}: SectionProps & { outcome: Market['outcomes'][number] }) {
  const shown = useCell(route)
  const field = CANDLE_FIELDS.find((one) => one === shown.field) ?? 'mark'
  const [opened] = useState(() => Date.now())
  const { market_id } = market
  const { outcome_id } = outcome
  const first = useLoaded(
    shown.range === 'all' ? `first ${market_id} ${outcome_id} ${field} ${api.as_of}` : null,
    (signal) => firstObservedAt(api, market_id, { outcome_id, field }, signal),
  )
  const last = millisOf(price?.source_at ?? api.as_of ?? new Date(opened).toISOString()) / 1000
  const known = { last, first: first.data === null ? null : millisOf(first.data) / 1000 }
  const settled = windowOfRange(shown.range, known)
  const compared = comparedOf(shown)
  const interval = intervalFor(shown.candles, settled)
  const read = useMarketBars(api, { market_id, outcome_id, field, interval, window: settled, compared })
  const name = `${market_id}-${outcome.label}-${field}-${interval}`.replaceAll(/[^\w.-]+/g, '_')
  return html`<section aria-labelledby="price-title">
    <div class="section-head">
      <h2 id="price-title">${outcome.label}: ${field.replaceAll('_', ' ')}, candles of ${showDuration(interval)}</h2>
      <${Controls} market=${market} outcome_id=${outcome_id} field=${field} shown=${shown} settled=${settled} interval=${interval} />
    </div>
    <${ComparedNote} shown=${shown} compared=${compared} read=${read.data} />
    ${read.state === 'failed' && html`<${ErrorNote} error=${read.error} what="Candles" />`}
    ${read.state === 'loading' && html`<div class="plot-space"><${Loading} what="candles" /></div>`}
    ${
      read.state === 'ready' &&
      html`<${Drawn} bars=${read.data} known=${known} settled=${settled} shown=${shown} field=${field} compared=${compared} is_reading=${read.is_reading} name=${name}
        captions=${[`${market.title}: ${outcome.label}`, captionOf(api, compared, is_simulated)]} />`
    }
  </section>`
}

type ControlsProps = {
  readonly market: Market
  readonly outcome_id: string
  readonly field: string
  readonly shown: Route
  readonly settled: { readonly from: number; readonly to: number }
  readonly interval: string
}

function Controls({ market, outcome_id, field, shown, settled, interval }: ControlsProps) {
  const outcomes = market.outcomes.map((one) => [one.outcome_id, one.label] as const)
  const range = readWindow(shown.range) === null ? (shown.range ?? RANGE_DEFAULT) : ''
  const intervals = CANDLE_INTERVALS.filter((one) => fits(one, settled)).map((one) => [one, showDuration(one)] as const)
  const fields = CANDLE_FIELDS.map((one) => [one, one.replaceAll('_', ' ')] as const)
  return html`<${Choice} legend="Range" name="range" value=${range} options=${MARKET_RANGES} onChoose=${(value: string) => go({ range: value, candles: null }, true)} />
    <${Choice} legend="Candles" name="candles" value=${interval} options=${intervals} onChoose=${(value: string) => go({ candles: value }, true)} />
    ${selectOf('Outcome', outcomes, outcome_id, (value) => go({ outcome_id: value }, true))}
    ${selectOf('Field', fields, field, (value) => go({ field: value }, true))}`
}

function selectOf(
  label: string,
  options: readonly (readonly [value: string, label: string])[],
  value: string,
  choose: (value: string) => void,
) {
  return html`<select class="chart-select" aria-label=${label} value=${value} onChange=${(event: Event) => choose((event.target as HTMLSelectElement).value)}>
    ${options.map(([option, text]) => html`<option key=${option} value=${option} selected=${option === value}>${text}</option>`)}
  </select>`
}

type Window = { readonly from: number; readonly to: number }
type DrawnProps = {
  readonly bars: KnownBars
  readonly known: { readonly last: number; readonly first: number | null }
  readonly settled: Window
  readonly shown: Route
  readonly field: string
  readonly compared: Compared
  readonly is_reading: boolean
  readonly name: string
  readonly captions: readonly string[]
}

function Drawn({ bars, known, settled, shown, field, compared, is_reading, name, captions }: DrawnProps) {
  const canvas = useRef<HTMLCanvasElement | null>(null)
  const [window, move] = useChartWindow(shown.range, settled)
  const [from, to] = [compared?.from ?? null, compared?.to ?? null]
  const layers = useMemo(() => marketLayers(bars, { field, from, to }), [bars, field, from, to])
  const marks = useMemo(
    () => differenceMarks(bars.earlier === null ? [] : compareBars(bars.earlier, bars.bars)),
    [bars],
  )
  const limits = limitsOf(settled, known)
  const whole = windowOfRange(RANGE_DEFAULT, known)
  const shared = { layers, window, limits, whole, onWindow: move }
  const nothing = bars.bars.length === 0 && (bars.earlier?.length ?? 0) === 0
  return html`<${ChartTools} ...${shared} name=${name} captions=${captions} canvas=${canvas} />
    <div class="plot-space" aria-busy=${String(is_reading)}>
      ${nothing && !is_reading && html`<${Empty}>No ${field.replaceAll('_', ' ')} in this range<//>`}
      <${LoadedView} load=${loadChart} what="the chart" ...${shared} marks=${marks}
        label="Candles over time. Arrow keys move the crosshair, plus and minus zoom, Shift with arrow keys moves the chart, 0 shows the whole week"
        onCanvas=${(made: HTMLCanvasElement) => {
          canvas.current = made
        }} />
    </div>
    <p class="chart-help quiet">Hollow candles rise, filled ones fall. Drag to zoom; Shift and drag to move; click the chart for the wheel and the keys (← → + − 0).${is_reading && html` <b role="status">Loading …</b>`}</p>
    <${ChartTable} layers=${layers} window=${window} />`
}

type Compared = { readonly from: string; readonly to: string } | null

/** Returns the two instants of knowledge of the address; null: nothing is compared. */
function comparedOf({ from, to, as_of }: Route): Compared {
  const end = to ?? as_of
  return from === null || end === null ? null : { from, to: end }
}

function captionOf(api: Api, compared: Compared, is_simulated: boolean): string {
  const known =
    compared !== null
      ? `known ${showMinute(compared.from)} (dashed) and ${showMinute(compared.to)} UTC`
      : api.as_of === null
        ? 'as known when saved'
        : `as of ${showMinute(api.as_of)} UTC`
  return `${known}. Times are UTC.${is_simulated ? ' SIMULATED DATA.' : ''}`
}

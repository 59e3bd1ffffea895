import type { Candle } from '../../protocol/resources/candle.ts'
import type { Constituent } from '../../protocol/resources/constituent.ts'
import type { Index } from '../../protocol/resources/index-resource.ts'
import type { IndexVersion } from '../../protocol/resources/index-version.ts'
import type { Market } from '../../protocol/resources/market.ts'
import type { Notice } from '../../protocol/resources/notice.ts'
import type { Api } from '../data/api-client.ts'
import { groupDigits, pixelNumber, trimZeros } from '../data/decimal-text.ts'
import { useCell, useLoaded } from '../data/hooks.ts'
import { instantOf, millisOf, showDuration, showMinute } from '../data/instant-text.ts'
import { outcomeLabel } from '../data/outcome-label.ts'
import { getIndex, listCandles, listConstituents, listVersions } from '../data/reads.ts'
import { linkTo, route } from '../data/route.ts'
import { html } from '../html.ts'
import { Facts } from '../parts/facts.ts'
import { InventedMark } from '../parts/invented-mark.ts'
import { Empty, ErrorNote, Loading } from '../parts/notes.ts'
import { type Column, RecordTable } from '../parts/record-table.ts'
import { Sparkline } from '../parts/sparkline.ts'
import { legRows, listLegMarkets } from './factsheet-legs.ts'
import { listIndexNotices } from './reads.ts'

const DAY_MS = 86_400_000
/** Days of the history. */
const DAYS = 90

type Sheet = {
  readonly index: Index
  readonly version: IndexVersion | null
  readonly versions: readonly IndexVersion[]
  readonly constituents: readonly Constituent[]
  readonly markets: readonly Market[]
  readonly days: readonly Candle[]
  readonly notices: readonly Notice[]
}

/** Factsheet of an index, made for print: rule, constituents, daily levels with their states, versions and notices. */
export default function FactsheetPage({ api, index_id }: { api: Api; index_id: string }) {
  const shown = useCell(route)
  const read = useLoaded(`factsheet ${index_id} ${api.as_of}`, (signal) => readSheet(api, index_id, signal))
  const place = html`<p class="kind"><a href=${linkTo(shown, {})}>Indexes</a> / <a href=${linkTo(shown, { index_id })}>${index_id}</a> / factsheet</p>`
  if (read.state === 'failed')
    return html`${place}<h1>Factsheet</h1><${ErrorNote} error=${read.error} what="Factsheet" />`
  if (read.state === 'loading') return html`<${Loading} what="factsheet" />`
  return html`${place}<${SheetView} sheet=${read.data} />`
}

async function readSheet(api: Api, index_id: string, signal: AbortSignal): Promise<Sheet> {
  const [index, versions, notices, markets] = await Promise.all([
    getIndex(api, index_id, signal),
    listVersions(api, index_id, signal),
    listIndexNotices(api, index_id, signal),
    listLegMarkets(api, index_id, signal),
  ])
  const version = versions.find((one) => one.index_version_id === index.active_version_id) ?? versions.at(-1) ?? null
  const [constituents, days] = await Promise.all([
    version === null ? [] : listConstituents(api, index_id, version.index_version_id, signal),
    listCandles(api, index_id, lastDays(api), signal),
  ])
  return { index, version, versions, constituents, markets, days, notices }
}

/** The last days before the instant that the page shows, whole ones in UTC. */
function lastDays({ as_of }: Api) {
  const end = (Math.floor((as_of === null ? Date.now() : millisOf(as_of)) / DAY_MS) + 1) * DAY_MS
  return { interval: 'P1D', start_time: instantOf(end - DAYS * DAY_MS), end_time: instantOf(end) }
}

function SheetView({ sheet: { index, version, versions, constituents, markets, days, notices } }: { sheet: Sheet }) {
  const ending = endingOf(index)
  const points = days.map(({ bucket_start, close }) => ({ x: millisOf(bucket_start), y: pixelNumber(close) }))
  return html`<article class="factsheet">
    <div class="section-head"><h1>${index.name}<${InventedMark} simulated=${index.simulated} /></h1>
      <button type="button" onClick=${() => window.print()}>Print</button></div>
    ${index.description !== null && html`<p>${index.description}</p>`}
    ${ending !== null && html`<div class="note-box"><p>${ending}</p></div>`}
    <${Facts} facts=${indexFacts(index)} />
    ${points.length > 1 && html`<p><${Sparkline} points=${points} label=${`Closing levels of ${days.length} days`} /></p>`}
    ${version === null ? html`<${Empty}>No version is published<//>` : html`<h2>Rule</h2><${Facts} facts=${versionFacts(version)} />`}
    <${RecordTable} id="sheet-constituents" title="Constituents" columns=${CONSTITUENTS} rows=${constituents.map((one) => constituentRow(one, markets))} empty="No constituents" />
    <${RecordTable} id="sheet-legs" title="Legs" columns=${LEGS} rows=${legRows(constituents, markets)} empty="No legs" />
    <${RecordTable} id="sheet-days" title=${`Levels of the last ${DAYS} days`} columns=${LEVELS} rows=${days.toReversed().map(dayRow)} empty=${noLevels(index)} />
    <${RecordTable} id="sheet-versions" title="Versions" columns=${VERSIONS} rows=${versions.toReversed().map(versionRow)} empty="No versions" />
    <${RecordTable} id="sheet-notices" title="Notices" columns=${NOTICES} rows=${notices.toReversed().map(noticeRow)} empty="No notices" />
    <p class="quiet">A missing value is never zero. Past levels say nothing about later ones. Instants are UTC.</p>
  </article>`
}

function indexFacts(index: Index) {
  const { latest = null } = index
  const known = latest === null || latest.level === null ? null : latest
  return [
    [
      'Level',
      known === null
        ? null
        : html`<b>${groupDigits(known.level!)}</b> at ${showMinute(known.tick_at)} UTC, ${known.quality_state}`,
    ],
    ['Status', index.status],
    ['Symbol', index.symbol],
    ['Unit', index.unit.replaceAll('_', ' ')],
    ['Base', `${groupDigits(index.base_value)} at ${showMinute(index.base_date)} UTC`],
    ['Id', html`<code class="hash">${index.index_id}</code>`],
  ] as const
}

/** Returns why an index has no new levels, and since when; null: it is active and its latest level is a level. */
function endingOf({ status, updated_at, latest = null }: Index): string | null {
  if (status === 'suspended' || status === 'archived')
    return `The index is ${status} since ${showMinute(updated_at)} UTC. No levels are published.`
  if (latest?.quality_state !== 'suspended') return null
  return `The level is suspended since ${showMinute(latest.tick_at)} UTC: too few inputs are known.`
}

function noLevels({ latest = null }: Index): string {
  if (latest === null) return 'No level is published yet'
  const { tick_at, level } = latest
  return `No level in these ${DAYS} days; the latest record is of ${showMinute(tick_at)} UTC, ${level === null ? 'without a level' : groupDigits(level)}`
}

function versionFacts(one: IndexVersion) {
  return [
    ['Version', one.version],
    ['In effect from', `${showMinute(one.effective_from)} UTC`],
    ['Methodology', html`<code>${one.methodology_id}</code> ${one.methodology_version}`],
    ['Mode', String(one.mode).replace('_', '-')],
    ['Calculated every', showDuration(one.calculation_frequency)],
    ['Rebalance rule', one.rebalance_rule],
    ['Minimum coverage', trimZeros(one.minimum_coverage_ratio)],
    ['Approved by', one.approved_by],
    ['Governance', one.governance],
  ] as const
}

const CONSTITUENTS: readonly Column[] = [
  ['Market', 'head'],
  ['Outcome'],
  ['Reads'],
  ['Venue'],
  ['Weight', 'number'],
  ['Cap', 'number'],
  ['Eligibility'],
]
const LEGS: readonly Column[] = [
  ['Market', 'head'],
  ['Outcome'],
  ['Constituent'],
  ['Venue'],
  ['Pool weight', 'number'],
  ['Rating'],
  ['Status'],
]
const LEVELS: readonly Column[] = [
  ['Day, UTC', 'head'],
  ['Open', 'number'],
  ['High', 'number'],
  ['Low', 'number'],
  ['Close', 'number'],
  ['Quality', 'text'],
]
const VERSIONS: readonly Column[] = [
  ['Version', 'head'],
  ['From, UTC', 'instant'],
  ['To, UTC', 'instant'],
  ['Changes', 'text'],
]
const NOTICES: readonly Column[] = [
  ['Notice', 'head'],
  ['Kind'],
  ['From, UTC', 'instant'],
  ['To, UTC', 'instant'],
  ['Published, UTC', 'instant'],
]

/** Names of the normalizations, as what a constituent reads of its outcome. */
const READS: Readonly<Record<string, string>> = {
  probability_0_1: 'probability',
  inverse: '1 − probability',
  logodds_pool: 'pool of log-odds',
  multi_outcome_sum_to_one: 'share of all outcomes',
  constant_maturity: 'constant maturity',
}

/** Returns a row for a constituent: what it reads, and with which weight. */
function constituentRow(one: Constituent, markets: readonly Market[]) {
  const { constituent_id, market, venue, market_mapping, target_weight, weight_cap, eligibility_status, legs } = one
  const none = html`<span class="none">none</span>`
  const known = market ?? markets.find(({ market_id }) => market_id === one.market_id)
  const outcome = known && one.outcome_id !== null ? outcomeLabel(known, one.outcome_id) : (one.outcome_id ?? none)
  const place = legs.length > 1 ? 'several' : (venue?.name ?? market_mapping?.venue_id ?? none)
  const cap = weight_cap === null ? none : trimZeros(weight_cap)
  const reads = READS[one.normalization] ?? one.normalization
  const cells = [known?.title ?? constituent_id, outcome, reads, place, trimZeros(target_weight), cap]
  return { key: constituent_id, cells: [...cells, eligibility_status ?? none] }
}

function dayRow({ bucket_start, open, high, low, close, quality_states }: Candle) {
  const levels = [open, high, low, close].map(groupDigits)
  return { key: bucket_start, cells: [bucket_start.slice(0, 10), ...levels, quality_states.join(', ')] }
}

function versionRow({ index_version_id, version, effective_from, effective_to, change_summary }: IndexVersion) {
  const end = effective_to === null ? html`<span class="none">open</span>` : showMinute(effective_to)
  return { key: index_version_id, cells: [version, showMinute(effective_from), end, change_summary.join('; ')] }
}

function noticeRow({ notice_id, title, kind, starts_at, effective_at, ends_at, published_at }: Notice) {
  const [from, to] = [starts_at ?? effective_at, ends_at].map((at) =>
    at === null || at === undefined ? html`<span class="none">none</span>` : showMinute(at),
  )
  return { key: notice_id, cells: [title, kind.replaceAll('_', ' '), from, to, showMinute(published_at)] }
}

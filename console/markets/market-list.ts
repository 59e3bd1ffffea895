import { useRef } from 'preact/hooks'
import type { Market } from '../../protocol/resources/market.ts'
import type { Answer, Api } from '../data/api-client.ts'
import { groupDigits, pixelNumber, trimZeros } from '../data/decimal-text.ts'
import { type Loaded, useCell, useLoaded, useNow } from '../data/hooks.ts'
import { millisOf, showAge, showMinute } from '../data/instant-text.ts'
import { gaps } from '../data/live.ts'
import { go, linkTo, route } from '../data/route.ts'
import { html } from '../html.ts'
import { Change } from '../parts/change.ts'
import { InventedMark } from '../parts/invented-mark.ts'
import { Empty, ErrorNote, Loading } from '../parts/notes.ts'
import { QualityBadge } from '../parts/quality-badge.ts'
import { Sparkline } from '../parts/sparkline.ts'
import { type Column, TableHead } from '../parts/table-head.ts'
import { ListFilters } from './list-filters.ts'
import { choiceOf, listQuery, nextRow } from './list-query.ts'
import { listMarkets } from './reads.ts'

/** Interval between reads of the list while it shows the present, in milliseconds. */
const AGAIN_MS = 60_000

/** Markets with price, change and rating: a page of the list is one request. */
export function MarketList({ api }: { api: Api }) {
  const shown = useCell(route)
  const missed = useCell(gaps)
  const now = useNow(AGAIN_MS)
  const query = listQuery(choiceOf(shown), shown.cursor)
  const again = api.as_of === null ? `${missed} ${now}` : 0
  const read = useLoaded(
    `markets ${JSON.stringify(query)} ${api.as_of}`,
    (signal) => listMarkets(api, query, signal),
    again,
  )
  return html`<h1>Markets</h1>
    <${ListFilters} markets=${read.data?.data ?? NONE} />
    ${contentOf(api, read)}`
}

const COLUMNS: readonly Column[] = [
  ['Market'],
  ['Mark', 'number'],
  ['Change, 24 h', 'number'],
  ['24 hours'],
  ['Rating'],
  ["Volume, 24 h, venue's unit", 'number'],
  ['Closes, UTC'],
]

const NONE: readonly Market[] = []
/** Length of the date of an instant. */
const DATE_LENGTH = 10

function contentOf(api: Api, read: Loaded<Answer<readonly Market[]>>) {
  if (read.state === 'failed') return html`<${ErrorNote} error=${read.error} what="Markets" />`
  if (read.state === 'loading') return html`<${Loading} what="markets" />`
  const { data, page, meta } = read.data
  const { cursor } = route.get()
  const next = page?.next_cursor ?? null
  return html`${data.length === 0 ? html`<${Empty}>No markets match<//>` : html`<${Rows} markets=${data} />`}
    <nav class="pages" aria-label="Pages of the list">
      ${cursor !== null && html`<button type="button" onClick=${() => go({ cursor: null })}>First page</button>`}
      ${next !== null && html`<button type="button" onClick=${() => go({ cursor: next })}>Next page</button>`}
      <span class="quiet">${data.length} markets${cursor === null ? '' : ' of a later page'}, read ${showMinute(meta.published_at.replace(/\.\d+Z$/, 'Z'))} UTC${api.as_of === null && meta.stale === true && html` <${QualityBadge} state="stale" meaning="The service lags behind its data" />`}</span>
    </nav>`
}

function Rows({ markets }: { markets: readonly Market[] }) {
  const body = useRef<HTMLTableSectionElement>(null)
  const onKeyDown = (event: KeyboardEvent) => {
    const links = [...(body.current?.querySelectorAll<HTMLAnchorElement>('th a') ?? [])]
    const next = nextRow(event.key, links.indexOf(document.activeElement as HTMLAnchorElement), links.length)
    if (next === null || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    links[next]!.focus()
  }
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Markets">
    <table class="indexes market-list">
      <${TableHead} columns=${COLUMNS} />
      <tbody ref=${body} onKeyDown=${onKeyDown}>${markets.map((market) => html`<${MarketRow} key=${market.market_id} market=${market} />`)}</tbody>
    </table>
  </div>`
}

function MarketRow({ market }: { market: Market }) {
  const { market_id, title, status, category, venue_mapping, metrics, schedule, rating } = market
  const shown = useCell(route)
  const volume = metrics?.volume_24h ?? null
  const closes_at = schedule?.closes_at ?? null
  return html`<tr>
    <th scope="row" class="text">
      <a href=${linkTo(shown, { market_id })}>${title}</a><${InventedMark} simulated=${market.simulated} />
      <span class="symbol">${[venue_mapping?.venue_id, category].filter(Boolean).join(' · ')}${status !== 'open' && html` <span class="tag">${status ?? 'status unknown'}</span>`}</span>
    </th>
    <${PriceCells} market=${market} />
    <td><span class="band" title="Rating of this market as a source of prices">${rating?.band ?? '–'}</span></td>
    <td class="number">${volume === null ? unknown() : groupDigits(trimZeros(volume))}</td>
    <td class="instant">${closes_at === null ? unknown() : html`<time datetime=${closes_at} title=${`${showMinute(closes_at)} UTC`}>${closes_at.slice(0, DATE_LENGTH)}</time>`}</td>
  </tr>`
}

function PriceCells({ market }: { market: Market }) {
  const { title, outcomes, price, price_error, day } = market
  const now = useNow()
  const first = outcomes[0]
  const priced = price?.outcomes.find(({ outcome_id }) => outcome_id === first?.outcome_id)
  const mark = priced?.mark ?? null
  if (price == null || priced === undefined)
    return html`<td class="none" colspan="3" title=${price_error?.message ?? ''}>${price_error?.code === 'SOURCE_NOT_PUBLIC' ? 'prices not public' : 'no quotes yet'}</td>`
  const points =
    day?.closes.map(({ bucket_start, close }) => ({ x: millisOf(bucket_start), y: pixelNumber(close) })) ?? []
  const age = route.get().as_of === null ? showAge(now - millisOf(price.source_at)) : showMinute(price.source_at)
  return html`<td class="number level">${mark === null ? unknown() : html`<b>${trimZeros(mark)}</b>`}
      <span class="age quiet">${first?.label} · ${age}${price.quality_state !== 'valid' && html` <${QualityBadge} state=${price.quality_state} />`}</span></td>
    <td class="number"><${Change} from=${day?.open == null ? null : trimZeros(day.open)} to=${mark === null ? null : trimZeros(mark)} since=${day?.start_time ?? ''} /></td>
    <td><${Sparkline} points=${points} label=${`${title}, last 24 hours`} /></td>`
}

function unknown() {
  return html`<span class="none" title="Not known">–</span>`
}

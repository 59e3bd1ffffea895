import { formatMicros, MICROS_PER_DAY, type Micros } from '../../../primitives/instants.ts'
import { HOUR } from '../../world/hour-bars.ts'
import type { BookMarket, Stage } from '../../world/market-state.ts'
import type { WorldOptions } from '../../world/options.ts'
import type { World } from '../../world/timeline.ts'
import { parseRequest, type Request, wholeNumber, withQuery } from '../request.ts'
import { answer, notFound, type WireResponse } from '../venue-wire.ts'
import { type WireValue, wireJson } from '../wire-json.ts'
import { candlesBody } from './candles.ts'
import type { KalshiEndpointName } from './endpoint.ts'
import { kalshiEvent, kalshiMarket, kalshiSeries } from './market.ts'
import type { MarketNames } from './names.ts'
import { orderBookBody } from './touch.ts'
import { isListed, kalshiTrade } from './trade.ts'

/** A venue at an instant, with its names. */
export type KalshiView = {
  readonly world: World<BookMarket>
  readonly names: readonly MarketNames[]
  readonly now: Micros
  /** Older data is below `/historical` alone. */
  readonly cutoff: Micros
}

/** Words of the list's filter, which differ from those of the field. */
const FILTERS: Readonly<Record<string, readonly Stage[]>> = {
  unopened: ['announced'],
  open: ['open'],
  closed: ['closed', 'proposed', 'disputed'],
  settled: ['final'],
}

/** Answers a request like the trade API v2; the path is below `/trade-api/v2`. */
export function respondKalshi(view: KalshiView, request: string): WireResponse {
  const asked = parseRequest(request)
  const [first, second, third, fourth, fifth] = asked.path
  if (first === 'events' && second === undefined) return events(view, request, asked)
  if (first === 'events') return event(view, second!)
  if (first === 'markets' && second === 'trades') return trades(view, request, asked)
  if (first === 'markets' && third === 'orderbook') return orderBook(view, second!)
  if (first === 'markets' && second !== undefined) return market(view, second, 'live')
  if (first === 'markets') return markets(view, request, asked)
  if (first === 'series' && third === 'markets' && fifth === 'candlesticks') return candles(view, fourth!, asked)
  if (first === 'series' && second !== undefined) return series(view, second)
  if (first === 'historical') return historical(view, request, asked)
  return notFound(`GET /${asked.path.join('/')}`, 'not found')
}

/** Answers requests for the cutoff and for data older than it. */
function historical(view: KalshiView, request: string, asked: Request): WireResponse {
  const [, second, third, fourth] = asked.path
  if (second === 'cutoff') return cutoff(view)
  if (second === 'trades') return trades(view, request, asked, 'historical')
  if (second === 'markets' && fourth === 'candlesticks') return historicalCandles(view, third!, asked)
  if (second === 'markets' && third !== undefined) return market(view, third, 'historical')
  if (second === 'markets') return historicalMarkets(view, request, asked)
  return notFound(`GET /${asked.path.join('/')}`, 'not found')
}

type Tier = 'live' | 'historical'

/** Returns the tier of a market: one paid before the cutoff has left the live tier. */
function tierOf({ cutoff: cutoff_at }: KalshiView, { stage, stage_at }: BookMarket): Tier {
  return stage === 'final' && stage_at < cutoff_at ? 'historical' : 'live'
}

function historicalMarkets(view: KalshiView, request: string, { query }: Request): WireResponse {
  const wanted = view.world.markets.filter((one) => tierOf(view, one) === 'historical')
  const page = { endpoint: 'GET /historical/markets', field: 'markets', request, query, limit_max: 1_000 } as const
  return cursorPage(page, wanted, (one) => objectOf(view.world, view.names, one))
}

function markets(view: KalshiView, request: string, { query }: Request): WireResponse {
  const { world, names } = view
  const tickers = query.get('tickers')?.split(',') ?? null
  const event_ticker = query.get('event_ticker')
  const stages = FILTERS[query.get('status') ?? ''] ?? null
  const wanted = world.markets.filter((one) => {
    const { plan, stage } = one
    if (tierOf(view, one) !== 'live') return false
    const own = names[plan.ordinal]!
    const named = tickers === null || tickers.includes(own.ticker)
    return named && (event_ticker ?? own.event_ticker) === own.event_ticker && (stages?.includes(stage) ?? true)
  })
  return cursorPage({ endpoint: 'GET /markets', field: 'markets', request, query, limit_max: 1_000 }, wanted, (one) =>
    objectOf(world, names, one),
  )
}

function market(view: KalshiView, ticker: string, tier: Tier): WireResponse {
  const endpoint: KalshiEndpointName = tier === 'live' ? 'GET /markets/{ticker}' : 'GET /historical/markets/{ticker}'
  const found = find(view, ticker)
  if (found === null || tierOf(view, found) !== tier) return notFound(endpoint, 'market not found')
  return answer(endpoint, wireJson({ market: objectOf(view.world, view.names, found) }))
}

function objectOf(world: World<BookMarket>, names: readonly MarketNames[], one: BookMarket): WireValue {
  return kalshiMarket(one, world.plan.events[one.plan.event]!, names[one.plan.ordinal]!)
}

function events({ world, names }: KalshiView, request: string, { query }: Request): WireResponse {
  const page = { endpoint: 'GET /events', field: 'events', request, query, limit_max: 200 } as const
  return cursorPage(page, world.plan.events, (event) => kalshiEvent(event, names[event.markets[0]!.ordinal]!))
}

function event({ world, names }: KalshiView, event_ticker: string): WireResponse {
  const endpoint: KalshiEndpointName = 'GET /events/{event_ticker}'
  const plan = world.plan.events.find(({ markets: own }) => names[own[0]!.ordinal]!.event_ticker === event_ticker)
  if (plan === undefined) return notFound(endpoint, 'event not found')
  return answer(endpoint, wireJson({ event: kalshiEvent(plan, names[plan.markets[0]!.ordinal]!), markets: [] }))
}

function series({ world, names }: KalshiView, series_ticker: string): WireResponse {
  const endpoint: KalshiEndpointName = 'GET /series/{series_ticker}'
  const ordinal = names.findIndex((one) => one.series_ticker === series_ticker)
  const plan = world.plan.markets[ordinal]
  if (plan === undefined) return notFound(endpoint, 'series not found')
  return answer(endpoint, wireJson({ series: kalshiSeries(world.plan.events[plan.event]!, names[ordinal]!) }))
}

function orderBook(view: KalshiView, ticker: string): WireResponse {
  const endpoint: KalshiEndpointName = 'GET /markets/{ticker}/orderbook'
  const found = find(view, ticker)
  return found === null ? notFound(endpoint, 'market not found') : answer(endpoint, orderBookBody(found))
}

/** Returns trades of a tier from `min_ts` up to `max_ts` (seconds), newest first, as far as the tape reaches. */
function trades(view: KalshiView, request: string, { query }: Request, tier: Tier = 'live'): WireResponse {
  const { world, names, now, cutoff: cutoff_at } = view
  const from = wholeNumber(query, 'min_ts', 0, Number.MAX_SAFE_INTEGER, 0) * 1_000_000
  const to = wholeNumber(query, 'max_ts', 0, 9_000_000_000, 9_000_000_000) * 1_000_000
  const ticker = query.get('ticker')
  const wanted = world.markets
    .filter(({ plan }) => ticker === null || names[plan.ordinal]!.ticker === ticker)
    .flatMap(({ tape }) => tape.filter((trade) => isListed(trade, now) && trade.at >= from && trade.at < to))
    .filter(({ at }) => at < cutoff_at === (tier === 'historical'))
    .sort((a, b) => b.at - a.at || b.market - a.market || b.number - a.number)
  const endpoint: KalshiEndpointName = tier === 'live' ? 'GET /markets/trades' : 'GET /historical/trades'
  const page = { endpoint, field: 'trades', request, query, limit_max: 1_000 } as const
  return cursorPage(page, wanted, (trade) => kalshiTrade(trade, names[trade.market]!))
}

function candles(view: KalshiView, ticker: string, { query }: Request): WireResponse {
  const endpoint: KalshiEndpointName = 'GET /series/{series_ticker}/markets/{ticker}/candlesticks'
  const found = find(view, ticker)
  if (found === null || tierOf(view, found) !== 'live') return notFound(endpoint, 'market not found')
  return answer(endpoint, candlesBody(found, view.names[found.plan.ordinal]!, periodOf(query), view.now))
}

function historicalCandles(view: KalshiView, ticker: string, { query }: Request): WireResponse {
  const endpoint: KalshiEndpointName = 'GET /historical/markets/{ticker}/candlesticks'
  const found = find(view, ticker)
  if (found === null || tierOf(view, found) !== 'historical') return notFound(endpoint, 'market not found')
  const names = view.names[found.plan.ordinal]!
  return answer(endpoint, candlesBody(found, names, periodOf(query), view.now, 'plain'))
}

function periodOf(query: URLSearchParams) {
  return {
    from: wholeNumber(query, 'start_ts', 0, Number.MAX_SAFE_INTEGER, 0),
    to: wholeNumber(query, 'end_ts', 0, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
  }
}

/**
 * Returns the start of the live tier: this long before now, in whole hours, so that it moves; or so long before the world's
 * start that nothing is older.
 */
export function cutoffAt({ start }: WorldOptions, historical_after: Micros | undefined, now: Micros): Micros {
  if (historical_after === undefined) return start - 90 * MICROS_PER_DAY
  return Math.floor((now - historical_after) / HOUR) * HOUR
}

function cutoff({ cutoff: cutoff_at }: KalshiView): WireResponse {
  const at = formatMicros(cutoff_at)
  const body = wireJson({ market_settled_ts: at, trades_created_ts: at, orders_updated_ts: at })
  return answer('GET /historical/cutoff' satisfies KalshiEndpointName, body)
}

function find({ world, names }: Pick<KalshiView, 'world' | 'names'>, ticker: string): BookMarket | null {
  return world.markets[names.findIndex((one) => one.ticker === ticker)] ?? null
}

type Page = {
  readonly endpoint: KalshiEndpointName
  readonly field: 'markets' | 'events' | 'trades'
  readonly request: string
  readonly query: URLSearchParams
  readonly limit_max: number
}

/** Returns one page by cursor: an opaque text, empty on the last page. */
function cursorPage<T>(page: Page, items: readonly T[], objectOfItem: (item: T) => WireValue): WireResponse {
  const limit = wholeNumber(page.query, 'limit', 1, page.limit_max, 100)
  const from = offsetOf(page.query.get('cursor'))
  const rest = items.length > from + limit
  const cursor = rest ? Buffer.from(`place:${from + limit}`).toString('base64url') : ''
  const body: Record<string, WireValue> = { cursor, [page.field]: items.slice(from, from + limit).map(objectOfItem) }
  if (page.field === 'events') body.milestones = []
  return answer(page.endpoint, wireJson(body), rest ? withQuery(page.request, { cursor }) : null)
}

function offsetOf(cursor: string | null): number {
  const offset = /^place:(\d{1,9})$/.exec(Buffer.from(cursor ?? '', 'base64url').toString('utf8'))?.[1]
  return offset === undefined ? 0 : Number(offset)
}

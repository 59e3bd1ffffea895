import { formatMicros, MICROS_PER_DAY, type Micros } from '../../../primitives/instants.ts'
import type { BookMarket, Stage } from '../../world/market-state.ts'
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
}

/** Words of the list's filter, which are not those of the field. */
const FILTERS: Readonly<Record<string, readonly Stage[]>> = {
  unopened: ['announced'],
  open: ['open'],
  closed: ['closed', 'proposed', 'disputed'],
  settled: ['final'],
}

/** Answers a request as the trade API v2 would; the path is below `/trade-api/v2`. */
export function respondKalshi(view: KalshiView, request: string): WireResponse {
  const asked = parseRequest(request)
  const [first, second, third, fourth, fifth] = asked.path
  if (first === 'events' && second === undefined) return events(view, request, asked)
  if (first === 'markets' && second === 'trades') return trades(view, request, asked)
  if (first === 'markets' && third === 'orderbook') return orderBook(view, second!)
  if (first === 'markets' && second !== undefined) return market(view, second)
  if (first === 'markets') return markets(view, request, asked)
  if (first === 'series' && third === 'markets' && fifth === 'candlesticks') return candles(view, fourth!, asked)
  if (first === 'series' && second !== undefined) return series(view, second)
  if (first === 'historical' && second === 'cutoff') return cutoff(view)
  return notFound(`GET /${asked.path.join('/')}`, 'not found')
}

function markets({ world, names }: KalshiView, request: string, { query }: Request): WireResponse {
  const tickers = query.get('tickers')?.split(',') ?? null
  const event_ticker = query.get('event_ticker')
  const stages = FILTERS[query.get('status') ?? ''] ?? null
  const wanted = world.markets.filter(({ plan, stage }) => {
    const own = names[plan.ordinal]!
    const named = tickers === null || tickers.includes(own.ticker)
    return named && (event_ticker ?? own.event_ticker) === own.event_ticker && (stages?.includes(stage) ?? true)
  })
  return cursorPage({ endpoint: 'GET /markets', field: 'markets', request, query, limit_max: 1_000 }, wanted, (one) =>
    objectOf(world, names, one),
  )
}

function market({ world, names }: KalshiView, ticker: string): WireResponse {
  const endpoint: KalshiEndpointName = 'GET /markets/{ticker}'
  const found = find({ world, names }, ticker)
  if (found === null) return notFound(endpoint, 'market not found')
  return answer(endpoint, wireJson({ market: objectOf(world, names, found) }))
}

function objectOf(world: World<BookMarket>, names: readonly MarketNames[], one: BookMarket): WireValue {
  return kalshiMarket(one, world.plan.events[one.plan.event]!, names[one.plan.ordinal]!)
}

function events({ world, names }: KalshiView, request: string, { query }: Request): WireResponse {
  const page = { endpoint: 'GET /events', field: 'events', request, query, limit_max: 200 } as const
  return cursorPage(page, world.plan.events, (event) => kalshiEvent(event, names[event.markets[0]!.ordinal]!))
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

/** Trades from `min_ts` up to `max_ts` (seconds), newest first; the tape remembers 90 minutes. */
function trades({ world, names, now }: KalshiView, request: string, { query }: Request): WireResponse {
  const from = wholeNumber(query, 'min_ts', 0, Number.MAX_SAFE_INTEGER, 0) * 1_000_000
  const to = wholeNumber(query, 'max_ts', 0, 9_000_000_000, 9_000_000_000) * 1_000_000
  const ticker = query.get('ticker')
  const wanted = world.markets
    .filter(({ plan }) => ticker === null || names[plan.ordinal]!.ticker === ticker)
    .flatMap(({ tape }) => tape.filter((trade) => isListed(trade, now) && trade.at >= from && trade.at < to))
    .sort((a, b) => b.at - a.at || b.market - a.market || b.number - a.number)
  const page = { endpoint: 'GET /markets/trades', field: 'trades', request, query, limit_max: 1_000 } as const
  return cursorPage(page, wanted, (trade) => kalshiTrade(trade, names[trade.market]!))
}

function candles(view: KalshiView, ticker: string, { query }: Request): WireResponse {
  const endpoint: KalshiEndpointName = 'GET /series/{series_ticker}/markets/{ticker}/candlesticks'
  const found = find(view, ticker)
  if (found === null) return notFound(endpoint, 'market not found')
  const from = wholeNumber(query, 'start_ts', 0, Number.MAX_SAFE_INTEGER, 0)
  const to = wholeNumber(query, 'end_ts', 0, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
  return answer(endpoint, candlesBody(found, view.names[found.plan.ordinal]!, from, to, view.now))
}

/** Nothing of a simulated world is old enough for the historical tier. */
function cutoff({ world }: KalshiView): WireResponse {
  const at = formatMicros(world.plan.options.start - 90 * MICROS_PER_DAY)
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

/** One page by cursor: an opaque text, empty on the last page. */
function cursorPage<T>(page: Page, items: readonly T[], objectOfItem: (item: T) => WireValue): WireResponse {
  const limit = wholeNumber(page.query, 'limit', 1, page.limit_max, 100)
  const from = placeOf(page.query.get('cursor'))
  const rest = items.length > from + limit
  const cursor = rest ? Buffer.from(`place:${from + limit}`).toString('base64url') : ''
  const body: Record<string, WireValue> = { cursor, [page.field]: items.slice(from, from + limit).map(objectOfItem) }
  if (page.field === 'events') body.milestones = []
  return answer(page.endpoint, wireJson(body), rest ? withQuery(page.request, { cursor }) : null)
}

function placeOf(cursor: string | null): number {
  const place = /^place:(\d{1,9})$/.exec(Buffer.from(cursor ?? '', 'base64url').toString('utf8'))?.[1]
  return place === undefined ? 0 : Number(place)
}

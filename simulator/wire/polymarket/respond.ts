import type { Micros } from '../../../primitives/instants.ts'
import { priceOfNo } from '../../world/grid.ts'
import type { BookMarket, Trade } from '../../world/market-state.ts'
import type { MarketPlan } from '../../world/plan.ts'
import type { World } from '../../world/timeline.ts'
import { plainPrice, plainSize } from '../decimal-text.ts'
import { mixedHex } from '../mixed-hex.ts'
import { parseRequest, type Request, wholeNumber, withQuery } from '../request.ts'
import { answer, notFound, type WireResponse } from '../venue-wire.ts'
import { jsonNumber, type WireValue, wireJson } from '../wire-json.ts'
import { bookBody } from './book.ts'
import { clobMarketBody } from './clob-market.ts'
import type { PolymarketEndpoint } from './endpoint.ts'
import { gammaEvent, gammaMarket } from './gamma.ts'
import { type MarketNames, OUTCOMES } from './names.ts'
import { pricesHistoryBody } from './prices-history.ts'

/** A venue at an instant, with its names. */
export type PolymarketView = {
  readonly world: World<BookMarket>
  readonly names: readonly MarketNames[]
  readonly now: Micros
}

const NO_BOOK = 'No orderbook exists for the requested token id'

/** Answers a request like Gamma, the CLOB or the Data API. */
export function respondPolymarket(view: PolymarketView, request: string): WireResponse {
  const asked = parseRequest(request)
  const [first, second] = asked.path
  if (first === 'markets' && second !== undefined) return clobMarket(view, second)
  if (first === 'markets') return gammaMarkets(view, request, asked)
  if (first === 'events') return gammaEvents(view, request, asked)
  if (first === 'book') return book(view, asked)
  if (first === 'trades') return trades(view, request, asked)
  if (first === 'prices-history') return pricesHistory(view, asked)
  return notFound(`GET /${asked.path.join('/')}`, 'not found')
}

function gammaMarkets({ world, names }: PolymarketView, request: string, { query }: Request): WireResponse {
  const objects = (market: BookMarket) => {
    const event = world.plan.events[market.plan.event]!
    const siblings = event.markets.map(({ ordinal }) => world.markets[ordinal]!)
    const own = names[market.plan.ordinal]!
    return { ...gammaMarket(market, own), events: [gammaEvent(event, own.event, siblings)] }
  }
  const ids = query.getAll('condition_ids')
  const wanted = world.markets.filter(({ plan }) => ids.length === 0 || ids.includes(names[plan.ordinal]!.condition_id))
  return offsetPage('GET /markets', request, query, wanted, objects)
}

function gammaEvents({ world, names }: PolymarketView, request: string, { query }: Request): WireResponse {
  return offsetPage('GET /events', request, query, world.plan.events, (event) => {
    const markets = event.markets.map(({ ordinal }) => world.markets[ordinal]!)
    const first = names[event.markets[0]!.ordinal]!
    const nested = markets.map((market) => gammaMarket(market, names[market.plan.ordinal]!))
    return { ...gammaEvent(event, first.event, markets), markets: nested }
  })
}

/** Returns one page by limit and offset: a bare list. */
function offsetPage<T>(
  endpoint: PolymarketEndpoint,
  request: string,
  query: URLSearchParams,
  items: readonly T[],
  objectOf: (item: T) => WireValue,
): WireResponse {
  const limit = wholeNumber(query, 'limit', 1, 500, 20)
  const offset = wholeNumber(query, 'offset', 0, 1_000_000, 0)
  const page = items.slice(offset, offset + limit)
  const next = page.length < limit ? null : withQuery(request, { offset: String(offset + limit) })
  return answer(endpoint, wireJson(page.map(objectOf)), next)
}

function clobMarket({ world, names }: PolymarketView, condition_id: string): WireResponse {
  const endpoint: PolymarketEndpoint = 'GET /markets/{condition_id}'
  const ordinal = names.findIndex((one) => one.condition_id === condition_id)
  const market = world.markets[ordinal]
  if (market === undefined) return notFound(endpoint, 'market not found')
  return answer(endpoint, clobMarketBody(market, names[ordinal]!))
}

function book(view: PolymarketView, { query }: Request): WireResponse {
  const endpoint: PolymarketEndpoint = 'GET /book'
  const found = findToken(view, query.get('token_id'))
  if (found === null || found.market.stage !== 'open') return notFound(endpoint, NO_BOOK)
  return answer(endpoint, bookBody(found.market, view.names[found.market.plan.ordinal]!, found.token))
}

function pricesHistory(view: PolymarketView, { query }: Request): WireResponse {
  const endpoint: PolymarketEndpoint = 'GET /prices-history'
  const found = findToken(view, query.get('market'))
  const from = wholeNumber(query, 'startTs', 0, Number.MAX_SAFE_INTEGER, 0)
  const to = wholeNumber(query, 'endTs', 0, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
  if (found === null) return answer(endpoint, '{"history":[]}')
  return answer(endpoint, pricesHistoryBody(found.market, found.token, from, to, view.now))
}

function findToken({ world, names }: PolymarketView, token_id: string | null) {
  const ordinal = names.findIndex(({ tokens }) => tokens.some((token) => token === token_id))
  const market = world.markets[ordinal]
  if (market === undefined) return null
  const token: 0 | 1 = names[ordinal]!.tokens[0] === token_id ? 0 : 1
  return { market, token }
}

/** Lists all trades of the tape, newest first; those of one market if it is named. */
function trades({ world, names, now }: PolymarketView, request: string, { query }: Request): WireResponse {
  const limit = wholeNumber(query, 'limit', 1, 500, 100)
  const offset = wholeNumber(query, 'offset', 0, 10_000, 0)
  const wanted = query.get('market')
  const listed = world.markets
    .filter(({ plan }) => wanted === null || names[plan.ordinal]!.condition_id === wanted)
    .flatMap(({ tape }) => tape.filter((trade) => isListed(trade, now)))
    .sort((a, b) => b.at - a.at || b.market - a.market || b.number - a.number)
  const page = listed.slice(offset, offset + limit)
  const has_more = listed.length > offset + limit
  const body = {
    data: page.map((trade) => dataTrade(trade, world.markets[trade.market]!.plan, names[trade.market]!)),
    pagination: { limit, offset, has_more, next_cursor: has_more ? String(offset + limit) : null },
  }
  const next = has_more ? withQuery(request, { offset: String(offset + limit) }) : null
  return answer('GET /trades' satisfies PolymarketEndpoint, wireJson(body), next)
}

/**
 * Returns one trade of the Data API. It has no id: fills of one order share a transaction. Wallet and name are invented, and
 * present because the venue sends them; readers drop them.
 */
function dataTrade(trade: Trade, plan: MarketPlan, names: MarketNames): WireValue {
  const token = trade.on_no ? 1 : 0
  const wallet = trade.order % 97
  return {
    proxy_wallet: `0x${mixedHex(wallet, 7, 5)}`,
    side: (trade.taker === 'buy') === trade.on_no ? 'SELL' : 'BUY',
    token_id: names.tokens[token],
    condition_id: names.condition_id,
    size: jsonNumber(plainSize(trade.size)),
    price: jsonNumber(plainPrice(trade.on_no ? priceOfNo(trade.price) : trade.price)),
    timestamp: Math.floor(trade.at / 1_000_000),
    title: plan.question,
    slug: names.slug,
    event_slug: names.event.slug,
    outcome: OUTCOMES[token],
    outcome_index: token,
    name: `trader-${wallet}`,
    pseudonym: `Simulated-${wallet}`,
    transaction_hash: `0x${mixedHex(trade.order, plan.ordinal * 8 + 1, 8)}`,
  }
}

/** Returns whether the API lists a trade at `now`: settled, not busted, not late. */
function isListed({ state, listed_at }: Trade, now: Micros): boolean {
  return state !== 'busted' && listed_at <= now
}

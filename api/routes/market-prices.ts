import { freshnessMs } from '../../pipelines/market/freshness.ts'
import { MARKET_PRICE_MAX_AGE_MS } from '../../protocol/limits.ts'
import { OWN_VENUE } from '../../vocabulary/venue.ts'
import type { Placed } from '../../warehouse/reader/reader.ts'
import type { Row } from '../../warehouse/schema.ts'
import { missing, sourceNotPublic } from '../missing-resource.ts'
import { ownOrderBook, ownPrice, ownRequestOf, ownTrades } from '../own-venue/own-routes.ts'
import { marketPriceOf } from '../resources/market-price.ts'
import { marketObservationOf, marketObservationWithQuote, orderBookOf, tradeOf } from '../resources/market-records.ts'
import { rowOrNull } from '../resources/pick.ts'
import { pricesArePublic, tradesArePublic } from '../resources/venue.ts'
import type { RouteAnswer, RouteHandlers, RouteRequest } from '../server/handler.ts'
import { childOf } from './child-of.ts'
import {
  afterKey,
  candleAnswer,
  type DomainColumns,
  historyPage,
  isSampled,
  oneMore,
  pageAnswer,
  pinnedAt,
  sampledRange,
} from './history-request.ts'
import {
  instantParameter,
  integerParameter,
  optionalOutcome,
  requiredText,
  requireMarket,
  requireOutcome,
  textParameter,
} from './parameters.ts'

const TABLES = ['market_quote', 'market_mark'] as const
const COLUMNS: DomainColumns = { published: 'published_at', source: 'source_at', calculated: 'calculated_at' }

export const MARKET_PRICE_ROUTES = {
  get_market_price: getMarketPrice,
  list_market_prices: async (request) => {
    const page = historyPage(request, TABLES)
    const asked = { ...outcomeAsked(request, publicMarket(request)), field: textParameter(request, 'field') }
    const { history } = request.reader
    const rows = isSampled(request)
      ? await history.sampledMarketObservations(asked, sampledRange(request), oneMore(page))
      : await history.marketObservations(asked, oneMore(page))
    return pageAnswer(rows, page, {
      column: COLUMNS[page.time_domain],
      id: 'observation_id',
      show: marketObservationOf,
    })
  },
  get_market_observation: async (request) => {
    const market = publicMarket(request)
    const observation_id = requiredText(request, 'observation_id')
    const found = await request.reader.history.marketObservation(observation_id, pinnedAt(request, TABLES))
    const row = childOf(found?.row ?? null, { market_id: market.market_id }, 'market_observation', observation_id)
    return { data: marketObservationWithQuote(row, found!.quote), correction_chain: found!.chain }
  },
  list_market_candles: async (request) => {
    const market = publicMarket(request)
    const asked = {
      market_id: String(market.market_id),
      outcome_id: requireOutcome(request, market),
      field: requiredText(request, 'field'),
    }
    const as_of = pinnedAt(request, TABLES)
    const candles = await request.reader.history.marketCandles(asked, sampledRange(request), as_of)
    return candleAnswer(request, candles, as_of)
  },
  get_order_book: async (request) => {
    const own = ownRequestOf(request)
    if (own !== null) return ownOrderBook(request, own)
    const market = publicMarket(request)
    const outcome_id = requireOutcome(request, market)
    const book = await bookOf(request, String(market.market_id), outcome_id)
    if (book === null) throw missing('order_book', outcome_id)
    return { data: orderBookOf(book, integerParameter(request, 'depth')), max_age_ms: MARKET_PRICE_MAX_AGE_MS }
  },
  list_trades: async (request) => {
    const own = ownRequestOf(request)
    if (own !== null) return ownTrades(request, own)
    const market = requireMarket(request)
    requirePublic(market, tradesArePublic, 'trades')
    const asked = {
      ...outcomeAsked(request, market),
      start: instantParameter(request, 'start_time'),
      end: instantParameter(request, 'end_time'),
    }
    const page = {
      after: afterKey(request),
      limit: integerParameter(request, 'limit'),
      as_of: pinnedAt(request, ['public_trade']),
    }
    const rows = await request.reader.history.trades(asked, oneMore(page))
    return pageAnswer(rows, page, { column: 'published_at', id: 'trade_id', show: tradeOf })
  },
} as const satisfies Partial<RouteHandlers>

/** Answers with the newest quotes and marks of the market that the request names. */
export async function getMarketPrice(request: RouteRequest): Promise<RouteAnswer> {
  const own = ownRequestOf(request)
  if (own !== null) return ownPrice(request, own)
  const { reader, as_of } = request
  const market = publicMarket(request)
  const market_id = String(market.market_id)
  const at = as_of ?? (await reader.now())
  const view = marketPriceOf({ market, ...(await priceRows(request, market_id)) }, at)
  if (view === null) throw missing('market_price', market_id)
  return {
    data: view.price,
    spliced: { freshness_ms: freshnessMs(view.confirmed_at, at) },
    max_age_ms: MARKET_PRICE_MAX_AGE_MS,
  }
}

async function priceRows({ reader, as_of }: RouteRequest, market_id: string) {
  const rows = (placed: readonly Placed[]) => placed.map(({ row }) => row)
  if (as_of === null)
    return { quotes: rows(reader.latest.quotes(market_id)), marks: rows(reader.latest.marks(market_id)) }
  const { history } = reader
  const [quotes, marks] = await Promise.all([history.quotes(market_id, as_of), history.marks(market_id, as_of)])
  return { quotes, marks }
}

async function bookOf({ reader, as_of }: RouteRequest, market_id: string, outcome_id: string): Promise<Placed | null> {
  if (as_of === null) return reader.latest.book(market_id, outcome_id)
  const book = await reader.history.book(market_id, outcome_id, as_of)
  return book === null ? null : { row: book.row, seq: engineSequence(book.row) ?? book.seq }
}

/** Returns the engine_sequence of a past book; null: a market of another venue. */
function engineSequence({ venue_id, source_sequence }: Row): number | null {
  return venue_id === OWN_VENUE && typeof source_sequence === 'number' ? source_sequence : null
}

/** @throws {ServiceError} MARKET_NOT_FOUND, SOURCE_NOT_PUBLIC */
function publicMarket(request: RouteRequest): Row {
  const market = requireMarket(request)
  requirePublic(market, pricesArePublic, 'prices')
  return market
}

/** @throws {ServiceError} SOURCE_NOT_PUBLIC: the terms of the market's venue keep `what` inside */
export function requirePublic(market: Row, is_public: (venue_id: string) => boolean, what: string): void {
  const venue_id = String(rowOrNull(market.venue_mapping)?.venue_id)
  if (is_public(venue_id)) return
  throw sourceNotPublic(venue_id, what)
}

function outcomeAsked(request: RouteRequest, market: Row): { market_id: string; outcome_id: string | null } {
  return { market_id: String(market.market_id), outcome_id: optionalOutcome(request, market) }
}

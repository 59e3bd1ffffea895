import { freshnessMs } from '../../pipelines/market/freshness.ts'
import type { Micros } from '../../primitives/instants.ts'
import { MARKET_PRICE_MAX_AGE_MS } from '../../protocol/limits.ts'
import { OWN_VENUE } from '../../vocabulary/venue.ts'
import type { Placed } from '../../warehouse/reader/reader.ts'
import type { Row } from '../../warehouse/schema.ts'
import { missing, sourceNotPublic } from '../missing-resource.ts'
import { withMarket } from '../own-venue/known-market.ts'
import { ownOrderBook, ownPrice, ownRequestOf, ownTrades } from '../own-venue/own-routes.ts'
import { marketPriceOf, PRICE_BOUND, type PriceRows, quoteBeside } from '../resources/market-price.ts'
import {
  marketObservationOf,
  marketObservationWithQuote,
  orderBookOf,
  tradeOfTape,
} from '../resources/market-records.ts'
import { outcomeIdsOf, rowOrNull, textOrNull } from '../resources/pick.ts'
import { pricesArePublic, tradesArePublic } from '../resources/venue.ts'
import type { RouteAnswer, RouteHandlers, RouteRequest } from '../server/handler.ts'
import { readInSteps } from '../server/read-in-steps.ts'
import { childOf } from './child-of.ts'
import {
  afterKey,
  candleAnswer,
  candleInstants,
  type DomainColumns,
  historyPage,
  isSampled,
  oneMore,
  pageAnswer,
  pinnedAt,
  sampledRange,
} from './history-request.ts'
import {
  flagParameter,
  instantParameter,
  integerParameter,
  optionalOutcome,
  requiredText,
  requireMarket,
  requireOutcome,
  textParameter,
} from './parameters.ts'

/** Tables whose rows are observations of a market. */
export const OBSERVATION_TABLES = ['market_quote', 'market_mark', 'public_trade'] as const
const COLUMNS: DomainColumns = { published: 'published_at', source: 'source_at', calculated: 'calculated_at' }

export const MARKET_PRICE_ROUTES = {
  get_market_price: getMarketPrice,
  list_market_prices: (request) =>
    withPublicMarket(request, async (market) => {
      const page = historyPage(request, OBSERVATION_TABLES)
      const asked = {
        ...outcomeAsked(request, market),
        field: textParameter(request, 'field'),
        trades: tradesArePublic(venueOf(market)),
        quoted_trades: flagParameter(request, 'include_quoted_trades'),
      }
      const { history } = request.reader
      const rows = isSampled(request)
        ? await history.sampledMarketObservations(asked, sampledRange(request), oneMore(page))
        : await history.marketObservations(asked, oneMore(page))
      return pageAnswer(rows, page, {
        column: COLUMNS[page.time_domain],
        id: 'observation_id',
        show: marketObservationOf,
      })
    }),
  get_market_observation: (request) =>
    withPublicMarket(request, async ({ market_id }) => {
      const observation_id = requiredText(request, 'observation_id')
      const found = await request.reader.history.marketObservation(
        observation_id,
        pinnedAt(request, OBSERVATION_TABLES),
      )
      const row = childOf(found?.row ?? null, { market_id }, 'market_observation', observation_id)
      return { data: marketObservationWithQuote(row, found!.quote), correction_chain: found!.chain }
    }),
  list_market_candles: (request) =>
    withPublicMarket(request, async (market) => {
      const asked = {
        market_id: String(market.market_id),
        outcome_id: requireOutcome(request, market),
        field: requiredText(request, 'field'),
        trades: tradesArePublic(venueOf(market)),
      }
      const instants = await candleInstants(request, OBSERVATION_TABLES)
      const candles = await request.reader.history.marketCandles(asked, sampledRange(request), instants)
      return candleAnswer(request, candles, instants)
    }),
  get_order_book: async (request) => {
    const own = await ownRequestOf(request)
    if (own !== null) return ownOrderBook(request, own)
    const market = publicMarket(request)
    const outcome_id = requireOutcome(request, market)
    return bookAnswer(request, market, outcome_id)
  },
  list_trades: async (request) => {
    const own = await ownRequestOf(request)
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
    const show = (row: Row) => tradeOfTape(row, asked.outcome_id)
    return pageAnswer(rows, page, { column: 'published_at', id: 'trade_id', show })
  },
} as const satisfies Partial<RouteHandlers>

/** Answers with the newest quotes and marks of the market that the request names. */
export async function getMarketPrice(request: RouteRequest): Promise<RouteAnswer> {
  const own = await ownRequestOf(request)
  if (own !== null) return ownPrice(request, own)
  const market = publicMarket(request)
  const market_id = String(market.market_id)
  const at = request.as_of ?? request.now
  const view = marketPriceOf({ market, ...(await priceRows(request, market)) }, at)
  if (view === null) throw missing('market_price', market_id)
  return {
    data: view.price,
    spliced: { freshness_ms: freshnessMs(view.confirmed_at, at) },
    ...ageOf(view.confirmed_at),
  }
}

async function bookAnswer(request: RouteRequest, market: Row, outcome_id: string): Promise<RouteAnswer> {
  const market_id = String(market.market_id)
  const book = await bookOf(request, market_id, outcome_id)
  if (book === null) throw missing('order_book', outcome_id)
  const quotes = await quotesOf(request, market_id)
  const facts = { book, quote: quoteBeside(quotes, outcome_id), market_status: textOrNull(market.status) }
  const view = orderBookOf({ ...facts, at: request.as_of ?? request.now }, integerParameter(request, 'depth'))
  return { data: view.book, ...ageOf(view.confirmed_at) }
}

/** Age bound of a price or book, and the instant at which it is reached. */
function ageOf(confirmed_at: Micros): Pick<RouteAnswer, 'max_age_ms' | 'current_until'> {
  return { max_age_ms: MARKET_PRICE_MAX_AGE_MS, current_until: confirmed_at + PRICE_BOUND }
}

async function priceRows(request: RouteRequest, market: Row): Promise<Omit<PriceRows, 'market'>> {
  const { reader, as_of } = request
  const market_id = String(market.market_id)
  const outcome_ids = outcomeIdsOf(market)
  const marks = as_of === null ? rowsIn(reader.latest.marks(market_id)) : reader.history.marks(market_id, as_of)
  const [quotes, trades, books, newest] = await Promise.all([
    quotesOf(request, market_id),
    as_of === null ? reader.latest.lastTrades(market_id) : reader.history.lastTrades(market_id, as_of),
    readInSteps(outcome_ids, (outcome_id) => bookOf(request, market_id, outcome_id)),
    marks,
  ])
  return { quotes, trades, marks: newest, books: books.filter((book) => book !== null) }
}

async function quotesOf({ reader, as_of }: RouteRequest, market_id: string): Promise<readonly Row[]> {
  return as_of === null ? rowsIn(reader.latest.quotes(market_id)) : reader.history.quotes(market_id, as_of)
}

function rowsIn(placed: readonly Placed[]): readonly Row[] {
  return placed.map(({ row }) => row)
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

/** Answers with a market whose prices are public. @throws {ServiceError} as `withMarket`, SOURCE_NOT_PUBLIC */
function withPublicMarket(request: RouteRequest, answer: (market: Row) => Promise<RouteAnswer>) {
  return withMarket(request, (market) => {
    requirePublic(market, pricesArePublic, 'prices')
    return answer(market)
  })
}

/** Returns a market of the warehouse. @throws {ServiceError} MARKET_NOT_FOUND, SOURCE_NOT_PUBLIC */
function publicMarket(request: RouteRequest): Row {
  const market = requireMarket(request)
  requirePublic(market, pricesArePublic, 'prices')
  return market
}

/** @throws {ServiceError} SOURCE_NOT_PUBLIC: the terms of the market's venue keep `what` inside */
export function requirePublic(market: Row, is_public: (venue_id: string) => boolean, what: string): void {
  const venue_id = venueOf(market)
  if (is_public(venue_id)) return
  throw sourceNotPublic(venue_id, what)
}

function venueOf(market: Row): string {
  return String(rowOrNull(market.venue_mapping)?.venue_id)
}

function outcomeAsked(request: RouteRequest, market: Row): { market_id: string; outcome_id: string | null } {
  return { market_id: String(market.market_id), outcome_id: optionalOutcome(request, market) }
}

import { freshnessMs } from '../../pipelines/market/freshness.ts'
import { confirmedAt } from '../../pipelines/market/quote.ts'
import { type Micros, toMicros } from '../../primitives/instants.ts'
import { MARKET_PRICE_MAX_AGE_MS } from '../../protocol/limits.ts'
import type { TradeCorrectionEvent, TradeEvent } from '../../trading/engine/events.ts'
import { publicTrade } from '../../trading/public-market/fold-events.ts'
import { tradeOn } from '../../trading/public-market/mirror-trade.ts'
import type { PublicMarket, PublicOutcome } from '../../trading/public-market/public-market.ts'
import { decodeEvent } from '../../trading/store/tailed-event.ts'
import { OWN_VENUE } from '../../vocabulary/venue.ts'
import type { Reader } from '../../warehouse/reader/reader.ts'
import type { Row } from '../../warehouse/schema.ts'
import { rowOrNull } from '../resources/pick.ts'
import { outcomeOf } from '../routes/child-of.ts'
import { instantParameter, integerParameter, requiredText, textParameter } from '../routes/parameters.ts'
import type { RouteAnswer, RouteRequest } from '../server/handler.ts'
import { type MarketOrigins, ownMarketOf } from './own-market-of.ts'
import { ownPriceBytes } from './own-price-bytes.ts'
import { isOwnStale, ownOrderBookOf, ownTradeOf } from './own-resources.ts'
import type { OwnVenue } from './own-venue.ts'
import { eventsNotKept } from './past-venue.ts'

type Made = { readonly label: string; readonly bytes: Buffer }

/** Last book of each outcome by depth; there are only as many depths as clients request. */
const made = new WeakMap<PublicOutcome, Map<number, Made>>()
const DEPTHS_MAX = 8

/** Returns the JSON of an outcome's book, built once for each of its events and each change of its quality. */
function ownBookBytes(outcome: PublicOutcome, depth: number, is_stale: boolean): Buffer {
  const label = `${outcome.book.sequence} ${outcome.market.status} ${is_stale}`
  const of_outcome = made.get(outcome) ?? new Map<number, Made>()
  made.set(outcome, of_outcome)
  const known = of_outcome.get(depth)
  if (known?.label === label) return known.bytes
  if (known === undefined && of_outcome.size >= DEPTHS_MAX) of_outcome.clear()
  const bytes = Buffer.from(JSON.stringify(ownOrderBookOf(outcome, depth, is_stale)))
  of_outcome.set(depth, { label, bytes })
  return bytes
}

/** A market listed on Tidemark as an answer shows it, and the venue that serves it. */
export type OwnRequest = {
  readonly market: PublicMarket
  readonly venue: OwnVenue
  /** Instant of the answer: the requested one, or that of the last engine batch in memory. */
  readonly at: Micros
}

/**
 * Chooses the source of a market request; null: the warehouse, which has all other markets, and ours if this process follows no
 * engine.
 * @throws {ServiceError} SERVICE_UNAVAILABLE, VALIDATION_AS_OF_UNAVAILABLE
 */
export function ownRequestOf(request: RouteRequest): OwnRequest | null | Promise<OwnRequest | null> {
  const { reader, as_of, own_venue: venue = null } = request
  if (venue === null) return null
  const origins: MarketOrigins = { own_venue: venue, catalog: reader.catalog }
  const market_id = requiredText(request, 'market_id')
  const market = ownMarketOf(origins, market_id)
  if (as_of !== null) return pastRequest(request, venue, market_id, as_of)
  return market === null ? null : { market, venue, at: venue.published_at() }
}

async function pastRequest(
  { reader }: RouteRequest,
  venue: OwnVenue,
  market_id: string,
  as_of: Micros,
): Promise<OwnRequest | null> {
  const market = await venue.marketAt(market_id, as_of)
  if (market !== null) return { market, venue, at: as_of }
  // The warehouse may know a market that an earlier trading database had: its snapshots are not what was served.
  const stored = reader.catalog(as_of).market(market_id)
  if (rowOrNull(stored?.venue_mapping)?.venue_id === OWN_VENUE) throw eventsNotKept(market_id, as_of)
  return null
}

/** @throws {ServiceError} MARKET_OUTCOME_NOT_FOUND */
export function ownOrderBook(request: RouteRequest, own: OwnRequest): RouteAnswer {
  const outcome = requireOwnOutcome(own.market, requiredText(request, 'outcome_id'))
  const at = request.as_of ?? request.now
  const is_stale = isOwnStale(own.market, request.as_of ?? own.venue.confirmed_at(), at)
  return { data: ownBookBytes(outcome, integerParameter(request, 'depth'), is_stale), ...publication(request, own) }
}

/** Answers with the price view from the engine's events; marks are published records, read from the warehouse. */
export async function ownPrice(request: RouteRequest, own: OwnRequest): Promise<RouteAnswer> {
  const { reader, as_of } = request
  const { market_id } = own.market
  if (as_of !== null) return priceAnswer(request, own, await marksAt(reader, market_id, as_of), as_of, as_of)
  const now = await reader.now()
  // Memory may have advanced during the wait.
  const at = own.venue.published_at()
  const current = { ...own, at }
  const confirmed_at = confirmedAt({ source_at: own.market.at, confirmed_at: own.venue.confirmed_at() })
  const newest = newestMarks(reader, market_id)
  if (newest.every((mark) => isVisible(mark, at))) return priceAnswer(request, current, newest, confirmed_at, now)
  const [marks, market] = await Promise.all([reader.history.marks(market_id, at), own.venue.marketAt(market_id, at)])
  return priceAnswer(request, { ...current, market: market ?? own.market }, marks, confirmed_at, now)
}

function priceAnswer(
  request: RouteRequest,
  own: OwnRequest,
  marks: readonly Row[],
  confirmed_at: Micros,
  now: Micros,
): RouteAnswer {
  const data = ownPriceBytes(own.market, marks, { confirmed_at, at: now })
  return { data, spliced: { freshness_ms: freshnessMs(confirmed_at, now) }, ...publication(request, own) }
}

/** Returns the marks as of an instant: from memory if none of them was published later. */
async function marksAt(reader: Reader, market_id: string, as_of: Micros): Promise<readonly Row[]> {
  const newest = newestMarks(reader, market_id)
  return newest.every((mark) => isVisible(mark, as_of)) ? newest : await reader.history.marks(market_id, as_of)
}

function newestMarks({ latest }: Reader, market_id: string): readonly Row[] {
  return latest.marks(market_id).map(({ row }) => row)
}

function isVisible({ published_at }: Row, at: Micros): boolean {
  return toMicros(published_at) <= at
}

/**
 * Answers with trades in engine order, from its events; all pages of one cursor show the same instant. The tape of one outcome of a
 * complementary market has those of the other outcome too.
 * @throws {ServiceError} MARKET_OUTCOME_NOT_FOUND
 */
export async function ownTrades(request: RouteRequest, own: OwnRequest): Promise<RouteAnswer> {
  const { market, venue } = own
  const outcome_id = textParameter(request, 'outcome_id')
  const outcome = outcome_id === null ? null : requireOwnOutcome(market, outcome_id)
  const limit = integerParameter(request, 'limit')
  const upto = request.cursor?.as_of ?? own.at
  const end = instantParameter(request, 'end_time')
  const rows = await venue.reads.trades({
    market_id: market.market_id,
    outcome_id,
    after_sequence: Number(request.cursor?.key[0] ?? 0),
    start: instantParameter(request, 'start_time'),
    before: end === null ? upto + 1 : Math.min(end, upto + 1),
    limit: limit + 1,
  })
  const page = rows.slice(0, limit)
  const trades = page.map((row) => {
    const trade = publicTrade(market, decodeEvent(row) as TradeEvent | TradeCorrectionEvent)
    return ownTradeOf(outcome === null ? trade : tradeOn(trade, outcome))
  })
  const next = rows.length > limit ? { as_of: upto, key: [page.at(-1)!.engine_sequence] } : null
  return { data: trades, next, published_at: request.as_of === null ? upto : null }
}

/**
 * Finds a trade of ours, or a correction of one, by its id: as the tape has it, from the engine's events. null: the warehouse decides.
 * @throws {ServiceError} SERVICE_UNAVAILABLE, VALIDATION_AS_OF_UNAVAILABLE
 */
export async function findOwnTrade({ own_venue: venue = null, as_of }: RouteRequest, id: string) {
  const [trade_id] = id.split('.')
  if (venue === null) return null
  const at = as_of ?? venue.published_at()
  const chain = await venue.tradeChain(trade_id!, at)
  const found = chain.find(({ record_id }) => record_id === id)
  if (found === undefined) return null
  return {
    trade: ownTradeOf(found),
    chain: chain.map(({ record_id }) => record_id),
    published_at: as_of === null ? at : null,
  }
}

/** @throws {ServiceError} MARKET_OUTCOME_NOT_FOUND */
export function requireOwnOutcome({ outcomes }: PublicMarket, outcome_id: string): PublicOutcome {
  return outcomeOf(outcomes, outcome_id)
}

/**
 * Returns the instant of a current answer and its freshness bound. The same request as of that instant gives the same answer. The
 * state in memory is stale if it was not confirmed within the maximum age of a price.
 */
function publication({ as_of }: RouteRequest, { venue, at }: OwnRequest) {
  if (as_of !== null) return { max_age_ms: MARKET_PRICE_MAX_AGE_MS }
  const current_until = venue.confirmed_at() + MARKET_PRICE_MAX_AGE_MS * 1000
  return { max_age_ms: MARKET_PRICE_MAX_AGE_MS, current_until, published_at: at }
}

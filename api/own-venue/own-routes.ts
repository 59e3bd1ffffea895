import { freshnessMs } from '../../pipelines/market/freshness.ts'
import { confirmedAt } from '../../pipelines/market/quote.ts'
import type { Micros } from '../../primitives/instants.ts'
import { MARKET_PRICE_MAX_AGE_MS } from '../../protocol/limits.ts'
import type { TradeCorrectionEvent, TradeEvent } from '../../trading/engine/events.ts'
import type { PublicMarket, PublicOutcome } from '../../trading/public-market/public-market.ts'
import { publicTrade } from '../../trading/public-market/public-markets.ts'
import { decodeEvent } from '../../trading/store/tailed-event.ts'
import { outcomeOf } from '../routes/child-of.ts'
import { instantParameter, integerParameter, requiredText, textParameter } from '../routes/parameters.ts'
import type { RouteAnswer, RouteRequest } from '../server/handler.ts'
import { type MarketOrigins, ownMarketOf } from './own-market-of.ts'
import { ownPriceBytes } from './own-price-bytes.ts'
import { isOwnStale, ownOrderBookOf, ownTradeOf } from './own-resources.ts'
import type { OwnVenue } from './own-venue.ts'

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

/** A request for the current state of a market listed on Tidemark, and the venue that serves it. */
export type OwnRequest = { readonly market: PublicMarket; readonly venue: OwnVenue }

/**
 * Chooses the source of a market request; null: the warehouse, which has every past state.
 * @throws {ServiceError} SERVICE_UNAVAILABLE
 */
export function ownRequestOf(request: RouteRequest): OwnRequest | null {
  const { reader, as_of, own_venue: venue = null } = request
  if (as_of !== null || venue === null) return null
  const origins: MarketOrigins = { own_venue: venue, catalog: reader.catalog }
  const market = ownMarketOf(origins, requiredText(request, 'market_id'))
  return market === null ? null : { market, venue }
}

/** @throws {ServiceError} MARKET_OUTCOME_NOT_FOUND */
export function ownOrderBook(request: RouteRequest, { market, venue }: OwnRequest): RouteAnswer {
  const outcome = requireOwnOutcome(market, requiredText(request, 'outcome_id'))
  const is_stale = isOwnStale(market, venue.confirmed_at(), request.now)
  return { data: ownBookBytes(outcome, integerParameter(request, 'depth'), is_stale), ...freshness(venue) }
}

/** Answers with the price view from the engine's events; marks are published records, read from the warehouse. */
export function ownPrice({ reader, now: at }: RouteRequest, { market, venue }: OwnRequest): RouteAnswer {
  const confirmed_at = confirmedAt({ source_at: market.at, confirmed_at: venue.confirmed_at() })
  const marks = reader.latest.marks(market.market_id).map(({ row }) => row)
  const data = ownPriceBytes(market, marks, { confirmed_at, at })
  return { data, spliced: { freshness_ms: freshnessMs(confirmed_at, at) }, ...freshness(venue) }
}

/** Answers with trades in engine order, from its events; all pages of one cursor show the same instant. */
export async function ownTrades(request: RouteRequest, { market, venue }: OwnRequest): Promise<RouteAnswer> {
  const outcome_id = textParameter(request, 'outcome_id')
  const limit = integerParameter(request, 'limit')
  const upto = request.cursor?.as_of ?? venue.head_at()
  const end = instantParameter(request, 'end_time')
  const rows = await venue.reads.trades({
    outcome_ids:
      outcome_id === null
        ? market.outcomes.map((outcome) => outcome.outcome_id)
        : [requireOwnOutcome(market, outcome_id).outcome_id],
    after_sequence: Number(request.cursor?.key[0] ?? 0),
    start: instantParameter(request, 'start_time'),
    before: end === null ? upto + 1 : Math.min(end, upto + 1),
    limit: limit + 1,
  })
  const on_page = rows.slice(0, limit)
  const trades = on_page.map((row) =>
    ownTradeOf(publicTrade(market, decodeEvent(row) as TradeEvent | TradeCorrectionEvent)),
  )
  const next = rows.length > limit ? { as_of: upto, key: [on_page.at(-1)!.engine_sequence] } : null
  return { data: trades, next }
}

/** @throws {ServiceError} MARKET_OUTCOME_NOT_FOUND */
export function requireOwnOutcome({ outcomes }: PublicMarket, outcome_id: string): PublicOutcome {
  return outcomeOf(outcomes, outcome_id)
}

/** Freshness bound: the state in memory is stale if it was not confirmed within the maximum age of a price. */
function freshness(venue: OwnVenue): { readonly max_age_ms: number; readonly current_until: Micros } {
  const current_until = venue.confirmed_at() + MARKET_PRICE_MAX_AGE_MS * 1000
  return { max_age_ms: MARKET_PRICE_MAX_AGE_MS, current_until }
}

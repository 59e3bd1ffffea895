import { formatMicros, type Micros } from '../../../primitives/instants.ts'
import type { MarketListing } from '../../engine/commands.ts'
import type { MarketStatus } from '../../engine/state.ts'
import type { ListedTerms, MarketTerms } from '../../market/market-terms.ts'
import type { Side } from '../../order/order.ts'
import type { Pool } from '../create-pool.ts'
import type { TailedEvent } from '../tailed-event.ts'
import { headOf, queryOnce, snapshot } from './snapshot.ts'
import type { Head } from './trading-reads.ts'

/** A listed market. */
export type PublicMarketRead = {
  readonly market_id: string
  readonly status: MarketStatus
  readonly listed: { readonly terms: ListedTerms; readonly listing: MarketListing | null }
  readonly terms: MarketTerms
  readonly created_at: Micros
  readonly outcomes: readonly { readonly outcome_id: string; readonly label: string }[]
}

/** What rests at one price of one outcome. */
type PublicLevelRead = {
  readonly outcome_id: string
  readonly side: Side
  readonly price: number
  readonly quantity: number
  readonly order_count: number
}

/** All that is public of one instant, and what was said shortly before. */
export type PublicState = {
  readonly head: Head
  readonly markets: readonly PublicMarketRead[]
  /** The books as of `head`. */
  readonly levels: readonly PublicLevelRead[]
  /** As `places`, before the events. */
  readonly places: readonly TailedEvent[]
  /** Whole batches up to `head`: books, trades, moves and resolutions. */
  readonly events: readonly TailedEvent[]
}

/** How much of what was said shortly before is read. */
type PublicWindow = { readonly since: Micros; readonly events_max: number }

type TradesAsked = {
  readonly outcome_ids: readonly string[]
  /** engine_sequence of the last trade of the page before; 0: the first page. */
  readonly after_sequence: number
  /** Inclusive; null: from the first one on. */
  readonly start: Micros | null
  /** Exclusive. */
  readonly before: Micros
  readonly limit: number
}

/** Reads of what everybody may know of the listed markets: no account, no order. @throws {ServiceError} SERVICE_UNAVAILABLE */
export type PublicReads = {
  head(): Promise<Head>
  /** Those of these ids that are listed. */
  markets(market_ids: readonly string[]): Promise<readonly PublicMarketRead[]>
  /** Each market's last move and its resolutions, each outcome's last book event, last trade and corrections, up to a sequence. */
  places(through: number): Promise<readonly TailedEvent[]>
  /** One consistent state. */
  state(window: PublicWindow): Promise<PublicState>
  /** By engine_sequence. */
  trades(asked: TradesAsked): Promise<readonly TailedEvent[]>
}

/** The reads over a pool of the trading database. */
export function createPublicReads(pool: Pool): PublicReads {
  return {
    head: () => snapshot(pool, (query) => headOf(query, null)),
    markets: (market_ids) => queryOnce(pool, 'public_markets', [market_ids]),
    places: (through) => queryOnce(pool, 'public_places', [through]),
    state: ({ since, events_max }) =>
      snapshot(pool, async (query) => {
        const head = await headOf(query, null)
        const window = [formatMicros(since), head.engine_sequence - events_max]
        const [begin] = await query<{ readonly engine_sequence: number }>('public_window', window)
        const from = begin!.engine_sequence
        return {
          head,
          markets: await query('public_markets', [null]),
          levels: await query('public_levels', []),
          places: await query('public_places', [from]),
          events: await query('public_events', [from, head.engine_sequence]),
        }
      }),
    trades: ({ outcome_ids, after_sequence, start, before, limit }) =>
      queryOnce(pool, 'public_trades', [
        outcome_ids,
        after_sequence,
        start === null ? null : formatMicros(start),
        formatMicros(before),
        limit,
      ]),
  }
}

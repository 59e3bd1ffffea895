import { formatMicros, type Micros } from '../../../primitives/instants.ts'
import type { MarketStatus } from '../../../vocabulary/market.ts'
import type { Side } from '../../../vocabulary/order.ts'
import type { MarketListing } from '../../market/market-listing.ts'
import type { ListedTerms, MarketTerms } from '../../market/market-terms.ts'
import type { ReadLevel } from '../../public-market/fold-book.ts'
import type { PastBook } from '../../public-market/past-market.ts'
import type { Pool } from '../create-pool.ts'
import { readWholePastBooks } from '../past-books.ts'
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

/** A price level of one outcome. */
type PublicLevelRead = ReadLevel & { readonly outcome_id: string; readonly side: Side }

/** All public state at one instant, and the events shortly before it. */
export type PublicState = {
  readonly head: Head
  readonly markets: readonly PublicMarketRead[]
  /** Price levels at `head`. */
  readonly levels: readonly PublicLevelRead[]
  /** Like `places`, before the events. */
  readonly places: readonly TailedEvent[]
  /** Books of the outcomes that the events change, before the events. */
  readonly books: readonly PastBook[]
  /** Whole batches up to `head`: books, trades, moves and resolutions. */
  readonly events: readonly TailedEvent[]
}

/** Bounds of the events read before the head. */
type PublicWindow = { readonly since: Micros; readonly events_max: number }

type TradesAsked = {
  readonly market_id: string
  /** The outcome whose tape is read, with the trades of the other one if they met on one ladder; null: each trade once. */
  readonly outcome_id: string | null
  /** engine_sequence of the last trade on the previous page; 0: the first page. */
  readonly after_sequence: number
  /** Inclusive; null: from the first trade. */
  readonly start: Micros | null
  /** Exclusive. */
  readonly before: Micros
  readonly limit: number
}

/** Reads of public data of listed markets: no account, no order. @throws {ServiceError} SERVICE_UNAVAILABLE */
export type PublicReads = {
  head(): Promise<Head>
  /** Returns the listed markets among these ids. */
  markets(market_ids: readonly string[]): Promise<readonly PublicMarketRead[]>
  /** Each market's last move and its resolutions, each outcome's last book event, last trade and corrections, up to a sequence. */
  places(through: number): Promise<readonly TailedEvent[]>
  /** Reads one consistent state. */
  state(window: PublicWindow): Promise<PublicState>
  /** Reads trades by engine_sequence. */
  trades(asked: TradesAsked): Promise<readonly TailedEvent[]>
  /** Reads a trade and its corrections stamped up to an instant. @param sequence engine_sequence of the trade */
  tradeChain(trade_id: string, sequence: number, through: Micros): Promise<readonly TailedEvent[]>
}

/** Creates the reads over a pool of the trading database. */
export function createPublicReads(pool: Pool): PublicReads {
  const state: PublicReads['state'] = async (window) => {
    const read = await readState(pool, window)
    const outcome_ids = new Set(
      read.events.flatMap(({ kind, body }) =>
        kind === 'book' ? [(body as { readonly outcome_id: string }).outcome_id] : [],
      ),
    )
    const books = await readWholePastBooks(pool, [...outcome_ids], read.places_through)
    // Without the books before the events it is unknown what each event left, so no event is read back.
    return books === null ? await state({ ...window, events_max: 0 }) : { ...read, books }
  }
  return {
    head: () => snapshot(pool, (query) => headOf(query, null)),
    markets: (market_ids) => queryOnce(pool, 'public_markets', [market_ids]),
    places: (through) => queryOnce(pool, 'public_places', [through]),
    state,
    tradeChain: (trade_id, sequence, through) =>
      queryOnce(pool, 'public_trade_chain', [trade_id, sequence, formatMicros(through)]),
    trades: ({ market_id, outcome_id, after_sequence, start, before, limit }) =>
      queryOnce(pool, 'public_trades', [
        market_id,
        outcome_id,
        after_sequence,
        start === null ? null : formatMicros(start),
        formatMicros(before),
        limit,
      ]),
  }
}

/** Reads one consistent state, with the engine_sequence that its places are of; books before the events are left out. */
function readState(pool: Pool, { since, events_max }: PublicWindow) {
  return snapshot(pool, async (query) => {
    const head = await headOf(query, null)
    const window = [formatMicros(since), head.engine_sequence - events_max]
    const [begin] = await query<{ readonly engine_sequence: number }>('public_window', window)
    const places_through = begin!.engine_sequence
    return {
      head,
      places_through,
      markets: await query<PublicMarketRead>('public_markets', [null]),
      levels: await query<PublicLevelRead>('public_levels', []),
      places: await query<TailedEvent>('public_places', [places_through]),
      events: await query<TailedEvent>('public_events', [places_through, head.engine_sequence]),
    }
  })
}

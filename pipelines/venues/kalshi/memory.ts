import type { DecimalString } from '../../../primitives/decimal.ts'
import type { Micros } from '../../../primitives/instants.ts'
import { RecentMap } from '../../../primitives/recent-map.ts'
import { LastOfMinute } from '../../market/last-of-minute.ts'
import type { OrderBook } from '../../market/order-book.ts'
import type { PayloadOrigin, PayloadRecords } from '../read-payload.ts'
import type { BookLevel, ReferenceRecord, ResolutionRecord, VenuePayload } from '../record.ts'
import type { ComplementedSide } from './ladders.ts'

/** Texts of an event's own payloads, which its markets' payloads do not repeat. */
export type EventTexts = {
  readonly title: string | null
  readonly sub_title: string | null
  readonly category: string | null
  readonly series_ticker: string | null
  /** The date that the event is about. */
  readonly strike_at: Micros | null
}

/** Facts of a series for its markets. */
export type SeriesFacts = { readonly category: string | null; readonly resolution_sources: readonly string[] }

/** Latest statement about how a market ends. `payout`: of YES, with 9 fraction digits. */
type Result = {
  readonly finality: ResolutionRecord['finality']
  readonly payout: DecimalString
  readonly source_at: Micros
}

/** The book of YES as messages build it: its asks are one minus the bids for NO. */
export type LiveBook = {
  /** The text by which its market's records and ids are looked up. */
  readonly ticker: string
  /** Key of its moments. */
  readonly key: string
  readonly book: OrderBook
  /** Its sides for NO when it was last recorded. */
  readonly no_bids: ComplementedSide
  readonly no_asks: ComplementedSide
  /** Best levels and source time of its last quotes; null: none yet. */
  quoted: {
    readonly at: Micros
    readonly yes: BookLevel | null
    readonly no_as_ask: BookLevel | null
  } | null
}

/** Identity and clocks of a market's records. */
export type Base = PayloadOrigin & {
  readonly venue_id: 'kalshi'
  readonly source_series_id: null
  readonly source_market_id: string
  readonly source_at: Micros
  readonly received_at: Micros
}

/** A live book after a message, until the next one changes it. */
export type BookMoment = {
  readonly source_at: Micros
  readonly base: Base
  readonly source_sequence: number
  readonly live: LiveBook
  /** Its message was counted as one within a minute, until the book turns out to be the last of it. */
  is_within: boolean
}

/** Best bids of both outcomes, the whole top of Kalshi's book; null = none. `last`: the last trade's price for YES. */
export type Touch = {
  readonly yes_bid: DecimalString | null
  readonly no_bid: DecimalString | null
  readonly yes_depth: DecimalString | null
  readonly no_depth: DecimalString | null
  readonly last: DecimalString | null
}

/** The newest quotes of a market, by their source time. */
type NewestQuotes = {
  readonly base: Base
  readonly touch: Touch
  readonly source_sequence: number | null
  /** Latest instant at which the venue was known to show them. */
  readonly seen_at: Micros
}

/** A websocket subscription: its sequence and the books that it feeds, by ticker. */
export type Subscription = { readonly sid: string; last_seq: number | null; readonly books: Map<string, LiveBook> }

/** Facts of earlier payloads that later ones need. */
export type KalshiMemory = {
  /** Whether a trade's price of 0 is a missing one. */
  readonly zero_means_missing: boolean
  readonly events: Map<string, EventTexts>
  /** By series ticker. */
  readonly series: Map<string, SeriesFacts>
  /** The latest statement about each market, which a change of its status updates. */
  readonly references: Map<string, ReferenceRecord>
  /** The latest statement about each market's result: repeated reads and messages state it again. */
  readonly results: Map<string, Result>
  /** Values of the latest trades, to omit repeated ones. */
  readonly trades: RecentMap<string, string>
  /** The last trade stated by a candle, by its market and end: candles of several periods end together. */
  readonly candle_trades: RecentMap<string, DecimalString>
  /** By subscription id. */
  readonly subscriptions: Map<string, Subscription>
  /** By ticker; without the quotes of candles. */
  readonly newest_quotes: Map<string, NewestQuotes>
  /** The last moment of each live book in its minute. */
  readonly moments: LastOfMinute<BookMoment>
}

/** A payload while it is read, facts of earlier ones, and the lists for its records. */
export type Reading = {
  readonly payload: VenuePayload
  readonly memory: KalshiMemory
  readonly out: PayloadRecords
}

/** Pages of a tape overlap by far less, and so do the candles of several periods. */
const TRADES_REMEMBERED = 100_000

/** Creates an empty memory. */
export function createMemory(zero_means_missing = false): KalshiMemory {
  return {
    zero_means_missing,
    events: new Map(),
    series: new Map(),
    references: new Map(),
    results: new Map(),
    trades: new RecentMap(TRADES_REMEMBERED),
    candle_trades: new RecentMap(TRADES_REMEMBERED),
    subscriptions: new Map(),
    newest_quotes: new Map(),
    moments: new LastOfMinute(),
  }
}

import type { DecimalString } from '../../primitives/decimal.ts'
import type { Micros } from '../../primitives/instants.ts'
import type { EventStatus, Finality, MarketStatus, OutcomeType, TradeCorrection } from '../../vocabulary/market.ts'
import type { Side } from '../../vocabulary/order.ts'
import type { AlertLevel } from '../../vocabulary/severity.ts'
import type { HazardVenue } from '../../vocabulary/venue.ts'
import type { IgnoreRule, Outcome } from './outcomes.ts'
import type { QuarantineReason } from './quarantine.ts'

/** Origin of a record in its archive. */
export type Origin = {
  readonly file: string
  /** Line in the uncompressed file, from 1; in a payload that is one JSON or XML document, the record's ordinal in it. */
  readonly line: number
  /** Path in such a document, like `markets[3]`; reported instead of the line. */
  readonly path?: string
}

/**
 * A quote of one outcome at one source instant, before its correction chain is known. Prices and probabilities in [0, 1] with 9
 * fraction digits, depths in contracts with 6; null = the source gives none.
 */
export type QuoteRecord = Origin & {
  readonly venue_id: string
  readonly source_series_id: string | null
  readonly source_market_id: string
  readonly outcome: string
  readonly source_at: Micros
  readonly received_at: Micros
  readonly reported_probability: DecimalString | null
  /** The probability as the source wrote it. */
  readonly raw_value: string | null
  /** True: the value is a final payout. */
  readonly is_final: boolean
  /** The line of the file, for evidence. */
  readonly text: string
  /** null: the source publishes a probability only. */
  readonly book: QuoteBook | null
  /** True: a null last_trade says nothing, as in a candle without a trade; absent: it says that there is none. */
  readonly is_trade_unstated?: boolean
}

/** Parts of a quote that an archive of plain probabilities lacks. */
export type QuoteBook = {
  readonly bid: DecimalString | null
  readonly ask: DecimalString | null
  readonly bid_depth: DecimalString | null
  readonly ask_depth: DecimalString | null
  readonly last_trade: DecimalString | null
  readonly last_trade_at: Micros | null
  readonly source_sequence: number | null
  readonly confirmed_at: Micros | null
}

/** A public trade. Price in [0, 1] with 9 fraction digits, quantity in contracts with 6. */
export type TradeRecord = Origin & {
  readonly venue_id: string
  readonly source_series_id: string | null
  readonly source_market_id: string
  readonly outcome: string
  readonly source_at: Micros
  readonly received_at: Micros
  readonly price: DecimalString
  /** The price as the source wrote it, where 9 digits cannot hold it: an average over levels. Absent: `price` is exact. */
  readonly raw_price?: string
  readonly quantity: DecimalString
  readonly aggressor_side: Side | null
  readonly source_trade_id: string
  readonly source_sequence: number | null
  readonly correction_kind: TradeCorrection | null
}

export type Payout = { readonly outcome: string; readonly payout: DecimalString }

/** A market's resolution as one record states it. Payouts in [0, 1] with 9 fraction digits, one per outcome. */
export type ResolutionRecord = Origin & {
  readonly venue_id: string
  readonly source_series_id: string | null
  readonly source_market_id: string
  readonly source_at: Micros
  readonly received_at: Micros
  readonly finality: Finality
  /** Empty if the record states none. */
  readonly payouts: readonly Payout[]
  readonly dispute_window_ends_at: Micros | null
  readonly evidence: Evidence
}

/** Evidence of a resolution: a row of the archive. content_hash null: the row is known from the warehouse only. */
export type Evidence = {
  readonly evidence_id: string
  readonly kind: 'archive_row'
  readonly source_uri: string | null
  readonly content_hash: string | null
}

/**
 * Bounds and steps of orders as a venue states them for a market or for all; null = not stated. Prices in [0, 1] with 9
 * fraction digits, quantities in contracts with 6.
 */
export type TradingParameters = {
  readonly price_min: DecimalString | null
  readonly price_max: DecimalString | null
  /** The finest one, if steps differ along the scale. */
  readonly price_increment: DecimalString | null
  readonly quantity_increment: DecimalString | null
  readonly minimum_quantity: DecimalString | null
  /** Asset that prices are paid in: `usd`, `usdc`, `mana` ... */
  readonly settlement_asset_id: string | null
  readonly shorting_permitted: boolean | null
}

/** Details of an event that few venues state; null = not stated. */
export type EventDetails = {
  /** At the time of the read. */
  readonly status: EventStatus | null
  readonly starts_at: Micros | null
  readonly ends_at: Micros | null
  /** Country codes. */
  readonly regions: readonly string[] | null
  /** IANA name of the zone of the event's times. */
  readonly timezone: string | null
}

/** A market and its event as one line of an archive states them. Texts as the source wrote them; null = none given. */
export type ReferenceRecord = Origin & {
  readonly venue_id: string
  readonly source_series_id: string | null
  readonly source_event_id: string
  readonly source_market_id: string
  readonly source_at: Micros
  readonly received_at: Micros
  readonly title: string
  readonly event_title: string
  readonly description: string | null
  readonly category: string | null
  readonly status: MarketStatus | null
  readonly outcome_type: OutcomeType
  /** The venue's ids of the outcomes, from which ours are derived. */
  readonly outcomes: readonly string[]
  /** Their names, in the same order; absent: the ids are the names. */
  readonly outcome_labels?: readonly string[]
  /** The venue's readable names of the market and its event in addresses; absent: it states none, and earlier ones stay. */
  readonly slug?: string | null
  readonly event_slug?: string | null
  readonly resolution_question: string | null
  readonly resolution_criteria: string | null
  readonly source_url: string | null
  /** Sources of its outcome; absent: `source_url`. */
  readonly resolution_sources?: readonly string[]
  /** null: the record states none, and earlier ones stay. */
  readonly trading: TradingParameters | null
  /** Absent: the record states none. */
  readonly event_details?: EventDetails
  /** True: a short description; of a market that is known already, what it does not state stays as it was. */
  readonly is_partial?: boolean
  readonly opens_at: Micros | null
  readonly closes_at: Micros | null
  readonly expected_resolution_at: Micros | null
}

/**
 * Sizes of a market, in the asset of its prices (a contract pays one); mana and dollars are never added. 6 fraction digits;
 * null = not stated, and at least one is stated.
 */
export type MetricRecord = Origin & {
  readonly venue_id: string
  readonly source_market_id: string
  readonly source_at: Micros
  readonly received_at: Micros
  readonly volume_24h: DecimalString | null
  readonly open_interest: DecimalString | null
  readonly liquidity_notional: DecimalString | null
}

/** One price level. Quantity in contracts, or in the venue's currency (Betfair: GBP of stake). */
export type BookLevel = { readonly price: DecimalString; readonly quantity: DecimalString }

/** Unit of a book's prices: `probability` in [0, 1]; `decimal_odds` at least 1.01, whose reciprocals sum to more than 1. */
const PRICE_UNITS = ['probability', 'decimal_odds'] as const

/** A whole order book of one outcome. Levels best first, one per price, quantities positive; [] = an empty side. */
export type BookRecord = Origin & {
  readonly venue_id: string
  readonly source_series_id: string | null
  readonly source_market_id: string
  readonly outcome: string
  readonly source_at: Micros
  readonly received_at: Micros
  readonly source_sequence: number | null
  readonly price_unit: (typeof PRICE_UNITS)[number]
  readonly bids: readonly BookLevel[]
  readonly asks: readonly BookLevel[]
  /** True if the asks are one minus the other outcome's bids, which is all that the venue shows. */
  readonly asks_derived: boolean
  /** Sum of the reciprocals of the best back odds of all outcomes, less 1, half even to 9 decimals; null if any is missing. */
  readonly overround: DecimalString | null
}

/**
 * An alert feed's statement about one natural hazard. Numbers as the feed wrote them; null = the feed gives none, never zero.
 */
export type HazardRecord = Origin & {
  readonly venue_id: HazardVenue
  /** The feed's key of the event; all its versions and episodes share it. */
  readonly source_event_id: string
  /** Episode or version within the event. */
  readonly source_version_id: string | null
  /** Other ids of the same event. */
  readonly aliases: readonly string[]
  readonly hazard_type: 'earthquake' | 'tropical_cyclone' | 'flood' | 'volcano' | 'drought' | 'wildfire' | 'other'
  readonly title: string
  /** Lower case. */
  readonly alert_level: AlertLevel | null
  readonly alert_score: DecimalString | null
  readonly episode_alert_level: AlertLevel | null
  readonly severity_value: DecimalString | null
  /** M, km2, km/h ...; null if the feed has an empty one. */
  readonly severity_unit: string | null
  readonly population_value: DecimalString | null
  readonly population_unit: string | null
  readonly vulnerability_value: DecimalString | null
  readonly countries: readonly string[]
  readonly longitude: DecimalString | null
  readonly latitude: DecimalString | null
  readonly depth_km: DecimalString | null
  /** automatic, reviewed ...; lower case. */
  readonly review_status: string | null
  readonly is_current: boolean | null
  readonly is_temporary: boolean | null
  readonly started_at: Micros
  readonly ended_at: Micros | null
  /** True: an instant of the record is after its receipt, within the tolerance of its feed (CLOCK_AHEAD_MAX). */
  readonly is_clock_ahead: boolean
  /** More measured values by the feed's own names (mmi, cdi, felt, sig, tsunami ...), as it wrote them. */
  readonly measures: Readonly<Record<string, DecimalString>>
  readonly source_url: string | null
  /** Time the feed last changed the record. */
  readonly source_at: Micros
  readonly received_at: Micros
}

/** A response or message of a venue as it came, kept before it is read. */
export type VenuePayload = {
  readonly venue_id: string
  /** Endpoint as the venue's documentation names it: `GET /markets/{ticker}/orderbook`, `ws market`. */
  readonly endpoint: string
  /** Path and query of the request, or null if the recording does not state them. */
  readonly request: string | null
  readonly received_at: Micros
  /** File of its origin. */
  readonly file: string
  readonly text: string
}

/** A record that was counted under a rule until a later payload decided about it. */
export type ChangedOutcome = Origin & { readonly from: IgnoreRule; readonly to: 'taken' | 'quarantined' }

/** A zero in a field where recorders write 0 for a missing price (ZERO_FIELDS), and whether it was read as missing. */
export type ZeroValue = Origin & { readonly is_missing: boolean }

/** Records of one payload. A parser omits lists that its endpoint does not have. */
export type VenueRecords = Partial<
  Pick<
    ArchiveContent,
    'quotes' | 'trades' | 'resolutions' | 'references' | 'metrics' | 'books' | 'hazards' | 'quarantine'
  > & {
    /** Exactly one per record of the payload, in its order; a record of the lists names its own by `line`, from 1. */
    readonly outcomes: readonly Outcome[]
    /** Records of earlier payloads about which this one decided. */
    readonly changed: readonly ChangedOutcome[]
    /** Zeros in fields where recorders write 0 for a missing price. */
    readonly zeros: readonly ZeroValue[]
  }
>

/** All records of an archive, parsed, before any comparison with the warehouse. */
export type ArchiveContent = {
  /** Names of the files read. */
  readonly files: readonly string[]
  readonly quotes: readonly QuoteRecord[]
  readonly trades: readonly TradeRecord[]
  readonly resolutions: readonly ResolutionRecord[]
  readonly references: readonly ReferenceRecord[]
  readonly metrics: readonly MetricRecord[]
  readonly books: readonly BookRecord[]
  readonly hazards: readonly HazardRecord[]
  /** Receipts of the payloads that the records were read from; none if the archive is tables of records. */
  readonly payloads: readonly Pick<VenuePayload, 'received_at'>[]
  readonly quarantine: readonly (Origin & { readonly reason: QuarantineReason })[]
  /** Lines of tables without a row of their own, and the rule by which they have none. */
  readonly ignored?: readonly (Origin & { readonly rule: IgnoreRule })[]
}

/**
 * Reads one venue's payloads in the order of receipt. It keeps only facts of earlier payloads that later ones need (outcomes of
 * tokens, books that changes apply to): equal payloads give equal records.
 */
export type VenueReader = {
  /** Never throws for the content of a payload: unreadable parts are in `quarantine`. */
  read(payload: VenuePayload): VenueRecords
  /** Returns records held back for later payloads, such as the last state of a minute. Called after the last one. */
  finish?(): VenueRecords
}

import { MATCH_KINDS } from './order.ts'

/** States of a market, in the order of its life. */
export const MARKET_STATUSES = [
  'scheduled',
  'open',
  'paused',
  'closed',
  'resolving',
  'resolved',
  'voided',
  'archived',
] as const
export type MarketStatus = (typeof MARKET_STATUSES)[number]

/** States of a market that has ended. */
export const ENDED_STATUSES: readonly (string | null)[] = ['resolved', 'voided', 'archived']

/** States of a market that freeze its marks: its trading is over, or does not count. */
export const HALTED_STATUSES: readonly (MarketStatus | null)[] = ['closed', 'resolving', 'voided']

/** States of an event, where its source states one. */
export const EVENT_STATUSES = ['ongoing', 'ended'] as const
export type EventStatus = (typeof EVENT_STATUSES)[number]

/** Kinds of outcome sets: YES and NO, or named outcomes. */
export const OUTCOME_TYPES = ['binary', 'categorical'] as const
export type OutcomeType = (typeof OUTCOME_TYPES)[number]

/** Finality of a resolution. */
export const FINALITIES = ['proposed', 'disputed', 'final', 'withdrawn'] as const
export type Finality = (typeof FINALITIES)[number]

/** Finality of a resolution that may still change, without which nothing is paid. */
export const CONTESTED_FINALITIES: readonly Finality[] = ['proposed', 'disputed']

/** Outcomes of a binary market, as derived outcome ids name them. */
export const BINARY_OUTCOMES = ['YES', 'NO'] as const

/** States in which a market's resolution may be proposed. */
export const PROPOSABLE_STATUSES: readonly MarketStatus[] = ['open', 'paused', 'closed']

/** Sizes of a market that its venue states. */
export const METRIC_FIELDS = ['volume_24h', 'open_interest', 'liquidity_notional'] as const

/** Instants of a market's schedule. */
export const SCHEDULE_FIELDS = ['opens_at', 'closes_at', 'expected_resolution_at'] as const

/** Whether a market may enter an index. */
export const ELIGIBILITIES = ['eligible', 'ineligible'] as const
export type EligibilityStatus = (typeof ELIGIBILITIES)[number]

/** Sides of an order book. */
const BOOK_SIDES = ['bid', 'ask'] as const
export type BookSide = (typeof BOOK_SIDES)[number]

/** Why a book gives no midpoint: bid >= ask, or its market is paused. */
export const BOOK_REASONS = ['CROSSED_BOOK', 'MARKET_PAUSED'] as const
export type BookReason = (typeof BOOK_REASONS)[number]

/** Why marks imply no probability: an outcome has no mark, or their sum is too far from 1 (the codes of an index's reasons). */
export const IMPLIED_REASONS = ['PARTIAL_OUTCOME_SET', 'OVERROUND_EXCEEDED'] as const
export type ImpliedReason = (typeof IMPLIED_REASONS)[number]

/** Corrections of a public trade by its venue. */
export const TRADE_CORRECTIONS = ['void', 'correction'] as const
export type TradeCorrection = (typeof TRADE_CORRECTIONS)[number]

/** Effects of a whole match in a complementary market on sets of both outcomes; `mixed`: its segments differ. */
export const TRADE_KINDS = [...MATCH_KINDS, 'mixed'] as const
export type TradeKind = (typeof TRADE_KINDS)[number]

/** Rule of what is shown of one outcome of a complementary market and was ordered or traded as the other: price 1 - p, the opposite side. */
export const LADDER_RULE = 'complement'

/** Fields of a quote that are observations of their own. */
export const QUOTE_FIELDS = ['bid', 'ask', 'last_trade', 'reported_probability'] as const
export type QuoteField = (typeof QUOTE_FIELDS)[number]

/** Fields of a market observation. */
export const OBSERVED_FIELDS = ['bid', 'ask', 'midpoint', 'last_trade', 'mark', 'reported_probability'] as const

/** Observed fields that candles are made of. */
export const CANDLE_FIELDS = ['bid', 'ask', 'midpoint', 'last_trade', 'mark'] as const

/** Orders of a list of markets. */
export const MARKET_SORTS = ['updated', 'title', 'closes', 'volume'] as const
export type MarketSort = (typeof MARKET_SORTS)[number]

/** Bucket lengths of candles, ISO 8601. */
export const CANDLE_INTERVALS = ['PT1M', 'PT5M', 'PT15M', 'PT1H', 'P1D'] as const
export type CandleInterval = (typeof CANDLE_INTERVALS)[number]

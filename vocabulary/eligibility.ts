import { ELIGIBILITIES } from './market.ts'
import { RATING_COMPONENTS } from './rating.ts'

/** Decisions of an eligibility policy about a market; `unknown`: a fact that a rule needs is missing. */
export const ELIGIBILITY_VERDICTS = [...ELIGIBILITIES, 'unknown'] as const
export type EligibilityVerdict = (typeof ELIGIBILITY_VERDICTS)[number]

/** Policy that is built in: it decides by the terms of a market's source alone. */
export const SOURCE_TERMS_POLICY = 'pol_source_terms'

/** Reason for a market that no evaluation has decided about yet. */
export const NOT_EVALUATED = 'NOT_EVALUATED'

/** Facts that are words. */
const WORD_FACTS = ['source_permitted', 'venue_id', 'category', 'market_status'] as const

/** Facts that are decimals that are not negative. */
const DECIMAL_FACTS = [
  'rating_score',
  ...RATING_COMPONENTS,
  'volume_24h',
  'open_interest',
  'liquidity_notional',
  'median_daily_volume',
  'spread',
  'venue_uptime',
] as const

/**
 * Facts that the rules of a policy may name.
 *   source_permitted     true or false: the terms of its source allow it in indexes
 *   time_to_resolution   from the instant of the evaluation to the expected resolution, in milliseconds
 *   rating_band          band of the rating in force; its scores are facts too
 *   median_daily_volume  of the whole UTC days before, from the first public trade on, 30 at most
 *   spread               ask - bid of the last two-sided quote of the first outcome
 *   venue_uptime         share of the known time of 90 days in which the venue was not down for our ingest
 */
export const ELIGIBILITY_FACTS = [...WORD_FACTS, 'time_to_resolution', 'rating_band', ...DECIMAL_FACTS] as const
export type FactName = (typeof ELIGIBILITY_FACTS)[number]

/** Facts by which a selection can rank markets. */
export const RANKING_FACTS = DECIMAL_FACTS
export type RankingFact = (typeof RANKING_FACTS)[number]

/** Kind of a fact, which decides the bounds that a rule may set. */
export type FactKind = 'word' | 'duration' | 'band' | 'decimal'

/** Returns the kind of a fact. */
export function factKind(fact: FactName): FactKind {
  if (fact === 'time_to_resolution') return 'duration'
  if (fact === 'rating_band') return 'band'
  return WORD_FACTS.some((name) => name === fact) ? 'word' : 'decimal'
}

/** Rhythms of a scheduled rebalance; quarterly: March, June, September and December. */
export const REBALANCE_SCHEDULES = ['weekly', 'monthly', 'quarterly'] as const
export type RebalanceSchedule = (typeof REBALANCE_SCHEDULES)[number]

/** Days of the week, from that of 1970-01-01. */
export const WEEKDAYS = ['thursday', 'friday', 'saturday', 'sunday', 'monday', 'tuesday', 'wednesday'] as const
export type Weekday = (typeof WEEKDAYS)[number]

/** Orders of a ranking. */
export const RANKING_ORDERS = ['descending', 'ascending'] as const
export type RankingOrder = (typeof RANKING_ORDERS)[number]

/** Reasons of a selection about one candidate. */
export const SELECTION_REASONS = [
  'NOT_ELIGIBLE',
  'RANKING_FACT_UNKNOWN',
  'KEPT_BY_BUFFER',
  'RANK_BEYOND_COUNT',
  'VENUE_FULL',
  'EVENT_FULL',
] as const
export type SelectionReason = (typeof SELECTION_REASONS)[number]

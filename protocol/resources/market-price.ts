import Type, { type Static } from 'typebox'
import { QUALITY_STATES } from '../../vocabulary/index-level.ts'
import { MARKET_STATUSES, OBSERVED_FIELDS } from '../../vocabulary/market.ts'
import { appendOnly, Count, closed, Id, Instant, orNull, Price, Quantity, Sequence, Text, texts } from '../scalars.ts'

/** Prices of one outcome. A derived value names its rule and the observations it derives from. */
const OutcomePrice = Type.Object(
  {
    outcome_id: Id,
    best_bid: orNull(Price),
    best_ask: orNull(Price),
    midpoint: orNull(Price),
    last_trade: orNull(Price, 'newest valid trade of the tape; where no trade is known, the one that the quote states'),
    last_trade_at: orNull(Instant, 'when the last trade was made; null: no trade, or the quote states no time'),
    mark: orNull(Price),
    implied_probability: orNull(Price),
    spread: orNull(
      Type.String({ pattern: '^-?(0|1)(\\.\\d+)?$', description: 'ask - bid; negative if the book is crossed' }),
    ),
    bid_depth: orNull(Quantity),
    ask_depth: orNull(Quantity),
    derived: Type.Boolean({ description: 'true: a side or the mark derives from the other outcome' }),
    derivation_rule: orNull(Text),
    source_observation_ids: Type.Array(Id),
    mark_rule: orNull(Text),
    mark_observation_id: orNull(Id),
  },
  { ...closed, title: 'OutcomePrice' },
)

/** The newest quotes and marks of a market. */
export const MarketPrice = Type.Object(
  {
    market_id: Id,
    market_status: orNull(texts(MARKET_STATUSES)),
    outcomes: Type.Array(OutcomePrice),
    venue_id: Text,
    source_market_id: Text,
    source_series_id: orNull(Text),
    source_sequence: orNull(Sequence),
    source_at: Instant,
    received_at: Instant,
    published_at: Instant,
    freshness_ms: Type.Optional(Count),
    quality_state: texts(QUALITY_STATES),
    methodology_id: orNull(Id),
    methodology_version: orNull(Text),
  },
  { ...closed, title: 'MarketPrice' },
)
export type MarketPrice = Static<typeof MarketPrice>

/** A venue's quote with all of its values; marks derive from it. */
const QuoteRecord = Type.Object(
  {
    bid: orNull(Price),
    ask: orNull(Price),
    bid_depth: orNull(Quantity),
    ask_depth: orNull(Quantity),
    last_trade: orNull(Price),
    last_trade_at: orNull(Instant),
    reported_probability: orNull(Price),
    confirmed_at: orNull(Instant),
  },
  { ...closed, title: 'QuoteRecord' },
)

/** One observed or derived value of one outcome. The single read includes the whole quote of an observed value, null for a derived one. */
export const MarketObservation = Type.Object(
  {
    observation_id: Id,
    ...appendOnly,
    market_id: Id,
    outcome_id: Id,
    field: texts(OBSERVED_FIELDS),
    value: Price,
    venue_id: Text,
    source_series_id: orNull(Text),
    source_market_id: Text,
    source_observation_ids: Type.Array(Id),
    derived: Type.Boolean(),
    derivation_rule: orNull(Text),
    quality_state: texts(QUALITY_STATES),
    source_at: Instant,
    received_at: orNull(Instant),
    calculated_at: orNull(Instant),
    published_at: Instant,
    schema_version: Text,
    methodology_id: orNull(Id),
    methodology_version: orNull(Text),
    quote: Type.Optional(orNull(QuoteRecord)),
  },
  { ...closed, title: 'MarketObservation' },
)
export type MarketObservation = Static<typeof MarketObservation>

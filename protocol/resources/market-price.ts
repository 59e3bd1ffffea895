import Type, { type Static } from 'typebox'
import { QUALITY_STATES } from '../../vocabulary/index-level.ts'
import { BOOK_REASONS, IMPLIED_REASONS, MARKET_STATUSES, OBSERVED_FIELDS } from '../../vocabulary/market.ts'
import {
  appendOnly,
  Count,
  closed,
  Id,
  Instant,
  instantOf,
  orNull,
  Price,
  Quantity,
  Sequence,
  Text,
  texts,
} from '../scalars.ts'

/** A value that was computed from other observations. */
const Derivation = Type.Object(
  {
    field: Type.String({ description: 'name of the value in the same object' }),
    derivation_rule: Type.String({ description: 'code of the rule of the mark, or the rule in words' }),
    source_observation_ids: Type.Array(Id, {
      description:
        'observations from which the rule gives the value again; an order book is named by its own id. Empty: prices of a market listed on Tidemark that are not stored yet, shown in the same object',
    }),
  },
  { ...closed, title: 'Derivation' },
)

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
    implied_reason: orNull(
      texts(
        IMPLIED_REASONS,
        'why a mark implies no probability: another outcome has no mark, or the marks of more than two outcomes sum to something too far from 1; null: it implies one, or there is no mark',
      ),
    ),
    spread: orNull(Price),
    book_reason: orNull(
      texts(
        BOOK_REASONS,
        'why the book gives no midpoint and no spread: its sides are crossed, or the market is paused and a side is there; null: the book counts, or an open market lacks a side',
      ),
    ),
    book_sequence: orNull(
      Type.Integer({
        minimum: 0,
        description:
          'sequence of the order book whose top these best prices and depths are; null: a newer quote differs from it (then newer_quote_at of the book is not null), or there is no book',
      }),
    ),
    bid_depth: orNull(Quantity),
    ask_depth: orNull(Quantity),
    derived: Type.Boolean({
      description:
        'true: the sides or the mark are one minus those of the other outcome; derivations lists every computed value',
    }),
    derivation_rule: orNull(Text),
    source_observation_ids: Type.Array(Id),
    derivations: Type.Array(Derivation, {
      description: 'every computed value of this object; all others are observed',
    }),
    mark_rule: orNull(Text),
    mark_at: orNull(instantOf('tick that the mark is of; it has held since, as a mark is published when it changes')),
    mark_observation_id: orNull(Id),
    confirmed_at: orNull(
      instantOf(
        'latest instant at which the source was known to still show these prices; null: there are none, or the market is listed on Tidemark (see freshness_ms)',
      ),
    ),
    quality_state: texts(QUALITY_STATES),
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

/** Error that the price of a market is answered with. */
export const MarketPriceRefusal = Type.Object({ code: Text, message: Text }, { ...closed, title: 'MarketPriceRefusal' })

/** A venue's quote with all of its values; marks derive from it. */
export const QuoteRecord = Type.Object(
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
    tick_at: orNull(
      instantOf('tick that a mark or midpoint is of, by which candles of it are made; null: an observed value'),
    ),
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

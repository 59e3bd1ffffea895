import Type, { type Static } from 'typebox'
import { CANDLE_FIELDS, ELIGIBILITIES, MARKET_STATUSES } from '../../vocabulary/market.ts'
import { RATING_BANDS } from '../../vocabulary/rating.ts'
import { REVIEW_STATES } from '../../vocabulary/review.ts'
import { closed, Decimal, Duration, Id, Instant, instantOf, orNull, Price, Quantity, Text, texts } from '../scalars.ts'
import { MarketPrice, MarketPriceRefusal } from './market-price.ts'

export const MarketOutcome = Type.Object(
  {
    outcome_id: Id,
    label: Text,
    status: orNull(Text),
    payout_value: orNull(Decimal),
    complementary_outcome_id: orNull(
      Id,
      'the other outcome of a complementary market, whose orders meet those of this one; null: the outcome has a book of its own',
    ),
  },
  { ...closed, title: 'MarketOutcome' },
)

const MarketRules = Type.Object(
  {
    rules_version: orNull(Text),
    resolution_question: orNull(Text),
    resolution_sources: Type.Array(Text),
    resolution_criteria: orNull(Text),
    dispute_policy_uri: orNull(Text),
    timezone: orNull(Text),
  },
  { ...closed, title: 'MarketRules' },
)

const MarketSchedule = Type.Object(
  { opens_at: orNull(Instant), closes_at: orNull(Instant), expected_resolution_at: orNull(Instant) },
  { ...closed, title: 'MarketSchedule' },
)

/** Bounds and increments of orders; null: the venue states none. */
const TradingParameters = Type.Object(
  {
    price_min: orNull(Decimal),
    price_max: orNull(Decimal),
    price_increment: orNull(Decimal),
    quantity_increment: orNull(Decimal),
    minimum_quantity: orNull(Decimal),
    settlement_asset_id: orNull(Text),
    shorting_permitted: orNull(Type.Boolean()),
    complementary: orNull(
      Type.Boolean({
        description: 'true: orders of both outcomes meet on one ladder of prices; null: the venue does not state it',
      }),
    ),
  },
  { ...closed, title: 'TradingParameters' },
)

const VenueMapping = Type.Object(
  {
    venue_id: Text,
    source_market_id: Text,
    source_outcome_ids: Type.Array(Text),
    mapping_version: orNull(Text),
    valid_from: orNull(Instant),
    valid_to: orNull(Instant),
  },
  { ...closed, title: 'VenueMapping' },
)

/** Decision of a versioned policy whether indexes may use the market. */
const Eligibility = Type.Object(
  {
    status: texts(ELIGIBILITIES),
    policy_id: Text,
    policy_version: Type.Integer({ minimum: 1 }),
    reason_codes: Type.Array(Text),
    evaluated_at: Instant,
  },
  { ...closed, title: 'Eligibility' },
)

/** Size of the market as last stated by its venue, in the venue's unit. */
const MarketMetrics = Type.Object(
  {
    volume_24h: orNull(Quantity),
    open_interest: orNull(Quantity),
    liquidity_notional: orNull(Quantity),
    observed_at: Instant,
  },
  { ...closed, title: 'MarketMetrics' },
)

/** The last 24 hours of a market's first outcome, as its candles show them. */
const MarketDay = Type.Object(
  {
    outcome_id: Id,
    field: texts(CANDLE_FIELDS),
    interval: Duration,
    start_time: instantOf('a day before the hour of the newest record of the price'),
    end_time: Instant,
    open: orNull(
      Price,
      'open of the first candle if it begins within the first hour; null: nothing was published then, and a change is not known',
    ),
    closes: Type.Array(Type.Object({ bucket_start: Instant, close: Price }, { ...closed, title: 'MarketDayClose' }), {
      description: 'close of each candle, oldest first; a bucket without a price is left out',
    }),
  },
  { ...closed, title: 'MarketDay' },
)

/** Rating in force, in short; band NR and otherwise null: there is none. */
const RatingInForce = Type.Object(
  {
    rating_id: orNull(Id),
    band: texts(RATING_BANDS),
    score: orNull(Decimal),
    confidence: orNull(Decimal),
    review_state: orNull(texts(REVIEW_STATES)),
    methodology_id: orNull(Id),
    methodology_version: orNull(Text),
    effective_from: orNull(Instant),
    published_at: orNull(Instant),
  },
  { ...closed, title: 'RatingInForce' },
)
export type RatingInForce = Static<typeof RatingInForce>

/** Fields that `expand` adds to a market of a list; each is what the market's own endpoint answers. */
const EXPANDED = {
  price: Type.Optional(orNull(MarketPrice, 'expand=price; null: price_error says why')),
  price_error: Type.Optional(orNull(MarketPriceRefusal, 'expand=price or day; null: the price is known')),
  day: Type.Optional(orNull(MarketDay, 'expand=day; null: the price is not known')),
  rating: Type.Optional(RatingInForce),
} as const

/** A market: one question with its outcomes. */
export const Market = Type.Object(
  {
    market_id: Id,
    event_id: Id,
    slug: orNull(Text),
    title: Text,
    category: orNull(Text),
    status: orNull(texts(MARKET_STATUSES)),
    outcome_type: Text,
    outcomes: Type.Array(MarketOutcome),
    rules: orNull(MarketRules),
    schedule: orNull(MarketSchedule),
    trading_parameters: orNull(TradingParameters),
    venue_mapping: orNull(VenueMapping),
    eligibility: orNull(Eligibility),
    metrics: orNull(MarketMetrics),
    created_at: orNull(Instant),
    updated_at: Instant,
    source_at: Instant,
    published_at: Instant,
    simulated: Type.Boolean({
      description: 'true: the data of its venue in this warehouse is invented; no real market is behind it',
    }),
    ...EXPANDED,
  },
  { ...closed, title: 'Market' },
)
export type Market = Static<typeof Market>

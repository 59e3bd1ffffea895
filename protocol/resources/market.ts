import Type, { type Static } from 'typebox'
import { ELIGIBILITIES, MARKET_STATUSES } from '../../vocabulary/market.ts'
import { closed, Decimal, Id, Instant, orNull, Quantity, Text, texts } from '../scalars.ts'

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
    policy_version: Text,
    reason_codes: Type.Array(Text),
    evaluated_at: Instant,
  },
  { ...closed, title: 'Eligibility' },
)

/** Size of the market as last stated by its venue, in the venue's asset. */
const MarketMetrics = Type.Object(
  {
    volume_24h: orNull(Quantity),
    open_interest: orNull(Quantity),
    liquidity_notional: orNull(Quantity),
    observed_at: Instant,
  },
  { ...closed, title: 'MarketMetrics' },
)

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
  },
  { ...closed, title: 'Market' },
)
export type Market = Static<typeof Market>

import Type, { type Static } from 'typebox'
import { LIQUIDITY_ROLES, MATCH_KINDS, SIDES } from '../../vocabulary/order.ts'
import { SETTLEMENT_STATES } from '../../vocabulary/settlement.ts'
import {
  Count,
  closed,
  Decimal,
  EpochMillis,
  Id,
  Instant,
  orNull,
  Price,
  Quantity,
  Sequence,
  Text,
  texts,
} from '../scalars.ts'

/** Fee charged, and the schedule that set it. */
const FillFee = Type.Object(
  { amount: Decimal, asset_id: Id, rate: Quantity, schedule_id: Text, schedule_version: Count },
  { ...closed, title: 'FillFee' },
)

/** Part of a match in a complementary market: a set of both outcomes is destroyed or made, or one outcome changes hands. */
export const FillSegment = Type.Object(
  { match_kind: texts(MATCH_KINDS), outcome_id: orNull(Id), quantity: Quantity },
  { ...closed, title: 'FillSegment' },
)

/** The caller's side of one match; immutable, except for its settlement state and later adjustments. */
export const Fill = Type.Object(
  {
    fill_id: Id,
    trade_id: Id,
    order_id: Id,
    client_order_id: Text,
    account_id: Id,
    market_id: Id,
    outcome_id: Id,
    side: texts(SIDES),
    price: Price,
    quantity: Quantity,
    notional: Quantity,
    liquidity_role: texts(LIQUIDITY_ROLES),
    closed_quantity: orNull(Quantity),
    segments: orNull(Type.Array(FillSegment)),
    fee: FillFee,
    counterparty_type: texts(['participant']),
    engine_sequence: Sequence,
    matched_at: Instant,
    matched_at_ts_ms: EpochMillis,
    published_at: Instant,
    settlement_id: Id,
    settlement_state: texts(SETTLEMENT_STATES),
    adjustment_ids: Type.Array(Id),
    schema_version: Text,
  },
  { ...closed, title: 'Fill' },
)
export type Fill = Static<typeof Fill>

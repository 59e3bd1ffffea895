import Type, { type Static } from 'typebox'
import { closed, Decimal, Id, Instant, orNull, Quantity, Sequence, texts } from '../scalars.ts'

/** An account's holding of one outcome; negative: short. P&L without a mark is null, never 0. */
export const Position = Type.Object(
  {
    position_id: Id,
    account_id: Id,
    market_id: Id,
    outcome_id: Id,
    net_quantity: Decimal,
    settled_quantity: Decimal,
    unsettled_quantity: Decimal,
    reserved_sell_quantity: Quantity,
    available_to_sell: Quantity,
    average_entry_price: orNull(Decimal),
    mark_price: orNull(Decimal),
    mark_observation_id: orNull(Id),
    pricing_method: orNull(texts(['last_delivered_mark'])),
    cost_basis: Decimal,
    market_value: orNull(Decimal),
    realized_pnl: Decimal,
    unrealized_pnl: orNull(Decimal),
    pnl_asset_id: Id,
    pending_settlement_ids: Type.Array(Id),
    source_fill_sequence: Sequence,
    projection_version: Sequence,
    engine_sequence: Sequence,
    as_of: Instant,
  },
  { ...closed, title: 'Position' },
)
export type Position = Static<typeof Position>

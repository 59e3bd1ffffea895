import Type, { type Static } from 'typebox'
import { Count, closed, Id, Instant, orNull, Quantity, Sequence } from '../scalars.ts'

/** Protection of an account in one market: its limits, and its last trigger. */
export const MarketMakerProtection = Type.Object(
  {
    account_id: Id,
    market_id: Id,
    fill_count_max: Count,
    quantity_max: orNull(Quantity, 'filled quantity within the window; null: no limit'),
    window_ms: Count,
    frozen_ms: Count,
    frozen_until: orNull(Instant, 'orders are refused until then; null: not triggered, or reset since'),
    triggered_at: orNull(Instant, 'last trigger'),
    trigger_count: Count,
    updated_at: Instant,
    engine_sequence: Sequence,
  },
  { ...closed, title: 'MarketMakerProtection' },
)
export type MarketMakerProtection = Static<typeof MarketMakerProtection>

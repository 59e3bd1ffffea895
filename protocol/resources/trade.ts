import Type, { type Static } from 'typebox'
import { TRADE_CORRECTIONS, TRADE_KINDS } from '../../vocabulary/market.ts'
import { SIDES } from '../../vocabulary/order.ts'
import { closed, Id, Instant, orNull, Price, Quantity, Sequence, Text, texts } from '../scalars.ts'
import { FillSegment } from './fill.ts'

const TradeCorrection = Type.Object(
  { kind: texts(TRADE_CORRECTIONS), supersedes_trade_id: orNull(Id) },
  { ...closed, title: 'TradeCorrection' },
)

/**
 * One public trade; immutable: a correction is another record. The tape of a complementary market has it once, as the taker's order named
 * it; the tape of the other outcome shows the same trade as derived.
 */
export const Trade = Type.Object(
  {
    trade_id: Id,
    market_id: Id,
    outcome_id: Id,
    price: Price,
    quantity: Quantity,
    aggressor_side: orNull(texts(SIDES)),
    venue_id: Text,
    source_series_id: orNull(Text),
    source_trade_id: Text,
    source_trade_ids: Type.Array(Text, {
      description:
        "ids under which the venue's feeds reported the trade, its own first; a feed that reports it later adds its id",
    }),
    source_sequence: orNull(Sequence),
    source_at: Instant,
    received_at: Instant,
    published_at: Instant,
    correction: orNull(TradeCorrection),
    derived: Type.Boolean({
      description:
        'true: traded as the other outcome, and shown at one minus its price with the opposite aggressor_side',
    }),
    derivation_rule: orNull(Text, '`complement`; null: not derived'),
    match_kind: orNull(
      texts(
        TRADE_KINDS,
        'what became of the sets of a complementary market: made, destroyed, or one outcome changed hands; null: no such market',
      ),
    ),
    segments: Type.Array(FillSegment, {
      description: 'parts of the quantity by what became of the sets; empty where match_kind is null',
    }),
  },
  { ...closed, title: 'Trade' },
)
export type Trade = Static<typeof Trade>

import Type, { type Static } from 'typebox'
import { TRADE_CORRECTIONS } from '../../vocabulary/market.ts'
import { SIDES } from '../../vocabulary/order.ts'
import { closed, Id, Instant, orNull, Price, Quantity, Sequence, Text, texts } from '../scalars.ts'

const TradeCorrection = Type.Object(
  { kind: texts(TRADE_CORRECTIONS), supersedes_trade_id: orNull(Id) },
  { ...closed, title: 'TradeCorrection' },
)

/** One public trade; immutable: a correction is another record. */
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
  },
  { ...closed, title: 'Trade' },
)
export type Trade = Static<typeof Trade>

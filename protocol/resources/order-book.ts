import Type, { type Static } from 'typebox'
import { QUALITY_STATES } from '../../vocabulary/index-level.ts'
import { Count, closed, Id, Instant, instantOf, orNull, Price, Quantity, Sequence, Text, texts } from '../scalars.ts'

/** A part of a price level; order_count is null if the venue does not state it. */
const BookPart = Type.Object(
  {
    quantity: Quantity,
    order_count: orNull(Count),
    derived: Type.Boolean({ description: 'true: it rests as orders of the other outcome, or was computed from them' }),
    derivation_rule: orNull(Text, '`complement`: one minus the price of the other outcome, on the opposite side'),
  },
  { ...closed, title: 'BookPart' },
)

/** One price level. order_count is null if the venue does not state it. A delta's quantity "0" removes the level. */
const BookLevel = Type.Object(
  {
    price: Price,
    quantity: Quantity,
    order_count: orNull(Count),
    derived: Type.Boolean({ description: 'true: at least one part is derived' }),
    parts: Type.Array(BookPart, {
      description: 'parts of the level that do not derive alike; their sum is the level. A removed level has none',
    }),
  },
  { ...closed, title: 'BookLevel' },
)

/** The whole book of one outcome; its sequence is the one that the deltas of market.orderbook continue. */
export const OrderBook = Type.Object(
  {
    market_id: Id,
    outcome_id: Id,
    sequence: Sequence,
    bids: Type.Array(BookLevel),
    asks: Type.Array(BookLevel),
    asks_derived: Type.Boolean({
      description:
        "true: all asks are computed as 1 minus the other outcome's bids; false for a market listed on Tidemark, whose levels state their parts",
    }),
    source_at: Instant,
    received_at: Instant,
    published_at: Instant,
    quality_state: texts(QUALITY_STATES),
    confirmed_at: Type.Optional(
      instantOf(
        'latest instant at which the source was known to still show this top of book; not in stream deltas, nor for a market listed on Tidemark',
      ),
    ),
    newer_quote_at: Type.Optional(
      orNull(
        instantOf(
          "source_at of a newer quote whose best prices differ: books are stored once a minute, quotes at every change. null: the price view shows this book's top. Not in stream deltas, nor for a market listed on Tidemark",
        ),
      ),
    ),
  },
  { ...closed, title: 'OrderBook' },
)
export type OrderBook = Static<typeof OrderBook>

import Type, { type Static } from 'typebox'
import type { WouldFill } from '../../protocol/resources/would-fill.ts'
import { Count, closed, Decimal, Instant, orNull, Price, Quantity, Text, texts } from '../../protocol/scalars.ts'
import { ACCEPTANCES, FILL_WALK_ENDS } from '../../vocabulary/order.ts'
import type { Rejection } from '../order/order-errors.ts'

/** One start of a study: a preview of the past, as a flat row. Amounts of a rejected order are null. */
export const FillRow = Type.Object(
  {
    as_of: Instant,
    until: Instant,
    status: texts(ACCEPTANCES),
    rejection_code: orNull(Text),
    best_bid: orNull(Price),
    best_ask: orNull(Price),
    taken_quantity: orNull(Quantity),
    taken_average_price: orNull(Decimal),
    taken_fee: orNull(Quantity),
    resting_quantity: orNull(Quantity),
    ahead_quantity: orNull(Quantity),
    ahead_order_count: orNull(Count),
    pessimistic_filled_quantity: orNull(Quantity),
    pessimistic_busted_quantity: orNull(Quantity),
    pessimistic_completed_at: orNull(Instant),
    optimistic_filled_quantity: orNull(Quantity),
    optimistic_busted_quantity: orNull(Quantity),
    optimistic_completed_at: orNull(Instant),
    end_reason: orNull(texts(FILL_WALK_ENDS)),
    ended_at: orNull(Instant),
  },
  { ...closed, title: 'FillRow' },
)
export type FillRow = Static<typeof FillRow>

const NOTHING = {
  best_bid: null,
  best_ask: null,
  taken_quantity: null,
  taken_average_price: null,
  taken_fee: null,
  resting_quantity: null,
  ahead_quantity: null,
  ahead_order_count: null,
  pessimistic_filled_quantity: null,
  pessimistic_busted_quantity: null,
  pessimistic_completed_at: null,
  optimistic_filled_quantity: null,
  optimistic_busted_quantity: null,
  optimistic_completed_at: null,
  end_reason: null,
  ended_at: null,
} as const

/** Returns the row of an order that a rule would have rejected. */
export function rejectedRow({ code }: Pick<Rejection, 'code'>, range: Pick<FillRow, 'as_of' | 'until'>): FillRow {
  return { ...range, status: 'rejected', rejection_code: code, ...NOTHING }
}

/** Returns the row of an answer. */
export function fillRowOf({ until, book, taken, resting, ...walked }: WouldFill, as_of: string): FillRow {
  const { pessimistic, optimistic, end_reason, ended_at } = walked
  return {
    as_of,
    until,
    status: 'accepted',
    rejection_code: null,
    best_bid: book.bids[0]?.price ?? null,
    best_ask: book.asks[0]?.price ?? null,
    taken_quantity: taken.quantity,
    taken_average_price: taken.average_price,
    taken_fee: taken.fee,
    resting_quantity: resting?.quantity ?? null,
    ahead_quantity: resting?.ahead_quantity ?? null,
    ahead_order_count: resting?.ahead_order_count ?? null,
    pessimistic_filled_quantity: pessimistic.filled_quantity,
    pessimistic_busted_quantity: pessimistic.busted_quantity,
    pessimistic_completed_at: pessimistic.completed_at,
    optimistic_filled_quantity: optimistic.filled_quantity,
    optimistic_busted_quantity: optimistic.busted_quantity,
    optimistic_completed_at: optimistic.completed_at,
    end_reason,
    ended_at,
  }
}

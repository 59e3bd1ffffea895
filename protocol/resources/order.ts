import Type, { type Static } from 'typebox'
import {
  ACCEPTANCES,
  ORDER_STATUSES,
  SELF_TRADE_MODES,
  SIDES,
  TERMINAL_REASONS,
  TIMES_IN_FORCE,
} from '../../vocabulary/order.ts'
import { ErrorObject } from '../envelope.ts'
import { byTerm } from '../order/order-terms.ts'
import {
  Address,
  ClientCancelId,
  ClientOrderId,
  Labels,
  QuoteSetId,
  SignatureType,
  Uint256,
} from '../requests/order-request.ts'
import { Count, closed, Decimal, Id, Instant, orNull, Quantity, Sequence, Text, texts } from '../scalars.ts'

// The quantity is shown as original_quantity.
const { quantity: _, ...TERMS } = byTerm({
  account_id: Id,
  market_id: Id,
  outcome_id: Id,
  side: texts(SIDES),
  order_type: texts(['limit']),
  decimal: Quantity,
  time_in_force: texts(TIMES_IN_FORCE),
  expiry: orNull(Instant),
  flag: Type.Boolean(),
  self_trade_prevention: texts(SELF_TRADE_MODES),
  asset_id: Id,
})

const projection = {
  order_id: Id,
  client_order_id: ClientOrderId,
  command_id: Id,
  ...TERMS,
  signer: Address,
  signature_type: SignatureType,
  signature_version: Text,
  order_nonce: Uint256,
  labels: orNull(Labels),
  quote_set_id: orNull(QuoteSetId),
  status: texts(ORDER_STATUSES),
  version: Count,
  terminal_reason: orNull(texts(TERMINAL_REASONS)),
  rejection: orNull(ErrorObject),
  original_quantity: Quantity,
  filled_quantity: Quantity,
  remaining_quantity: Quantity,
  canceled_quantity: Quantity,
  trimmed_quantity: Quantity,
  average_fill_price: orNull(Decimal),
  filled_notional: Quantity,
  accrued_fee: Decimal,
  reserved_amount: Quantity,
  fee_schedule_id: orNull(Text),
  fee_schedule_version: orNull(Count),
  policy_id: Text,
  policy_version: Count,
  replaced_by_order_id: orNull(Id),
  cancel_command_id: orNull(Id),
  client_cancel_id: orNull(ClientCancelId),
  cancel_reason: orNull(Text),
  engine_sequence: Sequence,
  created_at: Instant,
  updated_at: Instant,
  received_at: Instant,
  validated_at: orNull(Instant),
  acknowledged_at: Instant,
  rejected_at: orNull(Instant),
  opened_at: orNull(Instant),
  partially_filled_at: orNull(Instant),
  filled_at: orNull(Instant),
  cancel_pending_at: orNull(Instant),
  canceled_at: orNull(Instant),
  expired_at: orNull(Instant),
  suspended_at: orNull(Instant),
  failed_at: orNull(Instant),
} as const

/** An order as acknowledged, in lists and on streams. */
export const Order = Type.Object(projection, { ...closed, title: 'Order' })
export type Order = Static<typeof Order>

/** A match with an own order that self-trade prevention kept from happening. */
export const PreventedMatch = Type.Object(
  {
    prevented_match_id: Id,
    taker_order_id: Id,
    maker_order_id: Id,
    mode: texts(SELF_TRADE_MODES),
    price: Quantity,
    quantity: Quantity,
    prevented_at: Instant,
    engine_sequence: Sequence,
  },
  { ...closed, title: 'PreventedMatch' },
)
export type PreventedMatch = Static<typeof PreventedMatch>

/** One order with its links. */
export const OrderDetail = Type.Object(
  {
    ...projection,
    fill_ids: Type.Array(Id),
    settlement_ids: Type.Array(Id),
    prevented_matches: Type.Array(PreventedMatch),
  },
  { ...closed, title: 'OrderDetail' },
)
export type OrderDetail = Static<typeof OrderDetail>

/** The order that was replaced, and the one in its place. */
export const AmendedOrder = Type.Object({ ...projection, replacement: Order }, { ...closed, title: 'AmendedOrder' })
export type AmendedOrder = Static<typeof AmendedOrder>

const ITEM = {
  index: Count,
  status: texts(ACCEPTANCES),
  order: orNull(Order),
  error: orNull(ErrorObject),
} as const

/** Result of one amend of a batch: the order that was named, as it is now, and the one in its place. */
export const AmendItem = Type.Object(
  { ...ITEM, order_id: Id, replacement: orNull(Order) },
  { ...closed, title: 'AmendItem' },
)
export type AmendItem = Static<typeof AmendItem>

/** Result of one order of a batch, at the ordinal at which it was sent. */
export const BatchItem = Type.Object({ ...ITEM, order_id: orNull(Id) }, { ...closed, title: 'BatchItem' })
export type BatchItem = Static<typeof BatchItem>

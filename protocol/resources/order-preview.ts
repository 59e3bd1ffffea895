import Type, { type Static } from 'typebox'
import { ACCEPTANCES, ORDER_STATUSES, SELF_TRADE_MODES, SIDES, TERMINAL_REASONS } from '../../vocabulary/order.ts'
import { ErrorObject } from '../envelope.ts'
import { Count, closed, Decimal, Id, Instant, orNull, Price, Quantity, Text, texts } from '../scalars.ts'
import { WouldFill } from './would-fill.ts'

/** The part of an order that closes a holding, or opens one, at the order's limit: in a complementary market. */
const PreviewPart = Type.Object({ outcome_id: Id, quantity: Quantity, price: Decimal }, closed)

/** An own resting order that the order would meet before it could trade further. */
const OwnOrder = Type.Object(
  {
    order_id: Id,
    client_order_id: Text,
    outcome_id: Id,
    side: texts(SIDES),
    price: Price,
    prevented_quantity: Quantity,
    canceled_quantity: Quantity,
  },
  { ...closed, title: 'PreviewedOwnOrder' },
)

const SelfTradePrevention = Type.Object(
  {
    mode: texts(SELF_TRADE_MODES),
    ends_order: Type.Boolean(),
    own_orders: Type.Array(OwnOrder),
    own_orders_omitted: Count,
    canceled_quantity: Quantity,
  },
  {
    ...closed,
    title: 'PreviewedSelfTradePrevention',
    description:
      'own resting orders in the way, in the order in which they would be met; prices are of the previewed outcome. canceled_quantity: what of them would be canceled; 0 with cancel_taker',
  },
)

/** Effect that an order would have if it were placed now. Nothing is stored: no nonce and no id is used. */
export const OrderPreview = Type.Object(
  {
    account_id: Id,
    market_id: Id,
    outcome_id: Id,
    status: texts(ACCEPTANCES),
    rejection: orNull(ErrorObject),
    working_quantity: orNull(Quantity),
    executable_quantity: orNull(Quantity),
    average_executable_price: orNull(Decimal),
    closes: orNull(PreviewPart),
    opens: orNull(PreviewPart),
    reserved_amount: orNull(Quantity),
    maximum_fee_charged: orNull(Quantity),
    available_before: orNull(Quantity),
    order_status: orNull(
      texts(ORDER_STATUSES),
      'the state in which placing would leave the order; null for a past as_of',
    ),
    terminal_reason: orNull(
      texts(TERMINAL_REASONS),
      'why the order would end at once; null if it would not, or be filled',
    ),
    self_trade_prevention: orNull(SelfTradePrevention, 'null: the order would meet no own one'),
    as_of: Instant,
    would_fill: Type.Optional(
      orNull(WouldFill, 'only for a past as_of: how the order would have filled; null if it would have been rejected'),
    ),
  },
  { ...closed, title: 'OrderPreview' },
)
export type OrderPreview = Static<typeof OrderPreview>

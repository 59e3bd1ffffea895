import Type, { type Static } from 'typebox'
import { ACCEPTANCES } from '../../vocabulary/order.ts'
import { ErrorObject } from '../envelope.ts'
import { closed, Decimal, Id, Instant, orNull, Quantity, texts } from '../scalars.ts'
import { WouldFill } from './would-fill.ts'

/** The part of an order that closes a holding, or opens one, at the order's limit: in a complementary market. */
const PreviewPart = Type.Object({ outcome_id: Id, quantity: Quantity, price: Decimal }, closed)

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
    as_of: Instant,
    would_fill: Type.Optional(
      orNull(WouldFill, 'only for a past as_of: how the order would have filled; null if it would have been rejected'),
    ),
  },
  { ...closed, title: 'OrderPreview' },
)
export type OrderPreview = Static<typeof OrderPreview>

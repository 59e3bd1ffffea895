import Type, { type Static } from 'typebox'
import { ORDER_STATUSES, TERMINAL_REASONS } from '../../vocabulary/order.ts'
import { ClientOrderId, QuoteSetId } from '../requests/order-request.ts'
import { closed, Id, orNull, Quantity, Sequence, texts } from '../scalars.ts'
import { BatchItem } from './order.ts'

/** An order of the former ladder. */
const EndedQuote = Type.Object(
  {
    order_id: Id,
    client_order_id: ClientOrderId,
    status: texts(ORDER_STATUSES),
    terminal_reason: orNull(texts(TERMINAL_REASONS)),
    canceled_quantity: Quantity,
    filled_quantity: Quantity,
    engine_sequence: Sequence,
  },
  { ...closed, title: 'EndedQuote' },
)
export type EndedQuote = Static<typeof EndedQuote>

/** Result of a mass quote: every order of the former ladder as it ended, and one result for each order of the new one. */
export const MassQuoteResult = Type.Object(
  {
    command_id: Id,
    market_id: Id,
    quote_set_id: QuoteSetId,
    canceled: Type.Array(EndedQuote, { description: 'the former ladder, oldest first' }),
    orders: Type.Array(BatchItem, { description: 'the new ladder, in the order given' }),
  },
  { ...closed, title: 'MassQuoteResult' },
)
export type MassQuoteResult = Static<typeof MassQuoteResult>

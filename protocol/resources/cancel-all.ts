import Type, { type Static } from 'typebox'
import { ORDER_STATUSES } from '../../vocabulary/order.ts'
import { ErrorObject } from '../envelope.ts'
import { CANCELED_LISTED_MAX } from '../limits.ts'
import { Count, closed, Id, Instant, orNull, Quantity, Sequence, Text, texts } from '../scalars.ts'

/** Result of a cancel-all: every order up to its cutoff that matches the scope. */
export const CancelAllResult = Type.Object(
  {
    command_id: Id,
    scope: Type.Record(Text, Type.Union([Text, Type.Boolean()])),
    targeted_count: Count,
    pending_count: Type.Integer({
      minimum: 0,
      description: 'targeted orders that are still being canceled; none of them executes any more',
    }),
    orders: Type.Array(
      Type.Object(
        {
          order_id: Id,
          status: texts(ORDER_STATUSES),
          canceled_quantity: Quantity,
          filled_quantity: Quantity,
          engine_sequence: Sequence,
        },
        { ...closed, title: 'CanceledOrder' },
      ),
      {
        maxItems: CANCELED_LISTED_MAX,
        description:
          'the oldest targeted orders; GET /v1/orders?command_id= lists every order that the request canceled',
      },
    ),
    failures: Type.Array(Type.Object({ order_id: Id, error: ErrorObject }, { ...closed, title: 'CancelFailure' })),
    engine_cutoff_sequence: Sequence,
    resume_cursor: Type.Object(
      { engine_sequence: Sequence, epoch: Text, after_seq: Sequence },
      {
        ...closed,
        title: 'ResumeCursor',
        description: 'cursor of the stream of the account: later events continue from it',
      },
    ),
  },
  { ...closed, title: 'CancelAllResult' },
)
export type CancelAllResult = Static<typeof CancelAllResult>

/** State of the dead-man's switch; null: not armed. */
export const CancelAfter = Type.Object(
  { account_id: Id, timeout_ms: orNull(Count), cancel_at: orNull(Instant) },
  { ...closed, title: 'CancelAfter' },
)
export type CancelAfter = Static<typeof CancelAfter>

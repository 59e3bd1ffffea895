import Type, { type Static } from 'typebox'
import { TRANSFER_DIRECTIONS, TRANSFER_STATES } from '../../vocabulary/transfer.ts'
import { Count, closed, Id, Instant, orNull, Quantity, Sequence, Text, texts } from '../scalars.ts'

/** A deposit or withdrawal that the account asked for; an open withdrawal is part of withdrawal_hold. */
export const Transfer = Type.Object(
  {
    transfer_id: Id,
    account_id: Id,
    direction: texts(TRANSFER_DIRECTIONS),
    asset_id: Id,
    amount: Quantity,
    destination: orNull(Text, 'where a withdrawal goes'),
    state: texts(TRANSFER_STATES),
    requested_at: Instant,
    updated_at: Instant,
    external_reference: orNull(Text, 'reference of the rail that ended it'),
    reason: orNull(Text, 'why it failed or was canceled'),
    projection_version: Count,
    engine_sequence: Sequence,
  },
  { ...closed, title: 'Transfer' },
)
export type Transfer = Static<typeof Transfer>

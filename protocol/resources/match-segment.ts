import Type from 'typebox'
import { MATCH_KINDS } from '../../vocabulary/order.ts'
import { closed, Id, orNull, Quantity, texts } from '../scalars.ts'

/** A part of a match in a complementary market. */
export const MatchSegment = Type.Object(
  {
    match_kind: texts(MATCH_KINDS),
    outcome_id: orNull(Id, 'the outcome that changed hands; null: sets of both were made or destroyed'),
    quantity: Quantity,
  },
  { ...closed, title: 'MatchSegment' },
)

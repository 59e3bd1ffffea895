import Type, { type Static } from 'typebox'
import { ADJUSTMENT_TYPES } from '../../vocabulary/settlement.ts'
import { closed, Decimal, Id, Instant, orNull, Sequence, Text, texts } from '../scalars.ts'

/** A correction of one fill; the fill itself does not change. */
export const Adjustment = Type.Object(
  {
    adjustment_id: Id,
    fill_id: Id,
    account_id: Id,
    adjustment_type: texts(ADJUSTMENT_TYPES),
    quantity_delta: Decimal,
    notional_delta: Decimal,
    fee_delta: Decimal,
    reason_code: Text,
    rationale: Text,
    evidence: Type.Array(Text),
    actor: Text,
    approval: Type.Object({ approved_by: Text, approved_at: Instant }, { ...closed, title: 'Approval' }),
    effective_at: Instant,
    published_at: Instant,
    supersedes_adjustment_id: orNull(Id),
    engine_sequence: Sequence,
  },
  { ...closed, title: 'Adjustment' },
)
export type Adjustment = Static<typeof Adjustment>

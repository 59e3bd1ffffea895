import type { AdjustFill } from '../../../trading/engine/submission.ts'

/** Builds the command that undoes a fill; why it does plays no part in a test. */
export function bustCommand(fill_id: string, adjustment_id = `adj_${fill_id}`): AdjustFill {
  return {
    kind: 'adjust_fill',
    adjustment_id,
    fill_id,
    adjustment_type: 'bust',
    quantity_delta: null,
    notional_delta: null,
    fee_delta: null,
    reason_code: 'ERRONEOUS_TRADE',
    rationale: 'a test',
    evidence: [],
    approved_by: 'second',
    supersedes_adjustment_id: null,
  }
}

import { formatMicros } from '../../primitives/instants.ts'
import { fromScaled } from '../../primitives/scaled.ts'
import type { Adjustment } from '../../protocol/resources/adjustment.ts'
import type { MarketTerms } from '../market/market-terms.ts'
import type { AdjustmentRow } from './rows.ts'

/** Returns the public form of an adjustment; its decimals have the scales of the fill's market. */
export function adjustmentResource(row: AdjustmentRow, terms: MarketTerms): Adjustment {
  return {
    adjustment_id: row.adjustment_id,
    fill_id: row.fill_id,
    account_id: row.account_id,
    adjustment_type: row.adjustment_type as Adjustment['adjustment_type'],
    quantity_delta: fromScaled(BigInt(row.quantity_delta), terms.quantity_scale),
    notional_delta: fromScaled(BigInt(row.notional_delta), terms.asset_scale),
    fee_delta: fromScaled(BigInt(row.fee_delta), terms.asset_scale),
    reason_code: row.reason_code,
    rationale: row.rationale,
    evidence: [...(row.evidence as readonly string[])],
    actor: row.actor,
    approval: { approved_by: row.approved_by, approved_at: formatMicros(row.approved_at) },
    effective_at: formatMicros(row.effective_at),
    published_at: formatMicros(row.published_at),
    supersedes_adjustment_id: row.supersedes_adjustment_id,
    engine_sequence: row.engine_sequence,
  }
}

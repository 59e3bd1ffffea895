import { Decimal, formatDecimal, ZERO } from '../../primitives/decimal.ts'
import type { AdjustFill } from '../../trading/engine/submission.ts'
import type { FillSide, SideAmounts } from '../../trading/store/operator/fill-views.ts'
import type { OperatorReads } from '../../trading/store/operator/operator-reads.ts'

type Asked = Pick<AdjustFill, 'fill_id' | 'adjustment_type' | 'quantity_delta' | 'notional_delta' | 'fee_delta'>

/** Change that an adjustment would make: the fill with its account, and the amounts before and after. */
export type AdjustedSides = {
  readonly fill: Omit<FillSide, 'filled' | 'now'>
  readonly before: SideAmounts
  readonly after: SideAmounts
  /** The other side of the match, which the adjustment does not change. */
  readonly other_side: Pick<FillSide, 'fill_id' | 'account_id' | 'side'> & SideAmounts
}

/**
 * Returns what an adjustment would change now.
 * @throws {ServiceError} FILL_NOT_FOUND
 */
export async function adjustedSides(reads: Pick<OperatorReads, 'readFillSides'>, asked: Asked): Promise<AdjustedSides> {
  const [own, other] = await reads.readFillSides(asked.fill_id)
  const { filled: _, now: before, ...fill } = own
  const { fill_id, account_id, side, now } = other
  return { fill, before, after: amountsAfter(before, asked), other_side: { fill_id, account_id, side, ...now } }
}

/** A sentence that names what an adjustment changes. */
export function adjustmentText({ fill, before, after, other_side }: AdjustedSides): string {
  const change = (field: keyof SideAmounts) => `${field} ${before[field]} -> ${after[field]}`
  const sides = `${fill.account_id} ${fill.side} ${fill.outcome_id} of ${fill.market_id} at ${fill.price}`
  return `${fill.fill_id}: ${sides}; ${change('quantity')}, ${change('notional')}, ${change('fee')}; the other side, ${other_side.fill_id} of ${other_side.account_id}, stays`
}

function amountsAfter(before: SideAmounts, asked: Asked): SideAmounts {
  const is_bust = asked.adjustment_type === 'bust'
  const after = (now: string, delta: string | null) => {
    const result = is_bust ? ZERO : new Decimal(now).plus(delta ?? 0)
    return formatDecimal(result, now.split('.')[1]?.length ?? 0)
  }
  return {
    quantity: after(before.quantity, asked.quantity_delta),
    notional: after(before.notional, asked.notional_delta),
    fee: after(before.fee, asked.fee_delta),
  }
}

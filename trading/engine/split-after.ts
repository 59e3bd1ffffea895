import { type MarketTerms, notional } from '../market/market-terms.ts'
import type { Closing } from '../projections/settlement-rows.ts'
import type { Deltas } from './adjusted-fill.ts'
import type { SplitSettlement } from './settle-split.ts'

type After = Pick<SplitSettlement, 'quantity' | 'fee' | keyof Closing> & { readonly notional: number }

/**
 * Returns what a settlement of a complementary market moves after an adjustment. Quantity is taken off what was opened first, and added
 * to it. What the account receives in all follows from the notional, the fee and the sets: a buyer receives 1 for each that it closed and
 * pays the notional; a seller receives the notional and pays 1 for each that it opened.
 */
export function splitAfter(terms: MarketTerms, before: SplitSettlement, after: Deltas): After {
  const opened_before = before.quantity - before.closed_quantity
  const opened = Math.max(opened_before + after.quantity - before.quantity, 0)
  const closed_quantity = after.quantity - opened
  const sets = notional(terms, terms.one, before.side === 'BUY' ? closed_quantity : opened)
  const received = before.side === 'BUY' ? sets - after.notional - after.fee : after.notional - after.fee - sets
  const closing_fee = opened === 0 ? after.fee : closed_quantity === 0 ? 0 : Math.min(before.closing_fee, after.fee)
  const { quantity, notional: worth, fee } = after
  const amounts = amountsOf(before, received, opened, closed_quantity)
  return { quantity, notional: worth, fee, closed_quantity, closing_fee, ...amounts }
}

/** Splits what the account receives. Where both parts are left, the part that closed is as it was. */
function amountsOf({ credit_amount }: SplitSettlement, received: number, opened: number, closed: number) {
  const credit = opened === 0 ? received : closed === 0 ? 0 : credit_amount
  const debit = credit - received
  // An amount below 0 is one of the other direction.
  const shifted = Math.max(-debit, -credit, 0)
  return { debit_amount: debit + shifted, credit_amount: credit + shifted }
}

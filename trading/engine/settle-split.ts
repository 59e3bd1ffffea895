import type { MarketTerms } from '../market/market-terms.ts'
import type { Position } from '../order/order.ts'
import type { SettlementRow } from '../projections/rows.ts'
import type { Closing } from '../projections/settlement-rows.ts'
import type { Execution } from './execution.ts'
import type { Market } from './state.ts'

type Amounts = Pick<SettlementRow, 'kind' | 'side' | 'quantity' | 'fee'>

/** A settlement of a complementary market. */
export type SplitSettlement = Amounts & { readonly [C in keyof Closing]: number }

/** Whether a settlement is of a complementary market. */
export function isSplit<S extends Amounts & Closing>(settlement: S): settlement is S & SplitSettlement {
  return settlement.closed_quantity !== null
}

/**
 * Returns a settlement of a market that is complementary now as one of such a market. A trade from before moved one outcome: a purchase
 * opened what it bought, a sale closed what it sold, and the market's conversion made the rest of it.
 */
export function asSplit(settlement: SettlementRow, { complementary }: MarketTerms): SettlementRow {
  if (!complementary || isSplit(settlement)) return settlement
  const { side, quantity, notional, fee } = settlement
  const amounts =
    side === 'BUY'
      ? { closed_quantity: 0, closing_fee: 0, debit_amount: notional + fee, credit_amount: 0 }
      : { closed_quantity: quantity, closing_fee: fee, debit_amount: 0, credit_amount: notional - fee }
  return { ...settlement, ...amounts, short_credit: 0 }
}

/**
 * Books the confirmation of a settlement of a complementary market, or reverses it: what was opened is paid for, what was closed is
 * paid, and the fee of each part becomes the house's.
 * @param position in the outcome of the settlement
 */
export function settleSplit(
  execution: Execution,
  { position, market }: { readonly position: Position; readonly market: Market },
  settlement: SplitSettlement,
  sign: 1 | -1,
): void {
  const { fee, closing_fee, debit_amount, credit_amount } = settlement
  execution.touchPosition(position)
  for (const [held, change] of heldBy(position, settlement)) settleHeld(execution, held, sign * change)
  const { money } = position
  execution.money(money, 'pending_debit', -sign * debit_amount)
  execution.money(money, 'pending_credit', -sign * credit_amount)
  execution.money(market.clearing, 'pending_credit', sign * credit_amount)
  execution.money(money, 'available', sign * credit_amount)
  execution.money(market.clearing, 'available', sign * (debit_amount - (fee - closing_fee)))
  execution.money(market.clearing, 'available', -sign * (credit_amount + closing_fee))
  execution.money(market.fee_income, 'available', sign * fee)
}

/** Returns the positions whose quantity a settlement moves, with the changes. A correction of a payout moves only money. */
export function heldBy(
  position: Position,
  {
    kind,
    side,
    quantity,
    closed_quantity,
  }: Omit<SplitSettlement, keyof Closing> & Pick<SplitSettlement, 'closed_quantity'>,
): readonly (readonly [Position, number])[] {
  const other = position.complement!
  const opened = quantity - closed_quantity
  if (kind === 'resolution_correction') return []
  if (kind === 'set_mint' || kind === 'set_merge') {
    const change = kind === 'set_mint' ? -quantity : quantity
    return [
      [position, change],
      [other, change],
    ] as const
  }
  const [opens, closes] = side === 'BUY' ? [position, other] : [other, position]
  return [
    [opens, opened],
    [closes, -closed_quantity],
  ] as const
}

function settleHeld(execution: Execution, position: Position, change: number): void {
  const { account_id, outcome_id } = position
  position.settled_quantity += change
  execution.outcome(account_id, outcome_id, 'unsettled', -change)
  execution.outcome(account_id, outcome_id, 'settled', change)
}

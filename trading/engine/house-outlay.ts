import { availableOf } from '../ledger/balance.ts'
import { isHouse, type TransactionKind } from '../ledger/entries.ts'
import { refreshRequirement } from '../ledger/requirement.ts'
import type { Position } from '../order/order.ts'
import type { Execution } from './execution.ts'
import { endByEngine } from './planned-ends.ts'
import { accountOf, houseBalance, workingOrdersOf } from './state.ts'
import { takeOut } from './working-orders.ts'

/**
 * Lets the house pay what the account's available money is below 0, within the current transaction. To itself it advances nothing.
 * @returns the amount, in asset units
 */
export function layOut(execution: Execution, { money, terms }: Position): number {
  if (isHouse(money.account_id)) return 0
  const shortfall = Math.max(-availableOf(money), 0)
  execution.money(money, 'available', shortfall)
  execution.money(houseBalance(execution.state, 'receivable', terms.settlement_asset_id), 'available', -shortfall)
  return shortfall
}

/** Updates the reserved amount to the position's present requirement. @returns what the house had to pay for it */
export function reserveAgain(execution: Execution, position: Position): number {
  const rise = refreshRequirement(position, null, execution.changes.orders)
  execution.money(position.money, 'available', -rise)
  execution.money(position.money, 'reserved', rise)
  return layOut(execution, position)
}

/**
 * Repays the house from what is available now, then from what canceled orders of the account release, newest first, as many as
 * needed.
 * @returns what the house is still owed
 */
export function repayHouse(
  execution: Execution,
  { account_id, money, terms }: Position,
  shortfall: number,
  kind: TransactionKind,
  reference_id: string,
): number {
  if (shortfall === 0) return 0
  const receivable = houseBalance(execution.state, 'receivable', terms.settlement_asset_id)
  let owed = shortfall
  const repay = () => {
    const repaid = Math.min(owed, availableOf(money))
    if (repaid === 0) return
    execution.begin(kind, reference_id)
    execution.money(money, 'available', -repaid)
    execution.money(receivable, 'available', repaid)
    owed -= repaid
  }
  repay()
  for (const order of workingOrdersOf(accountOf(execution.state, account_id)).reverse()) {
    if (owed === 0) return 0
    if (order.terms.settlement_asset_id !== terms.settlement_asset_id) continue
    takeOut(execution, order)
    endByEngine(execution, order, 'RISK_ACTION')
    repay()
  }
  return owed
}

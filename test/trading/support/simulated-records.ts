import type { OrderEvent } from '../../../trading/engine/events.ts'
import type { OrderRow } from '../../../trading/projections/rows.ts'
import type { SecondCore } from './second-core.ts'
import type { Compared } from './simulated-markets.ts'
import type { SlowOrder } from './slow-records.ts'

/** Compares fills, trades, orders and balances of a core with those of the slow one, whatever the kind of its market. */
export function compareRecords(compared: Compared, slow: SecondCore): void {
  const { fills, accounts, same } = compared
  same('fills', fills.length, slow.fills.length)
  for (const [n, { order, price, quantity, fee }] of slow.fills.entries()) {
    const told = fills[n]
    same(
      `fill ${n}`,
      `${told?.order_id} ${told?.price} ${told?.quantity} ${told?.fee}`,
      `${order.intent.order_id} ${price} ${quantity} ${fee}`,
    )
  }
  compareTrades(compared, slow)
  for (const order of slow.orders) compareOrder(compared, slow, order)
  for (const account_id of accounts) compareBalance(compared, slow, account_id)
}

/** A trade is void, once, where both sides of it were undone. The two sides of one follow each other. */
function compareTrades({ fills, corrected, same }: Compared, slow: SecondCore): void {
  const undone = (n: number) => slow.fills[n]?.busted === true
  const both = fills.filter((_, n) => n % 2 === 0 && undone(n) && undone(n + 1))
  const expected = both.map(({ trade_id }) => `${trade_id} void`).sort()
  const told = corrected.map(({ trade_id, correction }) => `${trade_id} ${correction}`).sort()
  same('trades that are void', told.join(), expected.join())
}

/** Compares an order's row as it was last written, and what the last event of it told, with what the slow core finds. */
function compareOrder({ orders, told, same }: Compared, slow: SecondCore, order: SlowOrder): void {
  const { intent, status, remaining, reason } = order
  const row = orders.get(intent.order_id)
  const expected = `${status} ${remaining} ${reason} ${slow.reservedFor(order)}`
  same(intent.order_id, shown(row), expected)
  const event = told.get(intent.order_id)
  const [seen, version] = [shown(event), event?.version]
  same(`the events of ${intent.order_id}`, `${seen} ${version}`, `${expected} ${row?.version}`)
}

function compareBalance({ state, same }: Compared, slow: SecondCore, account_id: string): void {
  const { total, reserved, debit, credit } = slow.balance(account_id)
  const real = state.accounts.get(account_id)!.balances.get('asset_usd')!
  const { pending_settlement_debit, pending_settlement_credit } = real
  const seen = `${real.total} ${real.reserved} ${pending_settlement_debit} ${pending_settlement_credit}`
  same(`balance of ${account_id}`, seen, `${total} ${reserved} ${debit} ${credit}`)
}

function shown(order: OrderRow | OrderEvent | undefined): string {
  return `${order?.status} ${order?.remaining_quantity} ${order?.terminal_reason} ${order?.reserved_amount}`
}

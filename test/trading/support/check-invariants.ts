import { expect } from 'vitest'
import { availableOf } from '../../../trading/ledger/balance.ts'
import { isHouse, type LedgerEntry } from '../../../trading/ledger/entries.ts'
import { requirementOf } from '../../../trading/ledger/requirement.ts'
import type { TradingWorld } from './world.ts'

/** The promises that hold after every command: ledger, reservations, orders and books (docs/invariants of the trading core). */
export function checkInvariants(world: TradingWorld): void {
  checkLedger(world.changes.entries)
  for (const account of world.state.accounts.values()) {
    if (!isHouse(account.account_id)) checkAccount(world, account.account_id)
  }
  checkBooks(world)
}

/** L1, L2: each transaction, and so the whole, sums to 0 per asset; claims and money apart. */
function checkLedger(entries: readonly LedgerEntry[]): void {
  const sums = new Map<string, number>()
  for (const { ledger_sequence, asset_id, bucket, amount } of entries) {
    const key = `${ledger_sequence} ${asset_id} ${bucket === 'pending_credit' ? 'claims' : 'money'}`
    sums.set(key, (sums.get(key) ?? 0) + amount)
  }
  expect([...sums].filter(([, sum]) => sum !== 0)).toEqual([])
}

/** L3 to L5, R1, R4, O1, O2. */
function checkAccount(world: TradingWorld, account_id: string): void {
  const balance = world.balance(account_id)
  const fold = (bucket: string) =>
    world.changes.entries.reduce(
      (sum, entry) =>
        entry.account_id === account_id && entry.asset_id === 'asset_usd' && entry.bucket === bucket
          ? sum + entry.amount
          : sum,
      0,
    )
  expect(balance.reserved).toBe(fold('reserved'))
  expect(balance.pending_settlement_debit).toBe(fold('pending_debit'))
  expect(balance.pending_settlement_credit).toBe(fold('pending_credit'))
  expect(availableOf(balance)).toBe(fold('available'))
  expect(availableOf(balance)).toBeGreaterThanOrEqual(0)
  const account = world.state.accounts.get(account_id)!
  const positions = [...account.positions.values()]
  for (const position of positions) {
    expect(position.requirement).toBe(requirementOf(position))
    expect(position.sells.remaining).toBe(
      [...position.sells.orders].reduce((sum, order) => sum + order.remaining_quantity, 0),
    )
    expect(position.buys.remaining).toBe(
      [...position.buys.orders].reduce((sum, order) => sum + order.remaining_quantity, 0),
    )
  }
  expect(balance.reserved).toBe(positions.reduce((sum, { requirement }) => sum + requirement, 0))
  for (const order of account.orders.values()) {
    expect(order.filled_quantity + order.remaining_quantity + order.canceled_quantity).toBe(order.original_quantity)
    expect(order.remaining_quantity).toBeGreaterThan(0)
  }
}

/** O9, and sizes of levels: what rests there. */
function checkBooks({ state }: TradingWorld): void {
  for (const outcome of state.markets.get('mkt_1')!.outcomes.values()) {
    const [bid, ask] = [outcome.book.bestAgainst('SELL'), outcome.book.bestAgainst('BUY')]
    if (bid !== null && ask !== null) expect(bid.price).toBeLessThan(ask.price)
    for (const side of ['BUY', 'SELL'] as const) {
      for (const level of outcome.book.levelsAgainst(side)) {
        let sum = 0
        for (let order = level.first; order !== null; order = order.next) sum += order.remaining_quantity
        expect(level.quantity).toBe(sum)
      }
    }
  }
}

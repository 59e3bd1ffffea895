import {
  type Account,
  balanceOf,
  type EngineState,
  type Market,
  type Outcome,
  workingOrdersOf,
} from '../../../trading/engine/state.ts'
import { availableOf, type Balance } from '../../../trading/ledger/balance.ts'
import { isHouse, type LedgerEntry } from '../../../trading/ledger/entries.ts'
import { workingOrders } from '../../../trading/ledger/position.ts'
import { requirementOf } from '../../../trading/ledger/requirement.ts'
import type { Position, WorkingSide } from '../../../trading/order/order.ts'

/** The promises of the core as sentences about what breaks them; none where all hold. Ids are those of docs/internals/trading-core.md. */
export type Violations = string[]

/** L4, L5, L7, L9, L10, R1, R4, O1, O2 and O9: what can be seen of the state alone. */
export function stateViolations(state: EngineState): Violations {
  const found: Violations = []
  const nets = new Map<string, number>()
  for (const account of state.accounts.values()) {
    for (const position of account.positions.values()) {
      nets.set(position.outcome_id, (nets.get(position.outcome_id) ?? 0) + position.net_quantity)
    }
    if (!isHouse(account.account_id)) checkAccount(account, found)
  }
  for (const [outcome_id, net] of nets) expectEqual(found, `L7 sum of positions in ${outcome_id}`, net, 0)
  for (const market of state.markets.values()) {
    for (const outcome of market.outcomes.values()) checkBook(outcome, found)
    if (market.terms.complementary) checkSets(state, market, found)
  }
  return found
}

/** L1, L2 of the entries, and L3: every balance and position is their fold. */
export function ledgerViolations(state: EngineState, entries: Iterable<LedgerEntry>): Violations {
  const found: Violations = []
  const sums = new Map<string, number>()
  const folds = new Map<string, number>()
  const add = (map: Map<string, number>, key: string, amount: number) => map.set(key, (map.get(key) ?? 0) + amount)
  for (const { ledger_sequence, account_id, asset_id, bucket, amount } of entries) {
    add(sums, `${ledger_sequence} ${asset_id} ${bucket === 'pending_credit' ? 'claims' : 'money'}`, amount)
    add(folds, `${account_id} ${asset_id} ${bucket}`, amount)
  }
  for (const [key, sum] of sums) expectEqual(found, `L1 sum of ${key}`, sum, 0)
  for (const { account_id, balances, positions } of state.accounts.values()) {
    const fold = (asset_id: string, bucket: string) => folds.get(`${account_id} ${asset_id} ${bucket}`) ?? 0
    for (const balance of balances.values()) checkFold(balance, (bucket) => fold(balance.asset_id, bucket), found)
    for (const { outcome_id, net_quantity, settled_quantity } of positions.values()) {
      const settled = fold(outcome_id, 'settled')
      expectEqual(found, `L3 settled ${outcome_id} of ${account_id}`, settled_quantity, settled)
      expectEqual(found, `L3 net ${outcome_id} of ${account_id}`, net_quantity, settled + fold(outcome_id, 'unsettled'))
    }
  }
  return found
}

function checkFold(balance: Balance, fold: (bucket: string) => number, found: Violations): void {
  const name = `${balance.asset_id} of ${balance.account_id}`
  expectEqual(found, `L3 available ${name}`, availableOf(balance), fold('available'))
  expectEqual(found, `L3 reserved ${name}`, balance.reserved, fold('reserved'))
  expectEqual(found, `L3 pending debit ${name}`, balance.pending_settlement_debit, fold('pending_debit'))
  expectEqual(found, `L3 pending credit ${name}`, balance.pending_settlement_credit, fold('pending_credit'))
}

function checkAccount(account: Account, found: Violations): void {
  const reserved = new Map<string, number>()
  for (const position of account.positions.values()) {
    const { settlement_asset_id } = position.terms
    reserved.set(settlement_asset_id, (reserved.get(settlement_asset_id) ?? 0) + position.requirement)
    checkPosition(position, found)
  }
  for (const [asset_id, sum] of reserved) {
    expectEqual(found, `R1 reserved ${asset_id} of ${account.account_id}`, balanceOf(account, asset_id).reserved, sum)
  }
  for (const balance of account.balances.values()) {
    const least = Math.min(availableOf(balance), balance.reserved, balance.withdrawal_hold)
    if (least < 0) found.push(`L5 ${balance.asset_id} of ${account.account_id} is at ${least}`)
  }
  for (const order of workingOrdersOf(account)) {
    const { order_id, filled_quantity, remaining_quantity, canceled_quantity, original_quantity } = order
    expectEqual(found, `O1 ${order_id}`, filled_quantity + remaining_quantity + canceled_quantity, original_quantity)
    if (remaining_quantity <= 0 || filled_quantity < 0)
      found.push(`O2 ${order_id} works with ${remaining_quantity} left`)
  }
}

function checkPosition(position: Position, found: Violations): void {
  const name = `${position.account_id} in ${position.outcome_id}`
  expectEqual(found, `R1 requirement of ${name}`, position.requirement, requirementOf(position))
  const remaining = (side: WorkingSide) =>
    [...workingOrders(side)].reduce((sum, order) => sum + order.remaining_quantity, 0)
  expectEqual(found, `R4 selling of ${name}`, position.sells.remaining, remaining(position.sells))
  expectEqual(found, `R4 buying of ${name}`, position.buys.remaining, remaining(position.buys))
}

/** L9 and L10: the pool has 1 for each set until a resolution pays from it; nobody else owes an outcome or holds both. */
function checkSets(state: EngineState, { market_id, outcomes, terms }: Market, found: Violations): void {
  const pool_id = `acct_house_pool_${market_id}`
  for (const { account_id, positions, balances } of state.accounts.values()) {
    const held = [...outcomes.keys()].map((outcome_id) => positions.get(outcome_id))
    const [yes = 0, no = 0] = held.map((position) => position?.net_quantity)
    if (account_id !== pool_id) {
      if (Math.min(yes, no) !== 0) found.push(`L10 ${account_id} has ${yes} and ${no} of the outcomes of ${market_id}`)
      continue
    }
    if (held.some((position) => (position?.source_fill_sequence ?? 0) > 0)) continue
    const {
      total = 0,
      pending_settlement_credit: credit = 0,
      pending_settlement_debit: debit = 0,
    } = balances.get(terms.settlement_asset_id) ?? {}
    expectEqual(found, `L9 outcomes that ${pool_id} owes`, yes, no)
    expectEqual(found, `L9 money of ${pool_id}`, total + credit - debit, 0 - yes * terms.one * terms.unit)
  }
}

function checkBook({ book, resting, outcome_id }: Outcome, found: Violations): void {
  const [[bid], [ask]] = [[...book.levelsAgainst('SELL')], [...book.levelsAgainst('BUY')]]
  if (bid !== undefined && ask !== undefined && bid.price >= ask.price)
    found.push(`O9 ${outcome_id} is crossed at ${bid.price}`)
  for (const side of ['BUY', 'SELL'] as const) {
    for (const level of book.levelsAgainst(side)) {
      let sum = 0
      for (const { slot, remaining } of book.queueAt(level)) {
        const { order_id, remaining_quantity, slot: own } = resting[slot]!
        expectEqual(found, `${order_id} in the book of ${outcome_id}`, remaining, remaining_quantity)
        expectEqual(found, `slot of ${order_id}`, slot, own)
        sum += remaining
      }
      expectEqual(found, `size of ${outcome_id} at ${level.price}`, level.quantity, sum)
    }
  }
}

function expectEqual(found: Violations, what: string, seen: number, expected: number): void {
  if (seen !== expected) found.push(`${what}: ${seen}, not ${expected}`)
}

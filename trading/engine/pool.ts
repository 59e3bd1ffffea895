import type { Balance } from '../ledger/balance.ts'
import { notional } from '../market/market-terms.ts'
import type { Position } from '../order/order.ts'
import type { SettlementRow } from '../projections/rows.ts'
import type { Execution } from './execution.ts'
import { ladderOf, type Market, poolOf, positionOf } from './state.ts'

/**
 * Books sets of a complementary market that a match makes (`sets` above 0) or destroys (below 0) within the current transaction. The
 * pool owes both outcomes of each set, so that its quantities are negative, and holds 1 for it.
 * @returns a function that records its settlement, to be called after the records of the match; it does nothing where `sets` is 0
 */
export function moveSets(execution: Execution, market: Market, sets: number): () => void {
  if (sets === 0) return () => undefined
  const pool = poolOf(execution.state, market)
  for (const outcome of market.outcomes.values()) {
    const position = positionOf(pool, outcome)
    position.net_quantity -= sets
    execution.touchPosition(position)
    execution.outcome(pool.account_id, outcome.outcome_id, 'unsettled', -sets)
  }
  const money = poolMoney(execution, market)
  const amount = notional(market.terms, market.terms.one, Math.abs(sets))
  if (sets > 0) {
    execution.money(money, 'pending_credit', amount)
    execution.money(market.clearing, 'pending_credit', -amount)
  } else {
    execution.money(money, 'available', -amount)
    execution.money(money, 'pending_debit', amount)
  }
  return () => recordSets(execution, market, sets, amount)
}

/**
 * Buys sets from the pool for an account at once, within the current transaction, or sells them to it (`sets` below 0).
 * @param money that pays 1 for each set
 */
export function moveSettledSets(
  execution: Execution,
  market: Market,
  position: Position,
  money: Balance,
  sets: number,
): void {
  if (sets === 0) return
  const pool = poolOf(execution.state, market)
  for (const held of [position, position.complement!]) {
    const owed = positionOf(pool, market.outcomes.get(held.outcome_id)!)
    owed.net_quantity -= sets
    owed.settled_quantity -= sets
    held.settled_quantity += sets
    execution.touchPosition(owed)
    execution.outcome(held.account_id, held.outcome_id, 'settled', sets)
    execution.outcome(owed.account_id, owed.outcome_id, 'settled', -sets)
  }
  const amount = notional(market.terms, market.terms.one, sets)
  execution.money(money, 'available', -amount)
  execution.money(poolMoney(execution, market), 'available', amount)
}

/** Returns the pool's balance. */
function poolMoney({ state }: Execution, market: Market) {
  return poolPosition({ state }, market).money
}

/** Returns the pool's position in the first outcome. */
function poolPosition({ state }: Pick<Execution, 'state'>, market: Market) {
  const [first] = market.outcomes.values()
  return positionOf(poolOf(state, market), ladderOf(first!))
}

/** Records the pool's side of a match as a settlement without a fill, which a rail settles like any other. */
function recordSets(execution: Execution, market: Market, sets: number, amount: number): void {
  const position = poolPosition(execution, market)
  const engine_sequence = execution.nextSequence()
  const settlement_id = `stl_${engine_sequence}`
  const { account_id, outcome_id } = position
  position.open_settlements += 1
  const row: SettlementRow = {
    settlement_id,
    kind: sets > 0 ? 'set_mint' : 'set_merge',
    account_id,
    fill_id: null,
    resolution_id: null,
    market_id: market.market_id,
    outcome_id,
    asset_id: market.terms.settlement_asset_id,
    side: sets > 0 ? 'SELL' : 'BUY',
    quantity: Math.abs(sets),
    notional: amount,
    fee: 0,
    short_credit: 0,
    closed_quantity: 0,
    closing_fee: 0,
    debit_amount: sets > 0 ? 0 : amount,
    credit_amount: sets > 0 ? amount : 0,
    segments: null,
    state: 'pending',
    rail: null,
    attempt_count: 0,
    attempt_id: null,
    reversal_id: null,
    projection_version: 1,
    engine_sequence,
    created_at: execution.now,
    updated_at: execution.now,
    confirmed_at: null,
  }
  execution.changes.settlements.set(settlement_id, row)
  execution.publish({
    engine_sequence,
    at: execution.now,
    kind: 'settlement',
    account_id,
    settlement_id,
    fill_id: null,
    state: 'pending',
    projection_version: 1,
    attempt_id: null,
    attempt_number: null,
    failure_code: null,
  })
}

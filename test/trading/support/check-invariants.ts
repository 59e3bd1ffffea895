import { expect } from 'vitest'
import type { LedgerEntry } from '../../../trading/ledger/entries.ts'
import { dumpState } from '../../support/trading/dump-state.ts'
import { ledgerViolations, stateViolations } from './invariants.ts'
import type { MemoryEngine } from './memory-engine.ts'
import type { TradingWorld } from './world.ts'

/** The promises that hold after every command: ledger, reservations, orders and books. */
export function checkInvariants({ state, changes }: TradingWorld): void {
  expect([...stateViolations(state), ...ledgerViolations(state, changes.entries)]).toEqual([])
}

/** The same of an engine with its tables, and that a restart finds the same state. */
export function checkEngine(engine: MemoryEngine): void {
  const { state } = engine
  expect([...stateViolations(state), ...ledgerViolations(state, engine.rows('ledger_entry') as LedgerEntry[])]).toEqual(
    [],
  )
  checkFilled(engine)
  checkPositionsTold(engine)
  expect(dumpState(engine.rebuilt())).toEqual(dumpState(state))
}

/**
 * A position is told again when a settlement that it waited for is confirmed: both ways of asking then name the same ones. For one that
 * was adjusted to nothing it no longer waits, since the adjustment.
 */
function checkPositionsTold(engine: MemoryEngine): void {
  const told_at = new Map(
    engine.rows('position').map((row) => [`${row.account_id} ${row.outcome_id}`, row.engine_sequence]),
  )
  for (const settlement of engine.rows('settlement')) {
    const { settlement_id, account_id, outcome_id, state, engine_sequence, quantity, notional, fee } = settlement
    if (state !== 'confirmed' || (quantity === 0 && notional === 0 && fee === 0)) continue
    expect(told_at.get(`${account_id} ${outcome_id}`), settlement_id).toBeGreaterThan(engine_sequence)
  }
}

/** O1: what an order has filled is its fills and their adjustments; S1: sequences have no gaps. */
function checkFilled(engine: MemoryEngine): void {
  const filled = new Map<string, number>()
  const order_of = new Map(engine.rows('fill').map((fill) => [fill.fill_id, fill.order_id]))
  const add = (order_id: string, quantity: number) => filled.set(order_id, (filled.get(order_id) ?? 0) + quantity)
  for (const { order_id, quantity } of engine.rows('fill')) add(order_id, quantity)
  for (const { fill_id, quantity_delta } of engine.rows('adjustment')) add(order_of.get(fill_id)!, quantity_delta)
  for (const order of engine.rows('orders')) {
    expect(order.filled_quantity).toBe(filled.get(order.order_id) ?? 0)
    expect(order.filled_quantity + order.remaining_quantity + order.canceled_quantity).toBe(order.original_quantity)
  }
  const sequences = engine.rows('engine_event').map(({ engine_sequence }) => engine_sequence)
  expect(sequences).toEqual(sequences.map((_, n) => n + 1))
}

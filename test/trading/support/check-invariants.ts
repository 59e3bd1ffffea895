import { deepStrictEqual } from 'node:assert/strict'
import { expect } from 'vitest'
import type { EngineState } from '../../../trading/engine/state.ts'
import type { LedgerEntry } from '../../../trading/ledger/entries.ts'
import { dumpState } from '../../support/trading/dump-state.ts'
import { ledgerViolations, stateViolations } from './invariants.ts'
import type { MemoryEngine } from './memory-engine.ts'
import type { TradingWorld } from './world.ts'

/** The promises that hold after every command: ledger, reservations, orders and books. */
export function checkInvariants({ state, changes }: TradingWorld): void {
  expect([...stateViolations(state), ...ledgerViolations(state, changes.entries)]).toEqual([])
}

/**
 * The same of an engine with its tables, and that a restart finds the same state. Rows are compared without `expect`, which takes ten
 * times the time: this runs after every command.
 */
export function checkEngine(engine: MemoryEngine): void {
  const { state } = engine
  expect([...stateViolations(state), ...ledgerViolations(state, engine.rows('ledger_entry') as LedgerEntry[])]).toEqual(
    [],
  )
  checkFilled(engine)
  checkPositionsTold(engine)
  deepStrictEqual(plainState(engine.rebuilt()), plainState(state))
}

/** State as JSON has it: a field without a value is none. */
function plainState(state: EngineState): unknown {
  return JSON.parse(JSON.stringify(dumpState(state)))
}

/**
 * A position is told again when a settlement that it waited for is confirmed: both ways of asking then name the same ones. For one that
 * was adjusted to nothing it no longer waits, since the adjustment.
 */
function checkPositionsTold(engine: MemoryEngine): void {
  const told_at = new Map(
    engine.rows('position').map((row) => [`${row.account_id} ${row.outcome_id}`, row.engine_sequence]),
  )
  const untold = engine.rows('settlement').filter((settlement) => {
    const { account_id, outcome_id, state, engine_sequence, quantity, notional, fee } = settlement
    if (state !== 'confirmed' || (quantity === 0 && notional === 0 && fee === 0)) return false
    return !(told_at.get(`${account_id} ${outcome_id}`)! > engine_sequence)
  })
  expect(untold).toEqual([])
}

/** O1: what an order has filled is its fills and their adjustments; S1: sequences have no gaps. */
function checkFilled(engine: MemoryEngine): void {
  const filled = new Map<string, number>()
  const order_of = new Map(engine.rows('fill').map((fill) => [fill.fill_id, fill.order_id]))
  const add = (order_id: string, quantity: number) => filled.set(order_id, (filled.get(order_id) ?? 0) + quantity)
  for (const { order_id, quantity } of engine.rows('fill')) add(order_id, quantity)
  for (const { fill_id, quantity_delta } of engine.rows('adjustment')) add(order_of.get(fill_id)!, quantity_delta)
  const wrong = engine.rows('orders').filter((order) => {
    const { filled_quantity, remaining_quantity, canceled_quantity, original_quantity } = order
    const parts = filled_quantity + remaining_quantity + canceled_quantity
    return filled_quantity !== (filled.get(order.order_id) ?? 0) || parts !== original_quantity
  })
  expect(wrong).toEqual([])
  expect(engine.rows('engine_event').find(({ engine_sequence }, n) => engine_sequence !== n + 1)).toBeUndefined()
}

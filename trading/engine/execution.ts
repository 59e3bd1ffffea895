import type { Micros } from '../../primitives/instants.ts'
import type { Balance } from '../ledger/balance.ts'
import type { MoneyBucket, OutcomeBucket, TransactionKind } from '../ledger/entries.ts'
import type { Order, Position } from '../order/order.ts'
import type { Changes } from './changes.ts'
import type { EngineEvent } from './events.ts'
import type { EngineState, Outcome } from './state.ts'

/** The command being executed: its state, and the changes of its batch. */
export class Execution {
  readonly state: EngineState
  readonly now: Micros
  readonly changes: Changes

  constructor(state: EngineState, now: Micros, changes: Changes) {
    this.state = state
    this.now = now
    this.changes = changes
  }

  /** Takes the next number of the engine's sequence. */
  nextSequence(): number {
    this.state.engine_sequence += 1
    return this.state.engine_sequence
  }

  /** Adds an event numbered by `nextSequence`. */
  publish(event: EngineEvent): void {
    this.changes.events.push(event)
  }

  /** Begins a ledger transaction; its lines follow and sum to 0 per asset. */
  begin(kind: TransactionKind, reference_id: string): void {
    const { state } = this
    state.ledger_sequence += 1
    this.changes.entries.begin(state.ledger_sequence, kind, reference_id, state.engine_sequence, this.now)
  }

  /** Adds a line to the current transaction and applies it to a balance. */
  money(balance: Balance, bucket: MoneyBucket, amount: number): void {
    if (amount === 0) return
    this.changes.entries.add(balance.account_id, balance.asset_id, bucket, amount)
    this.touchBalance(balance)
    if (bucket === 'pending_credit') {
      balance.pending_settlement_credit += amount
      return
    }
    balance.total += amount
    if (bucket === 'reserved') balance.reserved += amount
    else if (bucket === 'pending_debit') balance.pending_settlement_debit += amount
    else if (bucket === 'withdrawal_hold') balance.withdrawal_hold += amount
  }

  /** Adds a line in an outcome; the caller has already changed the position that holds it. */
  outcome(account_id: string, outcome_id: string, bucket: OutcomeBucket, amount: number): void {
    if (amount !== 0) this.changes.entries.add(account_id, outcome_id, bucket, amount)
  }

  touchOrder(order: Order): void {
    if (order.changed) return
    order.changed = true
    this.changes.orders.push(order)
  }

  /** Records that a position has changed. Those of an account in both outcomes of a complementary market change together. */
  touchPosition(position: Position): void {
    if (position.changed) return
    position.changed = true
    this.changes.positions.push(position)
    if (position.complement !== null) this.touchPosition(position.complement)
  }

  /** Records which price levels of a book have changed. */
  touchLevels(outcome: Outcome): void {
    const { book } = outcome
    for (let n = 0; n < book.touched_count; n += 1) this.changes.levels.push({ outcome, level: book.touched[n]! })
    book.touched_count = 0
  }

  touchBalance(balance: Balance): void {
    if (balance.changed) return
    balance.changed = true
    this.changes.balances.push(balance)
  }
}

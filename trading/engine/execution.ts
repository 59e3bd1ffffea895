import type { Micros } from '../../primitives/instants.ts'
import type { Balance } from '../ledger/balance.ts'
import type { LedgerEntry, Line, TransactionKind } from '../ledger/entries.ts'
import type { Position } from '../ledger/position.ts'
import type { PriceLevel } from '../matching/order-book.ts'
import type { Order } from '../order/order.ts'
import type { EngineEvent, NewEvent } from './events.ts'
import { accountOf, balanceOf, type EngineState } from './state.ts'

/** What a batch changes, in order: the rows that one transaction writes, and the messages that follow its commit. */
export type Changes = {
  readonly events: EngineEvent[]
  readonly entries: LedgerEntry[]
  /** Orders whose rows have changed, working or ended. */
  readonly orders: Map<string, Order>
}

/**
 * One command under way: the state that it changes, and all that it tells. Balances, positions and price levels that it touches are
 * told once, at its end, as they are then.
 */
export class Execution {
  readonly state: EngineState
  readonly now: Micros
  readonly changes: Changes
  readonly #balances = new Set<Balance>()
  readonly #positions = new Set<Position>()
  readonly #levels = new Set<PriceLevel>()

  constructor(state: EngineState, now: Micros, changes: Changes) {
    this.state = state
    this.now = now
    this.changes = changes
  }

  /** Gives an event its place. @returns its engine sequence */
  tell(event: NewEvent): number {
    this.state.engine_sequence += 1
    // Written into the object itself: a copy of every event is what would cost most here.
    const placed = event as NewEvent & { engine_sequence: number; at: Micros }
    placed.engine_sequence = this.state.engine_sequence
    placed.at = this.now
    this.changes.events.push(placed as EngineEvent)
    return this.state.engine_sequence
  }

  /** Books one transaction and changes the balances that it names. The lines sum to 0 per asset. */
  book(kind: TransactionKind, reference_id: string, lines: readonly Line[]): void {
    this.state.ledger_sequence += 1
    for (const line of lines) {
      if (line.amount === 0) continue
      const { account_id, asset_id, bucket, amount } = line
      const { ledger_sequence } = this.state
      this.changes.entries.push({ ledger_sequence, kind, account_id, asset_id, bucket, amount, reference_id })
      this.#apply(line)
    }
  }

  touchOrder(order: Order): void {
    this.changes.orders.set(order.order_id, order)
  }

  touchPosition(position: Position): void {
    this.#positions.add(position)
  }

  touchLevel(level: PriceLevel): void {
    this.#levels.add(level)
  }

  /** Tells what was touched. */
  finish(): void {
    for (const level of this.#levels) this.tell(bookEvent(level))
    for (const position of this.#positions) {
      position.projection_version += 1
      this.tell(positionEvent(position))
    }
    for (const balance of this.#balances) {
      balance.projection_version += 1
      this.tell(balanceEvent(balance, this.state.ledger_sequence))
    }
  }

  /** Outcomes are no balances: the position that the fill has changed holds them. */
  #apply({ account_id, asset_id, bucket, amount }: Line): void {
    if (bucket === 'settled' || bucket === 'unsettled') return
    const balance = balanceOf(accountOf(this.state, account_id), asset_id)
    this.#balances.add(balance)
    if (bucket === 'pending_credit') {
      balance.pending_settlement_credit += amount
      return
    }
    balance.total += amount
    if (bucket === 'reserved') balance.reserved += amount
    else if (bucket === 'withdrawal_hold') balance.withdrawal_hold += amount
    else if (bucket === 'pending_debit') balance.pending_settlement_debit += amount
  }
}

function bookEvent({ market_id, outcome_id, side, price, quantity, order_count }: PriceLevel): NewEvent {
  return { kind: 'book', market_id, outcome_id, side, price, quantity, order_count }
}

function positionEvent(position: Position): NewEvent {
  const { account_id, market_id, outcome_id, net_quantity, settled_quantity, average_entry_price } = position
  const { realized_pnl, pending_short_credit, sells, requirement, projection_version } = position
  return {
    kind: 'position',
    account_id,
    market_id,
    outcome_id,
    net_quantity,
    settled_quantity,
    average_entry_price,
    realized_pnl,
    pending_short_credit,
    reserved_sell_quantity: sells.remaining,
    requirement,
    projection_version,
  }
}

function balanceEvent(balance: Balance, ledger_sequence: number): NewEvent {
  const { account_id, asset_id, total, reserved, withdrawal_hold, projection_version } = balance
  const { pending_settlement_debit, pending_settlement_credit } = balance
  return {
    kind: 'balance',
    account_id,
    asset_id,
    total,
    reserved,
    withdrawal_hold,
    pending_settlement_debit,
    pending_settlement_credit,
    projection_version,
    ledger_sequence,
  }
}

import type { Micros } from '../../primitives/instants.ts'
import { reservedToSell } from '../ledger/position.ts'
import { ladderPrice, ladderSide } from '../market/ladder.ts'
import type { BookLevel } from '../matching/matching-book.ts'
import type { Changes } from './changes.ts'
import { Execution } from './execution.ts'
import type { EngineState, Outcome } from './state.ts'
import { publishOrder } from './working-orders.ts'

/**
 * Ends a batch: publishes each touched price level, position and balance once, as the batch leaves it, and each order whose
 * reserved amount changed without a move of its own, because another order's fill covers more or less of it. A batch commits as a
 * whole, so no reader can see states in between.
 */
export function finishBatch(state: EngineState, now: Micros, changes: Changes): void {
  if (changes.finished) return
  changes.finished = true
  const execution = new Execution(state, now, changes)
  publishReserved(execution)
  publishLevels(execution)
  publishPositions(execution)
  publishBalances(execution)
  for (const order of changes.orders) order.changed = false
}

function publishReserved(execution: Execution): void {
  for (const order of execution.changes.orders) {
    if (order.reserved_amount !== order.published_reserved_amount) publishOrder(execution, order)
  }
}

function publishLevels(execution: Execution): void {
  for (const { outcome, level } of execution.changes.levels) {
    const changed = outcome.book.takeLevel(level)
    publishLevel(execution, outcome, changed)
    if (outcome.complement !== null) publishLevel(execution, outcome.complement, changed)
  }
}

/** Publishes a price level of a book as one of the outcome: the second of a complementary market has the mirrored book. */
function publishLevel(execution: Execution, outcome: Outcome, level: BookLevel): void {
  const { outcome_id, is_mirrored, market } = outcome
  const { quantity, order_count, mirrored_quantity, mirrored_count } = level
  const derived_quantity = is_mirrored ? quantity - mirrored_quantity : mirrored_quantity
  const derived_order_count = is_mirrored ? order_count - mirrored_count : mirrored_count
  execution.publish({
    engine_sequence: execution.nextSequence(),
    at: execution.now,
    kind: 'book',
    market_id: market.market_id,
    outcome_id,
    side: ladderSide(level.side, is_mirrored),
    price: ladderPrice(market.terms, level.price, is_mirrored),
    quantity,
    order_count,
    ...(market.terms.complementary ? { derived_quantity, derived_order_count } : {}),
  })
}

function publishPositions(execution: Execution): void {
  for (const position of execution.changes.positions) {
    position.changed = false
    position.projection_version += 1
    position.engine_sequence = execution.nextSequence()
    execution.publish({
      engine_sequence: position.engine_sequence,
      at: execution.now,
      kind: 'position',
      account_id: position.account_id,
      market_id: position.market_id,
      outcome_id: position.outcome_id,
      net_quantity: position.net_quantity,
      settled_quantity: position.settled_quantity,
      average_entry_price: position.average_entry_price,
      realized_pnl: position.realized_pnl,
      pending_short_credit: position.pending_short_credit,
      reserved_sell_quantity: reservedToSell(position),
      requirement: position.requirement,
      source_fill_sequence: position.source_fill_sequence,
      projection_version: position.projection_version,
    })
  }
}

function publishBalances(execution: Execution): void {
  const { ledger_sequence } = execution.state
  for (const balance of execution.changes.balances) {
    balance.changed = false
    balance.projection_version += 1
    execution.publish({
      engine_sequence: execution.nextSequence(),
      at: execution.now,
      kind: 'balance',
      account_id: balance.account_id,
      asset_id: balance.asset_id,
      total: balance.total,
      reserved: balance.reserved,
      withdrawal_hold: balance.withdrawal_hold,
      pending_settlement_debit: balance.pending_settlement_debit,
      pending_settlement_credit: balance.pending_settlement_credit,
      projection_version: balance.projection_version,
      ledger_sequence,
    })
  }
}

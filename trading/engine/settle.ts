import { refuse } from '../market/refuse.ts'
import type { SettlementRow } from '../projections/rows.ts'
import type { PendingSettlement } from './commands.ts'
import { confirmSettlement } from './confirm-settlement.ts'
import type { Execution } from './execution.ts'
import type { Facts } from './facts.ts'

/** States that a confirmation may follow. */
const UNCONFIRMED = ['pending', 'submitted', 'failed']

/**
 * The rail has confirmed a settlement. Confirmed before: nothing happens.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: not known, ended otherwise, or adjusted since the rail was told its amounts
 */
export function settle(execution: Execution, facts: Facts, asked: PendingSettlement): object {
  const { settlement_id } = asked
  const row =
    facts.settlements.get(settlement_id) ?? refuse('settlement_id', settlement_id, 'a settlement that is known')
  if (row.state === 'confirmed') return { settlement_id, state: row.state }
  if (!UNCONFIRMED.includes(row.state)) refuse('settlement.state', row.state, UNCONFIRMED.join(', '))
  for (const field of ['quantity', 'notional', 'fee', 'short_credit'] as const) {
    if (row[field] !== asked[field]) refuse(`settlement.${field}`, String(asked[field]), `${row[field]}, as adjusted`)
  }
  confirmSettlement(execution, asked)
  moveSettlement(execution, facts, { ...row, state: 'confirmed', confirmed_at: execution.now })
  return { settlement_id, state: 'confirmed' }
}

/** Records what a settlement has become, and tells it. @param row with its former version */
export function moveSettlement(execution: Execution, facts: Facts, row: SettlementRow): void {
  const moved = { ...row, projection_version: row.projection_version + 1, updated_at: execution.now }
  facts.settlements.set(row.settlement_id, moved)
  execution.changes.settlements.set(row.settlement_id, moved)
  const { account_id, settlement_id, fill_id, state, projection_version } = moved
  const engine_sequence = execution.nextSequence()
  const told = { account_id, settlement_id, fill_id, state, projection_version }
  execution.tell({ engine_sequence, at: execution.now, kind: 'settlement', ...told })
}

import { invariant } from '../../primitives/errors.ts'
import type { SettlementState } from '../../vocabulary/settlement.ts'
import type { SettlementRow } from '../projections/rows.ts'
import type { Execution } from './execution.ts'
import type { Facts } from './facts.ts'
import type { SettlementFailure } from './settlement-commands.ts'
import { maySettle } from './settlement-states.ts'
import { accountOf, outcomeOf } from './state.ts'
import { noteUnpaid } from './unpaid-positions.ts'

/** Actor and reason of settlement moves, kept with every move. */
export type ActOf = { readonly actor: string; readonly reason: string }

export const TRADE_SETTLEMENT = 'trade_settlement'
/** Kinds of settlements that begin with a match; the others are payouts. */
const OPENED_BY_TRADES: readonly string[] = [TRADE_SETTLEMENT, 'set_mint', 'set_merge']

/**
 * Moves a settlement along its table, records the move and publishes it.
 * @param row the settlement with its other changes, in the state that it leaves
 * @param failure_code of the attempt that failed; null: none failed
 * @throws {InvariantError} the table lacks the move, which the caller must have checked
 */
export function moveSettlement(
  execution: Execution,
  facts: Facts,
  row: SettlementRow,
  to: SettlementState,
  { actor, reason }: ActOf,
  failure_code: SettlementFailure | null = null,
): SettlementRow {
  invariant(maySettle(row.state, to), `settlement ${row.settlement_id} may move from ${row.state} to ${to}`)
  const moved = recordSettlement(execution, facts, { ...row, state: to }, failure_code)
  const { settlement_id, account_id, attempt_id, engine_sequence, updated_at: at } = moved
  const move = {
    engine_sequence,
    settlement_id,
    account_id,
    from_state: row.state,
    state: to,
    attempt_id,
    actor,
    reason,
    at,
  }
  execution.changes.transitions.push(move)
  return moved
}

/** Records and publishes a settlement that is new or changed without a move. @param row with its former version */
export function recordSettlement(
  execution: Execution,
  facts: Facts,
  row: SettlementRow,
  failure_code: SettlementFailure | null = null,
): SettlementRow {
  const { now } = execution
  const engine_sequence = execution.nextSequence()
  const recorded = { ...row, projection_version: row.projection_version + 1, updated_at: now, engine_sequence }
  countOpen(execution, facts.settlements.get(row.settlement_id), recorded)
  facts.settlements.set(row.settlement_id, recorded)
  execution.changes.settlements.set(row.settlement_id, recorded)
  const { account_id, settlement_id, fill_id, state, projection_version, attempt_id, attempt_count } = recorded
  execution.publish({
    engine_sequence,
    at: now,
    kind: 'settlement',
    account_id,
    settlement_id,
    fill_id,
    state: state as SettlementState,
    projection_version,
    attempt_id,
    attempt_number: attempt_id === null ? null : attempt_count,
    failure_code,
  })
  return recorded
}

/**
 * Whether a trade's money is still pending, so that a resolution pays its position later. A settlement adjusted to nothing is
 * not.
 */
function isOpen({ kind, state, notional, fee }: SettlementRow): boolean {
  return OPENED_BY_TRADES.includes(kind) && state !== 'confirmed' && (notional !== 0 || fee !== 0)
}

function countOpen({ state }: Execution, before: SettlementRow | undefined, after: SettlementRow): void {
  const change = Number(isOpen(after)) - Number(before !== undefined && isOpen(before))
  if (change === 0) return
  const position = accountOf(state, after.account_id).positions.get(after.outcome_id)
  invariant(position !== undefined, `settlement ${after.settlement_id} is of a position`)
  position.open_settlements += change
  noteUnpaid(outcomeOf(state, position).market, position)
}

import { invariant } from '../../primitives/errors.ts'
import { refuse } from '../market/refuse.ts'
import type { SettlementRow } from '../projections/rows.ts'
import { unconfirmSettlement } from './confirm-settlement.ts'
import type { Execution } from './execution.ts'
import type { Facts } from './facts.ts'
import { layOut, repayHouse } from './house-outlay.ts'
import { type ActOf, moveSettlement, TRADE_SETTLEMENT } from './move-settlement.ts'
import { asSplit } from './settle-split.ts'
import type { ReverseSettlement } from './settlement-commands.ts'
import { accountOf } from './state.ts'

/**
 * Reverses a confirmation with mirror entries; a second person must have approved. The settlement is pending again until an
 * adjustment ends it. The house pays what the account cannot return, so that no balance falls below 0.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID; nothing has changed
 */
export function reverseSettlement(execution: Execution, facts: Facts, command: ReverseSettlement, act: ActOf): object {
  const { reversal_id, settlement_id } = command
  const known = checkReversal(facts, command, act)
  const position = accountOf(execution.state, known.account_id).positions.get(known.outcome_id)
  invariant(position !== undefined, `settlement ${settlement_id} is of a position`)
  const row = asSplit(known, position.terms)
  unconfirmSettlement(execution, row)
  const shortfall = layOut(execution, position)
  const reversed = moveSettlement(execution, facts, { ...row, reversal_id }, 'reversed', act)
  const laid_out = repayHouse(execution, position, shortfall, 'reversal', settlement_id)
  recordReversal(execution, facts, command, act, reversed, laid_out)
  return { reversal_id, settlement_id, state: reversed.state }
}

function checkReversal(facts: Facts, command: ReverseSettlement, { actor }: ActOf): SettlementRow {
  const { settlement_id, reversal_id, approved_by } = command
  const row =
    facts.settlements.get(settlement_id) ?? refuse('settlement_id', settlement_id, 'a settlement that is known')
  if (approved_by === actor || approved_by === '') refuse('approved_by', approved_by, `another person than ${actor}`)
  if (row.state !== 'confirmed') refuse('settlement.state', row.state, 'confirmed')
  if (reversal_id === '' || facts.reversal_ids.has(reversal_id)) refuse('reversal_id', reversal_id, 'a new id')
  if (row.kind !== TRADE_SETTLEMENT) {
    refuse('settlement.kind', row.kind, `${TRADE_SETTLEMENT}: a payout changes by a correction of its resolution`)
  }
  if (row.notional === 0 && row.fee === 0) refuse('settlement.notional', '0', 'a settlement that has moved money')
  return row
}

function recordReversal(
  { changes, now }: Execution,
  facts: Facts,
  command: ReverseSettlement,
  { actor }: ActOf,
  { engine_sequence, account_id }: SettlementRow,
  shortfall: number,
): void {
  const { reversal_id, settlement_id, reason_code, rationale, evidence, approved_by } = command
  facts.reversal_ids.add(reversal_id)
  changes.reversals.push({
    reversal_id,
    engine_sequence,
    settlement_id,
    account_id,
    reason_code,
    rationale,
    evidence,
    actor,
    approved_by,
    shortfall,
    at: now,
  })
}

import { refuse } from '../market/refuse.ts'
import type { AttemptRow, SettlementRow } from '../projections/rows.ts'
import { confirmSettlement } from './confirm-settlement.ts'
import type { Execution } from './execution.ts'
import type { Facts } from './facts.ts'
import { keepAttempt } from './keep-attempt.ts'
import { type ActOf, moveSettlement } from './move-settlement.ts'
import type { AttemptResult, ConcludedSettlements, ConcludeSettlements } from './settlement-commands.ts'

type AttemptReport = ConcludedSettlements['settlements'][number]

/**
 * Ends attempts with the rail's results: money and outcome move for the confirmed ones, pending amounts stay for the failed ones.
 * An ended attempt stays as it is, and so does a settlement whose current attempt is another.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: a failure without a code, or a confirmation with one; nothing has changed
 */
export function concludeSettlements(
  execution: Execution,
  facts: Facts,
  { results }: ConcludeSettlements,
  act: ActOf,
): ConcludedSettlements {
  for (const result of results) checkResult(result)
  return { settlements: results.map((result) => concludeAttempt(execution, facts, result, act)) }
}

/** Returns the answer to a repeated act; it has no further effect. */
export function concludedBefore(facts: Facts, { results }: ConcludeSettlements): ConcludedSettlements {
  return { settlements: results.map((result) => reportOf(facts, result, false)) }
}

function checkResult({ result, failure_code }: AttemptResult): void {
  if (result === 'failed' && failure_code === null) refuse('failure_code', 'null', 'why the attempt has failed')
  if (result === 'confirmed' && failure_code !== null) {
    refuse('failure_code', failure_code, 'null where the attempt is confirmed')
  }
}

/** Ends one attempt if it is the current one. */
export function concludeAttempt(execution: Execution, facts: Facts, asked: AttemptResult, act: ActOf): AttemptReport {
  const attempt = facts.attempts.get(asked.attempt_id)
  const row = facts.settlements.get(asked.settlement_id)
  // The current attempt is always the settlement's last one.
  const stands = row?.state === 'submitted' && row.attempt_id === asked.attempt_id
  if (!stands || attempt === undefined) return reportOf(facts, asked, false)
  const ended = endedAttempt(execution, attempt, asked)
  keepAttempt(execution, facts, ended)
  if (asked.result === 'confirmed') confirmSettlement(execution, row)
  moveSettlement(execution, facts, concludedRow(execution, row, asked), asked.result, act, asked.failure_code)
  return reportOf(facts, asked, true)
}

function concludedRow({ now }: Execution, row: SettlementRow, { result }: AttemptResult): SettlementRow {
  return result === 'confirmed' ? { ...row, confirmed_at: now } : row
}

function endedAttempt({ now }: Execution, attempt: AttemptRow, result: AttemptResult): AttemptRow {
  return {
    ...attempt,
    state: result.result,
    concluded_at: now,
    external_reference: result.external_reference,
    confirmation_count: result.confirmation_count,
    failure_code: result.failure_code,
    message: result.message,
    retryable: result.retryable,
    next_action: result.next_action,
    rail_response_reference: result.rail_response_reference,
  }
}

/** An unknown settlement has no state. */
function reportOf(facts: Facts, { settlement_id, attempt_id }: AttemptResult, applied: boolean): AttemptReport {
  const state = facts.settlements.get(settlement_id)?.state ?? 'unknown'
  return { settlement_id, attempt_id, state, applied }
}

import { refuse } from '../market/refuse.ts'
import type { AttemptRow, SettlementRow } from '../projections/rows.ts'
import { concludeAttempt } from './conclude-settlements.ts'
import type { Execution } from './execution.ts'
import type { Facts } from './facts.ts'
import { keepAttempt } from './keep-attempt.ts'
import { type ActOf, moveSettlement } from './move-settlement.ts'
import type {
  AttemptToBegin,
  SettlementInstruction,
  SubmitSettlements,
  SubmittedSettlements,
} from './settlement-commands.ts'
import { maySettle } from './settlement-states.ts'

type AttemptReport = SubmittedSettlements['attempts'][number]

/**
 * Begins attempts: each pending or failed settlement becomes submitted, under a new attempt_id. One that cannot begin is
 * reported. The current attempt is answered again as before. An attempt that arrives with its confirmation ends at once.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: no rail is named
 */
export function submitSettlements(
  execution: Execution,
  facts: Facts,
  { rail, attempts }: SubmitSettlements,
  act: ActOf,
): SubmittedSettlements {
  if (rail === '') refuse('rail', rail, 'the name of a rail')
  return {
    attempts: attempts.map((asked) => earlierReport(facts, asked) ?? beginAttempt(execution, facts, rail, asked, act)),
  }
}

/** Returns the answer to a repeated act; it begins nothing. */
export function submittedBefore(facts: Facts, { attempts }: SubmitSettlements): SubmittedSettlements {
  return { attempts: attempts.map((asked) => earlierReport(facts, asked) ?? refusedAttempt(facts, asked)) }
}

function earlierReport(facts: Facts, asked: AttemptToBegin): AttemptReport | null {
  const attempt = facts.attempts.get(asked.attempt_id)
  if (attempt === undefined) return null
  const row = facts.settlements.get(asked.settlement_id)
  const is_its = attempt.settlement_id === asked.settlement_id
  if (is_its && attempt.state === 'confirmed' && asked.confirmation !== undefined) return confirmedAttempt(asked)
  if (!is_its || attempt.state !== 'submitted' || row === undefined) return refusedAttempt(facts, asked)
  return { result: 'submitted', instruction: instructionOf(row, attempt) }
}

function beginAttempt(
  execution: Execution,
  facts: Facts,
  rail: string,
  asked: AttemptToBegin,
  act: ActOf,
): AttemptReport {
  const { settlement_id, attempt_id } = asked
  const row = facts.settlements.get(settlement_id)
  if (row === undefined || attempt_id === '' || !maySettle(row.state, 'submitted')) return refusedAttempt(facts, asked)
  const attempt_number = row.attempt_count + 1
  const attempt = newAttempt(execution, { attempt_id, settlement_id, attempt_number, rail })
  keepAttempt(execution, facts, attempt)
  const begun = { ...row, rail, attempt_id, attempt_count: attempt_number }
  moveSettlement(execution, facts, begun, 'submitted', act)
  if (asked.confirmation !== undefined) {
    concludeAttempt(execution, facts, { settlement_id, attempt_id, ...CONFIRMED, ...asked.confirmation }, act)
    return confirmedAttempt(asked)
  }
  return { result: 'submitted', instruction: instructionOf(row, attempt) }
}

const CONFIRMED = { result: 'confirmed', failure_code: null, retryable: null, next_action: 'none' } as const

function confirmedAttempt({ settlement_id, attempt_id }: AttemptToBegin): AttemptReport {
  return { result: 'confirmed', settlement_id, attempt_id }
}

function refusedAttempt(facts: Facts, { settlement_id, attempt_id }: AttemptToBegin): AttemptReport {
  return { result: 'refused', settlement_id, attempt_id, state: facts.settlements.get(settlement_id)?.state ?? null }
}

function newAttempt(
  { now }: Execution,
  begun: Pick<AttemptRow, 'attempt_id' | 'settlement_id' | 'attempt_number' | 'rail'>,
): AttemptRow {
  return {
    ...begun,
    state: 'submitted',
    submitted_at: now,
    concluded_at: null,
    external_reference: null,
    chain_id: null,
    transaction_hash: null,
    confirmation_count: null,
    failure_code: null,
    message: null,
    retryable: null,
    next_action: null,
    rail_response_reference: null,
  }
}

function instructionOf(row: SettlementRow, { attempt_id, attempt_number }: AttemptRow): SettlementInstruction {
  const { settlement_id, account_id, market_id, outcome_id, asset_id, quantity, notional, fee } = row
  const side = row.side as SettlementInstruction['side']
  const { debit_amount, credit_amount } = row
  const split = debit_amount === null ? {} : { debit_amount, credit_amount }
  const amounts = { side, quantity, notional, fee, ...split }
  return { settlement_id, attempt_id, attempt_number, account_id, market_id, outcome_id, asset_id, ...amounts }
}

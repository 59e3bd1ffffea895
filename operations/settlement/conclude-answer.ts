import type { Micros } from '../../primitives/instants.ts'
import type { AttemptResult, SettlementFailure } from '../../trading/engine/settlement-commands.ts'
import type { RailAnswer } from '../../trading/settlement/settlement-rail.ts'
import type { AttemptUnderWay } from '../../trading/store/settlement/settlement-work.ts'

/** When an attempt is given up, and when an operator is asked. */
export type ConclusionLimits = { readonly finality_ms: number; readonly attempts_max: number }

/**
 * Concludes an attempt from the rail's answer; null while it is in progress. Pure.
 *
 * A confirmation ends it successfully. An attempt that was accepted, is unknown or was not answered ends as SETTLEMENT_FINALITY_TIMEOUT
 * after `finality_ms`: the next attempt finds out whether it was executed, because the rail answers it with the earlier result. A
 * temporary failure is retried up to `attempts_max` times; a final refusal or a reversal waits for an operator.
 */
export function concludeAnswer(
  answer: RailAnswer,
  attempt: AttemptUnderWay,
  now: Micros,
  limits: ConclusionLimits,
): AttemptResult | null {
  switch (answer.result) {
    case 'confirmed':
      return {
        ...factsOf(answer, attempt),
        result: 'confirmed',
        failure_code: null,
        retryable: null,
        next_action: 'none',
      }
    case 'unavailable':
      return failed(answer, attempt, limits, 'SETTLEMENT_RAIL_UNAVAILABLE', true)
    case 'rejected': {
      const failure_code = answer.failure_code ?? 'SETTLEMENT_SUBMISSION_REJECTED'
      return failed(answer, attempt, limits, failure_code, answer.retryable)
    }
    case 'reversed':
      return failed(answer, attempt, limits, 'SETTLEMENT_REVERSED', false)
    case 'accepted':
    case 'unknown': {
      if (now - attempt.submitted_at < limits.finality_ms * 1_000) return null
      const message = answer.message ?? `not final ${limits.finality_ms} ms after its submission`
      return failed({ ...answer, message }, attempt, limits, 'SETTLEMENT_FINALITY_TIMEOUT', true)
    }
  }
}

function failed(
  answer: RailAnswer,
  attempt: AttemptUnderWay,
  { attempts_max }: ConclusionLimits,
  failure_code: SettlementFailure,
  retryable: boolean,
): AttemptResult {
  const next_action = retryable && attempt.attempt_number < attempts_max ? 'retry' : 'operator_review'
  return { ...factsOf(answer, attempt), result: 'failed', failure_code, retryable, next_action }
}

function factsOf(answer: RailAnswer, { settlement_id, attempt_id }: AttemptUnderWay) {
  const { message, external_reference, rail_response_reference, confirmation_count } = answer
  return { settlement_id, attempt_id, message, external_reference, rail_response_reference, confirmation_count }
}

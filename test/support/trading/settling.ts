import type {
  AttemptResult,
  ConcludeSettlements,
  SubmitSettlements,
} from '../../../trading/engine/settlement-commands.ts'

/** A rail that says no more than how it ended. */
export const SILENT = {
  message: null,
  external_reference: null,
  rail_response_reference: null,
  confirmation_count: null,
} as const

/** Attempts that begin, each under an id that says its number. */
export function submitting(settlement_ids: readonly string[], number = 1): SubmitSettlements {
  const attempts = settlement_ids.map((settlement_id) => ({
    settlement_id,
    attempt_id: attemptOf(settlement_id, number),
  }))
  return { kind: 'submit_settlements', rail: 'test', attempts }
}

/** The same attempts, as the rail ended them. */
export function concluding(
  settlement_ids: readonly string[],
  result: AttemptResult['result'] = 'confirmed',
  number = 1,
): ConcludeSettlements {
  const told =
    result === 'confirmed'
      ? ({ failure_code: null, retryable: null, next_action: 'none' } as const)
      : ({ failure_code: 'SETTLEMENT_RAIL_UNAVAILABLE', retryable: true, next_action: 'retry' } as const)
  const results = settlement_ids.map((settlement_id) => ({
    settlement_id,
    attempt_id: attemptOf(settlement_id, number),
    result,
    ...told,
    ...SILENT,
  }))
  return { kind: 'conclude_settlements', results }
}

/** The id that `submitting` gives an attempt. */
export function attemptOf(settlement_id: string, number: number): string {
  return `att_${settlement_id}_${number}`
}

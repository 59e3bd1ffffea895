import type { SettlementFailure, SettlementInstruction } from '../engine/settlement-commands.ts'

/**
 * A rail's report on one settlement:
 * - accepted: received, not final yet
 * - confirmed: executed, final
 * - rejected: not executed, and never will be under this attempt
 * - unavailable: not received; the same attempt may be submitted again
 * - reversed: executed and then taken back
 * - unknown: never received
 */
const RAIL_RESULTS = ['accepted', 'confirmed', 'rejected', 'unavailable', 'reversed', 'unknown'] as const
export type RailResult = (typeof RAIL_RESULTS)[number]

export type RailAnswer = {
  readonly settlement_id: string
  readonly result: RailResult
  /** Reason of a rejection; null for other results, and if the rail gives none. */
  readonly failure_code: SettlementFailure | null
  /** Whether another attempt after a rejection may succeed by itself. */
  readonly retryable: boolean
  /** Explanation for people. */
  readonly message: string | null
  /** The rail's id of the transfer. */
  readonly external_reference: string | null
  /** The rail's id of this answer. */
  readonly rail_response_reference: string | null
  readonly confirmation_count: number | null
}

/**
 * Executes settlements outside our books, or reports that there is nothing to execute. **Idempotent by settlement_id**: a
 * settlement is executed once, however often it is submitted; a repeated submission is answered with its present state.
 */
export type SettlementRail = {
  /** Name of the rail in attempts. */
  readonly name: string
  /** Longest time from an attempt's submission until it is final. */
  readonly finality_ms: number
  /** Answer of a rail that has nothing to execute, given without a call. Missing: the rail must be called. */
  readonly confirmation?: (settlement_id: string) => RailAnswer
  /**
   * Submits instructions and returns their answers, in any order; a missing answer means an unknown outcome, and a repeated one
   * counts once.
   * @throws the rail could not be reached or did not answer in time: all outcomes are unknown
   */
  submit(instructions: readonly SettlementInstruction[], signal: AbortSignal): Promise<readonly RailAnswer[]>
  /** Returns the present state of submitted settlements. @throws as submit */
  statusOf(settlement_ids: readonly string[], signal: AbortSignal): Promise<readonly RailAnswer[]>
  /** Returns all settlements that the rail executed and reversed. @throws as submit */
  reversals(signal: AbortSignal): Promise<readonly RailAnswer[]>
}

/** Builds a rail's answer; fields that are not given are empty. */
export function railAnswer(settlement_id: string, result: RailResult, given: Partial<RailAnswer> = {}): RailAnswer {
  return {
    settlement_id,
    result,
    failure_code: null,
    retryable: false,
    message: null,
    external_reference: null,
    rail_response_reference: null,
    confirmation_count: null,
    ...given,
  }
}

import type { SettlementFailure, SettlementInstruction } from '../engine/settlement-commands.ts'

/**
 * What a rail knows of one settlement.
 * - accepted: taken, not final yet
 * - confirmed: executed, final
 * - rejected: not executed, and it will not be under this attempt
 * - unavailable: not taken; the same may be asked again
 * - reversed: it was executed and taken back
 * - unknown: it has never heard of it
 */
const RAIL_RESULTS = ['accepted', 'confirmed', 'rejected', 'unavailable', 'reversed', 'unknown'] as const
export type RailResult = (typeof RAIL_RESULTS)[number]

export type RailAnswer = {
  readonly settlement_id: string
  readonly result: RailResult
  /** Of rejected: what it is; null of every other result, and where the rail says no more. */
  readonly failure_code: SettlementFailure | null
  /** Of rejected: whether another attempt may succeed by itself. */
  readonly retryable: boolean
  /** For people. */
  readonly message: string | null
  /** What the rail calls the transfer. */
  readonly external_reference: string | null
  /** What the rail calls this answer. */
  readonly rail_response_reference: string | null
  readonly confirmation_count: number | null
}

/**
 * Moves what a settlement says outside of our books, or says that nothing has to be moved. **Idempotent by settlement_id**: whatever
 * is asked of a settlement, and however often, it is executed once; asked again it is answered with what it has become.
 */
export type SettlementRail = {
  /** As attempts name it. */
  readonly name: string
  /** How long an attempt may take from its submission on until it is final. */
  readonly finality_ms: number
  /** Of a rail that has nothing to execute: what it answers of any settlement, without being asked. Left out: it is to be asked. */
  readonly confirmation?: (settlement_id: string) => RailAnswer
  /**
   * Answers of these instructions, in any order; one that is left out has an unknown end, one that is answered twice counts once.
   * @throws it could not be reached, or did not answer in time: the end of all of them is unknown
   */
  submit(instructions: readonly SettlementInstruction[], signal: AbortSignal): Promise<readonly RailAnswer[]>
  /** What has become of settlements that it was told of. @throws as submit */
  statusOf(settlement_ids: readonly string[], signal: AbortSignal): Promise<readonly RailAnswer[]>
  /** Settlements that it executed and took back, all that it knows of. @throws as submit */
  reversals(signal: AbortSignal): Promise<readonly RailAnswer[]>
}

/** An answer with what is usual of it. */
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

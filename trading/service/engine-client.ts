import type { Answer, Submission } from '../engine/submission.ts'

/** Phases of an engine's life. */
export const ENGINE_PHASES = ['starting', 'leading', 'standby', 'recovering', 'stopping'] as const

/** State of an engine, for its callers. */
export type EngineStatus = {
  readonly phase: (typeof ENGINE_PHASES)[number]
  readonly epoch: number
  readonly engine_sequence: number
  /** Submissions waiting for the next batch. */
  readonly queued: number
  /** Submissions that failed alone by a fault of ours and were refused, since this engine leads. */
  readonly poisoned_submissions: number
  /** Submissions that were refused because the queue was full, since the process started. */
  readonly queue_refused: number
}

/** State of an engine that was not reached yet. */
export const UNREACHED: EngineStatus = {
  phase: 'starting',
  epoch: 0,
  engine_sequence: 0,
  queued: 0,
  poisoned_submissions: 0,
  queue_refused: 0,
}

/** The only way to change trading state, inside the engine's process or over its socket. */
export type EngineClient = {
  /**
   * Submits and waits until the batch is committed.
   * @throws {ServiceError} SERVICE_UNAVAILABLE: not accepted, without effect; OUTCOME_UNKNOWN: accepted with an unknown outcome,
   *   repeat it with the same Idempotency-Key
   */
  submit(submission: Submission): Promise<Answer>
  status(): EngineStatus
  close(): Promise<void>
}

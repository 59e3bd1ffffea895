import type { Answer, Submission } from '../engine/submission.ts'

/** Where the engine is in its life. */
export type EngineStatus = {
  readonly phase: 'starting' | 'leading' | 'standby' | 'recovering' | 'stopping'
  readonly epoch: number
  readonly engine_sequence: number
  /** Submissions that wait for the next batch. */
  readonly queued: number
}

/**
 * The one way in: whoever changes trading state asks through it, in the engine's own process or over its local socket.
 */
export type EngineClient = {
  /**
   * Hands a submission over and waits until its batch is committed.
   * @throws {ServiceError} SERVICE_UNAVAILABLE: it was not taken, nothing happened; OUTCOME_UNKNOWN: it was taken and its end is not
   *   known, ask again with the same Idempotency-Key
   */
  submit(submission: Submission): Promise<Answer>
  status(): EngineStatus
  close(): Promise<void>
}

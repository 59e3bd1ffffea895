import type { EngineConnection } from '../store/engine-connection.ts'
import { writePrepared } from '../store/write-batch.ts'
import { answerFailed, internalError, isRefusedData, PoisonedBatch } from './batch-failure.ts'
import type { DecidedBatch } from './decide-batch.ts'
import type { KillPoint } from './kill-point.ts'
import type { Ticket } from './submission-queue.ts'

export type CommitPorts = {
  readonly connection: EngineConnection
  /** null: no kill point is set. */
  readonly reach: KillPoint | null
}

/**
 * Writes a decided batch.
 * @throws {PoisonedBatch} its rows were refused; no caller has been answered
 * @throws any other error, after all callers have been answered as far as known
 */
export async function commitBatch({ connection, reach }: CommitPorts, batch: DecidedBatch): Promise<void> {
  if (batch.prepared === null) return
  await writePrepared(connection, batch.prepared, reach).catch((error: unknown) => {
    if (isRefusedData(error)) throw new PoisonedBatch(error)
    answerFailed(ticketsOf(batch), error)
    throw error
  })
  await reach?.('after-commit-before-ack')
}

/** Answers the callers once the whole batch is committed. */
export function answerBatch({ decisions }: DecidedBatch): void {
  for (const { ticket, answer, error } of decisions) {
    if (answer === null) ticket.reject(internalError(error))
    else ticket.resolve(answer)
  }
}

/** Callers of a batch. */
export function ticketsOf({ decisions }: DecidedBatch): readonly Ticket[] {
  return decisions.map(({ ticket }) => ticket)
}

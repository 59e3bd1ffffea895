import { setTimeout as delay } from 'node:timers/promises'
import { ServiceError } from '../../primitives/errors.ts'
import { connectionOptions } from './connection-options.ts'
import type { ServerAddress } from './server-file.ts'

const TRY_MS = 2_000
const PAUSE_MS = 100
const LOOK_MS = 5_000
/** A busy server may miss one look. */
const MISSES_MAX = 2

/** Advice for a caller whom no server answers. */
export const HOW_TO_SERVE =
  'allowed: a running server (TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE); without TEMPORAL_ADDRESS, `tidemark up` or `tidemark worker` starts one'

/**
 * Returns true if a server answers for its namespace now.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: a TLS file cannot be read
 */
export async function isServing(server: ServerAddress): Promise<boolean> {
  const { Connection } = await import('@temporalio/client')
  const options = await connectionOptions(server)
  try {
    const connection = await Connection.connect({ ...options, connectTimeout: TRY_MS })
    try {
      const answer = connection.workflowService.describeNamespace({ namespace: server.namespace })
      await connection.withDeadline(Date.now() + TRY_MS, () => answer)
      return true
    } finally {
      await connection.close()
    }
  } catch {
    return false
  }
}

/**
 * Waits until a server answers for its namespace.
 * @param given_up  ends the wait: the server has ended, or the caller stopped waiting
 * @throws {ServiceError} SERVICE_UNAVAILABLE: no answer in time, or the wait was given up; errors of isServing
 */
export async function awaitServing(server: ServerAddress, wait_ms: number, given_up: AbortSignal): Promise<void> {
  const end = Date.now() + wait_ms
  while (!(await isServing(server))) {
    if (given_up.aborted || Date.now() > end) {
      const { address, namespace } = server
      throw new ServiceError(
        'SERVICE_UNAVAILABLE',
        `Temporal at ${address} does not serve namespace ${namespace}; ${HOW_TO_SERVE}`,
        { address, namespace },
      )
    }
    await delay(PAUSE_MS)
  }
}

/** Watches a server until the signal is aborted. @returns whether it answers: not after two looks in a row without an answer */
export function watchServing(server: ServerAddress, signal: AbortSignal, look_ms = LOOK_MS): () => boolean {
  let misses = 0
  const watch = async () => {
    while (!signal.aborted) {
      await delay(look_ms, undefined, { signal, ref: false })
      misses = (await isServing(server)) ? 0 : misses + 1
    }
  }
  watch().catch(() => undefined) // the signal ends its wait
  return () => misses < MISSES_MAX
}

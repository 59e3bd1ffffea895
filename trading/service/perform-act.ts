import { setTimeout as sleep } from 'node:timers/promises'
import { isServiceError, ServiceError } from '../../primitives/errors.ts'
import type { Answer, Operate } from '../engine/submission.ts'
import type { EngineClient } from './engine-client.ts'

/** Longer than an engine takes to become leader. */
const ATTEMPTS_MAX = 12
const WAIT_MS = 500

/**
 * Carries out an act once; if the engine changes hands meanwhile, the same act is submitted again.
 * @param signal ends the wait for a leading engine; missing: some seconds
 * @returns the engine's `data`, or null
 * @throws {ServiceError} the engine's refusal; SERVICE_UNAVAILABLE or OUTCOME_UNKNOWN after some seconds without an answer
 */
export async function performAct(
  client: EngineClient,
  act: Omit<Operate, 'kind'>,
  signal: AbortSignal | null = null,
): Promise<unknown> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return dataOf(await client.submit({ kind: 'operate', ...act }))
    } catch (error) {
      const passes = isServiceError(error, 'SERVICE_UNAVAILABLE') || isServiceError(error, 'OUTCOME_UNKNOWN')
      if (!passes || attempt === ATTEMPTS_MAX || signal?.aborted === true) throw error
      await sleep(WAIT_MS)
    }
  }
}

function dataOf({ error, data }: Answer): unknown {
  if (error !== null) throw new ServiceError(error.code, error.message, error.facts ?? {})
  return data === null ? null : JSON.parse(data)
}

import { ApiError, errorOfAnswer, rateWaitOf, unreachable } from '../data/api-error.ts'
import type { Turns } from '../data/turns.ts'
import type { Bytes } from './bytes.ts'

/** Files of a log. Each read may throw ApiError. */
export type LogFiles = { readonly read: (path: string, signal: AbortSignal) => Promise<Bytes> }

type ReadOptions = { readonly signal: AbortSignal; readonly cache: 'no-cache' }

export type LogPorts = {
  readonly fetch: (url: string, options: ReadOptions) => Promise<Response>
  /** Turns of all reads that share a limit: a refused one is repeated after its wait, once for all. */
  readonly turns: Turns
}

/** Creates the reads of the log that this service serves. */
export function logFiles({ fetch, turns }: LogPorts): LogFiles {
  const readOnce = async (path: string, signal: AbortSignal): Promise<Bytes> => {
    // A checkpoint, and a tile that was read before, may have changed: what is checked is what is served now.
    const response = await fetch(`/log/${path}`, { signal, cache: 'no-cache' }).catch((cause: unknown) => {
      throw signal.aborted ? cause : unreachable()
    })
    if (response.ok) return new Uint8Array(await response.arrayBuffer())
    throw errorOfAnswer(response.status, await response.json().catch(() => null))
  }
  return { read: (path, signal) => turns.take(() => readOnce(path, signal), rateWaitOf) }
}

/** Reports whether the service has no log yet. */
export function isWithoutLog(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'LOG_NOT_FOUND'
}

import { ApiError, errorOfAnswer, unreachable } from '../data/api-error.ts'
import type { Bytes } from './bytes.ts'

/** Files of a log. Each read may throw ApiError. */
export type LogFiles = { readonly read: (path: string, signal: AbortSignal) => Promise<Bytes> }

type ReadOptions = { readonly signal: AbortSignal; readonly cache: 'no-cache' }

export type LogPorts = {
  readonly fetch: (url: string, options: ReadOptions) => Promise<Response>
  readonly wait: (millis: number, signal: AbortSignal) => Promise<void>
}

const TRIES_MAX = 4
const WAIT_MS_MAX = 30_000
const TOO_MANY_REQUESTS = 429

/** Creates the reads of the log that this service serves. A read that is refused for its rate waits as long as the answer says. */
export function logFiles({ fetch, wait }: LogPorts): LogFiles {
  return {
    async read(path, signal) {
      // A checkpoint, and a tile that was read before, may have changed: what is checked is what is served now.
      const options: ReadOptions = { signal, cache: 'no-cache' }
      for (let tries = 1; ; tries++) {
        const response = await fetch(`/log/${path}`, options).catch((cause: unknown) => {
          throw signal.aborted ? cause : unreachable()
        })
        if (response.ok) return new Uint8Array(await response.arrayBuffer())
        const error = errorOfAnswer(response.status, await response.json().catch(() => null))
        if (response.status !== TOO_MANY_REQUESTS || tries === TRIES_MAX) throw error
        await wait(Math.min(error.retry_after_ms ?? 1000, WAIT_MS_MAX), signal)
      }
    },
  }
}

/** Reports whether the service has no log yet. */
export function isWithoutLog(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'LOG_NOT_FOUND'
}

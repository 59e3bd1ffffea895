import { backoffMs, DEFAULT_BACKOFF, jitteredMs } from '../../../primitives/backoff.ts'
import type { Answer, Query } from '../../data/api-client.ts'
import { urlOf } from '../../data/api-client.ts'
import { ApiError, errorOfAnswer, unreachable } from '../../data/api-error.ts'
import { type RequestKey, randomToken, signedHeaders } from '../signing/request-signature.ts'

/** Signed requests of one API key. Each may throw ApiError. */
export type PrivateApi = {
  readonly key: RequestKey
  /** Estimated server time in Unix epoch milliseconds. */
  readonly now: () => number
  readonly get: <T>(path: string, query: Query, signal: AbortSignal) => Promise<Answer<T>>
  /** Reads a history as one CSV file. */
  readonly csv: (path: string, query: Query) => Promise<Blob>
  /** Sends one write under one Idempotency-Key, however often it is retried. */
  readonly write: <T>(act: Write, onRepeat?: (repeat: Repeat) => void) => Promise<Answer<T>>
}

export type Write = {
  readonly method?: 'POST' | 'PUT'
  readonly path: string
  readonly body: unknown
  /** Random if left out. */
  readonly idempotency_key?: string
}

/** Retry of a write whose outcome is unknown, under the same Idempotency-Key. */
export type Repeat = { readonly attempt: number; readonly error: ApiError; readonly idempotency_key: string }

export type PrivatePorts = {
  readonly fetch: (url: string, options: RequestInit) => Promise<Response>
  readonly wait: (millis: number) => Promise<void>
  /** Unix epoch milliseconds. */
  readonly now: () => number
  readonly random: () => number
}

const ATTEMPTS_MAX = 8
const TIMEOUT_MS = 15_000
const PASSING_STATUS: readonly number[] = [429, 503, 504]
const CLOCK_REFUSED = 'AUTH_TIMESTAMP_OUT_OF_WINDOW'
const PASSING_CODES: readonly string[] = ['UNREACHABLE', 'IDEMPOTENCY_IN_PROGRESS', CLOCK_REFUSED]

/** Creates signed requests; transient failures are retried with a new nonce and time. */
export function createPrivateApi(key: RequestKey, ports: PrivatePorts = BROWSER_PORTS): PrivateApi {
  /** Server time minus local time, in milliseconds; learned when a timestamp is refused. */
  let ahead_ms = 0
  const send = async <T>(one: Sent, onFailed: (attempt: number, error: ApiError) => void): Promise<Answer<T>> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await attempted<T>(one, key, ports, ahead_ms)
      } catch (error) {
        if (!(error instanceof ApiError) || attempt === ATTEMPTS_MAX || !mayPass(error)) throw error
        if (error.code === CLOCK_REFUSED) ahead_ms = (error.fields?.server_time_ms ?? ports.now()) - ports.now()
        onFailed(attempt, error)
        await ports.wait(error.retry_after_ms ?? jitteredMs(backoffMs(DEFAULT_BACKOFF, attempt), ports.random()))
      }
    }
  }
  return {
    key,
    now: () => ports.now() + ahead_ms,
    get: (path, query, signal) =>
      send({ method: 'GET', url: urlOf(path, query), body: '', extra: {}, signal }, ignored),
    csv: async (path, query) => {
      const sent = { method: 'GET', url: urlOf(path, query), body: '', extra: { Accept: 'text/csv' }, signal: null }
      const response = await signedFetch(sent, key, ports, ahead_ms)
      if (!response.ok) throw errorOfAnswer(response.status, await response.json().catch(() => null))
      return await response.blob().catch(() => Promise.reject(unreachable()))
    },
    write: ({ method = 'POST', path, body, idempotency_key = randomToken() }, onRepeat) => {
      const extra = { 'Idempotency-Key': idempotency_key, 'Content-Type': 'application/json' }
      const sent = { method, url: urlOf(path, {}), body: JSON.stringify(body), extra, signal: null }
      return send(sent, (attempt, error) => onRepeat?.({ attempt, error, idempotency_key }))
    },
  }
}

type Sent = {
  readonly method: string
  /** Path and query, with /v1. */
  readonly url: string
  readonly body: string
  readonly extra: Readonly<Record<string, string>>
  readonly signal: AbortSignal | null
}

async function attempted<T>(sent: Sent, key: RequestKey, ports: PrivatePorts, ahead_ms: number): Promise<Answer<T>> {
  const response = await signedFetch(sent, key, ports, ahead_ms)
  const answer: unknown = await response.json().catch(() => null)
  if (!response.ok) throw errorOfAnswer(response.status, answer)
  // A truncated answer leaves the outcome unknown.
  if (answer === null) throw unreachable()
  return answer as Answer<T>
}

async function signedFetch(sent: Sent, key: RequestKey, ports: PrivatePorts, ahead_ms: number): Promise<Response> {
  const { method, url, body, extra, signal } = sent
  const [path = '', query = ''] = url.split('?')
  const parts = { method, path, query, body, timestamp_ms: ports.now() + ahead_ms, nonce: randomToken() }
  const headers = { ...(await signedHeaders(parts, key)), ...extra }
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  const ends = signal === null ? timeout : AbortSignal.any([signal, timeout])
  const options = { method, headers, signal: ends, cache: 'no-store' as const, ...(body === '' ? {} : { body }) }
  return await ports.fetch(url, options).catch((cause: unknown) => {
    throw signal?.aborted ? cause : unreachable()
  })
}

/** Whether the same request may be sent again: it had no effect, or its outcome is unknown. */
export function mayPass({ status, code }: ApiError): boolean {
  return PASSING_STATUS.includes(status) || PASSING_CODES.includes(code)
}

function ignored(): void {}

const BROWSER_PORTS: PrivatePorts = {
  fetch: (url, options) => globalThis.fetch(url, options),
  wait: (millis) => new Promise((resolve) => setTimeout(resolve, millis)),
  now: Date.now,
  random: Math.random,
}

import { eitherSignal } from './call.ts'
import { fetchFailure } from './fetch-failure.ts'

/** Used part of a fetch answer. */
export type FetchedAnswer = {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  text(): Promise<string>
  arrayBuffer(): Promise<ArrayBuffer>
}
export type SentRequest = {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal?: AbortSignal
}
/** Function in the form of the platform's `fetch`. */
export type Fetch = (url: string, request: SentRequest) => Promise<FetchedAnswer>

/** One attempt of a request, without headers and bodies: those may hold secrets. */
export type Exchange = {
  readonly method: string
  /** Path and query. */
  readonly target: string
  /** null: no answer came. */
  readonly status: number | null
  readonly request_id: string | null
  readonly duration_ms: number
}
export type OnExchange = (exchange: Exchange) => void

/** Means by which requests are sent. */
export type Transport = {
  /** Default: that of the platform. */
  readonly fetch?: Fetch
  /** Called after each attempt; a fault of its own changes nothing. */
  readonly on_exchange?: OnExchange
}

export type Attempt = Omit<SentRequest, 'signal'> & {
  readonly base_url: string
  /** Path and query, as they are sent. */
  readonly target: string
  readonly timeout_ms: number
  readonly signal: AbortSignal | undefined
  /** Creates the error of a request without an answer. */
  readonly unanswered: (reason: string, cause: unknown) => Error
}

/** Sends one request and reads its answer. @throws what `unanswered` creates; the reason of an aborted signal */
export async function exchange<T>(
  attempt: Attempt,
  transport: Transport,
  read: (answer: FetchedAnswer) => Promise<T>,
): Promise<Pick<FetchedAnswer, 'status' | 'headers'> & { readonly content: T }> {
  const { base_url, target, timeout_ms, signal, unanswered, ...request } = attempt
  const send: Fetch = transport.fetch ?? fetch
  const timeout = AbortSignal.timeout(timeout_ms)
  const report = reporter(attempt, transport.on_exchange)
  try {
    const answer = await send(`${base_url}${target}`, { ...request, signal: eitherSignal(signal, timeout)! })
    const content = await read(answer)
    report(answer.status, answer.headers)
    return { status: answer.status, headers: answer.headers, content }
  } catch (error) {
    report(null, null)
    signal?.throwIfAborted()
    throw unanswered(timeout.aborted ? `no answer in ${timeout_ms / 1000} s` : fetchFailure(error), error)
  }
}

function reporter({ method, target }: Attempt, on_exchange: OnExchange | undefined) {
  const started = performance.now()
  return (status: number | null, headers: FetchedAnswer['headers'] | null): void => {
    try {
      const request_id = headers?.get('svc-request-id') ?? null
      on_exchange?.({ method, target, status, request_id, duration_ms: performance.now() - started })
    } catch {
      // A hook only watches.
    }
  }
}

/** Wait that an answer asks for in `Retry-After`, in milliseconds; null: none, or one that is not in seconds. */
export function retryAfterMs(headers: FetchedAnswer['headers']): number | null {
  const text = headers.get('retry-after')
  return text !== null && /^\d{1,6}(\.\d{1,6})?$/.test(text) ? Number(text) * 1000 : null
}

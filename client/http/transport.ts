import { misshapen } from './answer.ts'
import { eitherSignal } from './call.ts'
import { fetchFailure } from './fetch-failure.ts'

/** Used part of a fetch answer. */
export type FetchedAnswer = {
  readonly status: number
  readonly redirected?: boolean
  readonly headers: { get(name: string): string | null }
  text(): Promise<string>
  arrayBuffer(): Promise<ArrayBuffer>
}
export type SentRequest = {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal?: AbortSignal
  /** A redirect is not followed: another address would get the signature, and would answer for the service. */
  readonly redirect: 'manual'
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

export type Attempt = Omit<SentRequest, 'signal' | 'redirect'> & {
  readonly base_url: string
  /** Path and query, as they are sent. */
  readonly target: string
  readonly timeout_ms: number
  readonly signal: AbortSignal | undefined
  /** Creates the error of a request without an answer. */
  readonly unanswered: (reason: string, cause: unknown) => Error
}

type Read<T> = (answer: FetchedAnswer) => Promise<T>
type Fetched<T> = Pick<FetchedAnswer, 'status' | 'headers'> & { readonly content: T }

/**
 * Sends one request and reads its answer.
 * @throws what `unanswered` creates; the reason of an aborted signal; SERVICE_UNAVAILABLE: the answer is a redirect
 */
export async function exchange<T>(attempt: Attempt, transport: Transport, read: Read<T>): Promise<Fetched<T>> {
  const { status, headers, content } = await fetched(attempt, transport, async (answer) =>
    isRedirect(answer) ? null : { read: await read(answer) },
  )
  if (content !== null) return { status, headers, content: content.read }
  const to = headers.get('location') ?? 'another address'
  throw misshapen(`${attempt.base_url} redirects to ${to}; allowed: an address that answers itself`, status)
}

/** Browsers show a redirect that is not followed as status 0. */
function isRedirect({ status, redirected }: FetchedAnswer): boolean {
  return redirected === true || status === 0 || (status >= 300 && status < 400)
}

async function fetched<T>(attempt: Attempt, transport: Transport, read: Read<T>): Promise<Fetched<T>> {
  const { base_url, target, timeout_ms, signal, unanswered, ...request } = attempt
  const send: Fetch = transport.fetch ?? fetch
  const timeout = AbortSignal.timeout(timeout_ms)
  const report = reporter(attempt, transport.on_exchange)
  try {
    const means = { redirect: 'manual', signal: eitherSignal(signal, timeout)! } as const
    const answer = await send(`${base_url}${target}`, { ...request, ...means })
    const { status, headers } = answer
    const content = await read(answer)
    report(status, headers)
    return { status, headers, content }
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

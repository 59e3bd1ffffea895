import { TidemarkError } from '../tidemark-error.ts'
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
  /** Left out: the answer is read whole, whatever its size. */
  readonly body?: {
    getReader(): { read(): Promise<{ readonly value?: Uint8Array | undefined }>; cancel(): Promise<void> }
  } | null
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

/** Most bytes of a JSON answer; a table may have more. */
const TEXT_BYTES_MAX = 64 << 20

/** Reads an answer as text. @throws {TidemarkError} SERVICE_UNAVAILABLE: it is too long; asking again would cost the same */
export async function textOf(answer: FetchedAnswer): Promise<string> {
  const reader = answer.body?.getReader()
  if (reader === undefined) return answer.text()
  const decoder = new TextDecoder()
  let text = ''
  for (let bytes = 0; ; ) {
    const { value } = await reader.read()
    if (value === undefined) return text + decoder.decode()
    bytes += value.length
    if (bytes > TEXT_BYTES_MAX) {
      await reader.cancel()
      throw misshapen(`it has more than ${TEXT_BYTES_MAX} bytes`, answer.status)
    }
    text += decoder.decode(value, { stream: true })
  }
}

/**
 * Sends one request and reads its answer.
 * @throws what `unanswered` creates; the reason of an aborted signal; SERVICE_UNAVAILABLE: the answer is a redirect or too long
 */
export async function exchange<T>(attempt: Attempt, transport: Transport, read: Read<T>): Promise<Fetched<T>> {
  const { base_url, target, timeout_ms, signal, unanswered, ...request } = attempt
  const send: Fetch = transport.fetch ?? fetch
  const timeout = AbortSignal.timeout(timeout_ms)
  const report = reporter(attempt, transport.on_exchange)
  let answer: FetchedAnswer | null = null
  try {
    const means = { redirect: 'manual', signal: eitherSignal(signal, timeout)! } as const
    answer = await send(`${base_url}${target}`, { ...request, ...means })
    const { status, headers } = answer
    if (isRedirect(answer)) {
      const to = headers.get('location') ?? 'another address'
      throw misshapen(`${base_url} redirects to ${to}; allowed: an address that answers itself`, status)
    }
    return { status, headers, content: await read(answer) }
  } catch (error) {
    if (answer !== null && error instanceof TidemarkError) throw error
    answer = null
    signal?.throwIfAborted()
    throw unanswered(timeout.aborted ? `no answer in ${timeout_ms / 1000} s` : fetchFailure(error), error)
  } finally {
    report(answer)
  }
}

/** Browsers show a redirect that is not followed as status 0. */
function isRedirect({ status, redirected }: FetchedAnswer): boolean {
  return redirected === true || status === 0 || (status >= 300 && status < 400)
}

function reporter({ method, target }: Attempt, on_exchange: OnExchange | undefined) {
  const started = performance.now()
  return (answer: FetchedAnswer | null): void => {
    try {
      const { status = null, headers } = answer ?? {}
      const request_id = headers?.get('svc-request-id') ?? null
      on_exchange?.({ method, target, status, request_id, duration_ms: performance.now() - started })
    } catch {
      // A hook only watches.
    }
  }
}

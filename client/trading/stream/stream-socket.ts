import { checkedObject, checkOptions, refusedArgument } from '../../given.ts'
import { isRecord } from '../../http/answer.ts'
import { clientError, type TidemarkError } from '../../tidemark-error.ts'

/** Used part of a WebSocket, as in browsers, Node 22 and later, and the package ws. */
export type StreamSocket = {
  send(text: string): void
  close(): void
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void
  addEventListener(type: 'close' | 'error', listener: (event: unknown) => void): void
}
export type OpenSocket = (url: string) => StreamSocket

/** Shortest silence that may count: a sign of life needs a round trip. */
const SILENCE_MS_MIN = 1_000

/** First and longest wait before the next connection, in milliseconds. */
export type RetryWaits = { readonly first: number; readonly max: number }

/** Options by which a stream is watched, and connects again. */
export type StreamWatch = {
  /** Receives each error that ended a connection or refused a topic; the stream connects again by itself if that may help. */
  readonly onProblem?: (problem: TidemarkError) => void
  /** Learns when a connection is ready and when it is lost: until the next `connected`, what was heard grows old. */
  readonly onState?: (state: 'connected' | 'disconnected') => void
  /** Silence after which a connection counts as lost; default: 2.5 heartbeats, which is 37.5 s. */
  readonly silence_ms?: number
  /** First and longest wait before the next connection. */
  readonly retry_ms?: RetryWaits
}

/** Checks how a stream is watched. @throws {TidemarkError} VALIDATION_USAGE_INVALID */
export function checkWatch(watch: StreamWatch): void {
  checkOptions(watch, ['open', 'onProblem', 'onState'])
  const { silence_ms, retry_ms: waits } = watch
  if (silence_ms !== undefined && !(Number.isFinite(silence_ms) && silence_ms >= SILENCE_MS_MIN))
    throw refusedArgument('silence_ms', silence_ms, `milliseconds, at least ${SILENCE_MS_MIN}`)
  if (waits === undefined) return
  const given = checkedObject(waits, 'retry_ms')
  for (const name of ['first', 'max'] as const)
    if (!(Number.isFinite(given[name]) && given[name] >= 0))
      throw refusedArgument(`retry_ms.${name}`, given[name], 'milliseconds, at least 0')
}

/** Returns the opener that was given, or else that of the platform. @throws {TidemarkError} VALIDATION_USAGE_INVALID: there is none */
export function socketOpener(open: OpenSocket | undefined): OpenSocket {
  const Platform = (globalThis as { WebSocket?: new (url: string) => StreamSocket }).WebSocket
  if (open !== undefined) return open
  if (Platform !== undefined) return (url) => new Platform(url)
  throw clientError('VALIDATION_USAGE_INVALID', 'open is missing; this platform has no WebSocket of its own', false)
}

/** Messages of a socket in order, until it is closed or silent for too long. */
export class SocketMessages {
  readonly #socket: StreamSocket
  readonly #waiting: string[] = []
  #closed = false
  #refusal: string | null = null
  #wake: () => void = () => undefined

  constructor(socket: StreamSocket) {
    this.#socket = socket
    const end = (event: unknown) => {
      // The package ws tells the status of a refused upgrade; browsers tell nothing.
      const message = (event as { readonly message?: unknown } | undefined)?.message
      if (typeof message === 'string' && message !== '') this.#refusal ??= message
      this.#closed = true
      this.#wake()
    }
    socket.addEventListener('message', ({ data }) => {
      this.#waiting.push(String(data))
      this.#wake()
    })
    socket.addEventListener('close', end)
    socket.addEventListener('error', end)
  }

  send(message: object): void {
    this.#socket.send(JSON.stringify(message))
  }

  close(): void {
    this.#closed = true
    this.#wake()
    this.#socket.close()
  }

  /**
   * Returns the next message; null if the connection closed or was silent for the given time.
   * @throws {TidemarkError} SERVICE_UNAVAILABLE: it is no JSON object
   */
  async next(wait_ms: number): Promise<Readonly<Record<string, unknown>> | null> {
    if (this.#waiting.length === 0 && !this.#closed)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, wait_ms)
        this.#wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    const text = this.#waiting.shift()
    return text === undefined ? null : messageOf(text)
  }

  /** Returns why there is no first message: a refused upgrade, as far as the platform tells it, or silence. */
  unanswered(): TidemarkError {
    const [code, message] = [
      this.#refusal?.endsWith(' 429') === true ? 'RATE_LIMIT_EXCEEDED' : 'SERVICE_UNAVAILABLE',
      this.#refusal === null ? 'the service did not answer' : `the connection failed: ${this.#refusal}`,
    ]
    return clientError(code, message, true)
  }

  /** Whether the connection has ended; messages from before may still wait. */
  get is_closed(): boolean {
    return this.#closed
  }
}

/** Creates the error of a message that is not of this API; another connection may be better. */
export function brokenMessage(what: string, cause?: unknown): TidemarkError {
  return clientError('SERVICE_UNAVAILABLE', `a message is not as this API sends them: ${what}`, true, cause)
}

function messageOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    if (isRecord(value)) return value
  } catch {}
  throw brokenMessage('it is no JSON object')
}

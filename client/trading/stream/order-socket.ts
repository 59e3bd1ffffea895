import { checkOptions } from '../../given.ts'
import { baseUrl } from '../../http/base-url.ts'
import { randomHex } from '../../platform.ts'
import { checkedKey, type RequestKey } from '../../signing/sign-request.ts'
import { signStreamAuth } from '../../signing/sign-stream-auth.ts'
import { clientError, type TidemarkError, toldError } from '../../tidemark-error.ts'
import { type OpenSocket, type StreamSocket, socketOpener } from './stream-socket.ts'

/** A signed request as REST would receive it. */
export type SocketRequest = {
  readonly method: string
  /** With /v1. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}
export type SocketResponse = {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  readonly text: string
}

/** One WebSocket for writes of orders. It connects with the first request, and again after an interruption. */
export type OrderSocket = {
  /** @throws {TidemarkError} SERVICE_UNAVAILABLE: no response; a write may have taken effect */
  send(request: SocketRequest, timeout_ms: number): Promise<SocketResponse>
  close(): void
}

export type OrderSocketOptions = {
  /** http or https, without /v1. */
  readonly base_url: string
  readonly key: RequestKey
  /** Opens a WebSocket; default: that of the platform. */
  readonly open?: OpenSocket
}

type Waiting = { readonly resolve: (response: SocketResponse) => void; readonly reject: (error: unknown) => void }
type Received = Readonly<Record<string, unknown>> & { readonly type: string; readonly id?: string | null }

/**
 * Creates a socket for writes of orders; the option `order_socket` of a trading client.
 * @throws {TidemarkError} VALIDATION_USAGE_INVALID: an option is missing or wrong; the platform has no WebSocket and none was given
 */
export function createOrderSocket(options: OrderSocketOptions): OrderSocket {
  checkOptions(options, ['open'])
  checkedKey(options.key)
  const base_url = baseUrl(options.base_url)
  const open = socketOpener(options.open)
  let connection: Connection | null = null
  return {
    async send(request, timeout_ms) {
      if (connection === null || connection.is_closed) connection = new Connection({ key: options.key, base_url, open })
      return connection.send(request, timeout_ms)
    },
    close: () => connection?.close(),
  }
}

class Connection {
  readonly #base_url: string
  readonly #socket: StreamSocket
  readonly #waiting = new Map<string, Waiting>()
  /** Requests until the connection is authenticated; null: it is. */
  #unsent: string[] | null = []
  is_closed = false

  constructor({ base_url, key, open }: Required<OrderSocketOptions>) {
    this.#base_url = base_url
    this.#socket = open(`${base_url.replace(/^http/, 'ws')}/v1/ws`)
    this.#socket.addEventListener('message', ({ data }) => this.#hear(String(data), key))
    const end = () => this.#end('the connection was closed')
    this.#socket.addEventListener('close', end)
    this.#socket.addEventListener('error', end)
  }

  send(request: SocketRequest, timeout_ms: number): Promise<SocketResponse> {
    const id = randomHex(12)
    return new Promise<SocketResponse>((resolve, reject) => {
      const late = () => reject(noResponse(this.#base_url, `no answer in ${timeout_ms} ms`))
      const timer = setTimeout(late, timeout_ms)
      const settle = (): void => {
        clearTimeout(timer)
        this.#waiting.delete(id)
      }
      this.#waiting.set(id, {
        resolve: (response) => {
          settle()
          resolve(response)
        },
        reject: (error) => {
          settle()
          reject(error)
        },
      })
      const text = JSON.stringify({ op: 'request', id, ...request })
      if (this.#unsent === null) this.#socket.send(text)
      else this.#unsent.push(text)
    })
  }

  close(): void {
    this.#end('the client closed the connection')
    this.#socket.close()
  }

  /** Ends the connection with a message that is not of this API: what it answers is not known. */
  #hear(text: string, key: RequestKey): void {
    try {
      this.#receive(JSON.parse(text) as Received, key)
    } catch {
      this.#end('a message is not as this API sends them')
      this.#socket.close()
    }
  }

  #receive(message: Received, key: RequestKey): void {
    const { type, id } = message
    if (type === 'welcome') this.#socket.send(JSON.stringify(signStreamAuth(key, { id: 'auth' })))
    else if (type === 'authenticated') this.#sendWaiting()
    else if (type === 'response') this.#waiting.get(String(id))?.resolve(responseOf(message))
    else if (type === 'error') this.#fail(String(id), toldError(message.error))
    else if (type === 'closing') this.is_closed = true
  }

  #sendWaiting(): void {
    for (const text of this.#unsent ?? []) this.#socket.send(text)
    this.#unsent = null
  }

  /** A rejected message has had no effect. */
  #fail(id: string, rejected: TidemarkError): void {
    if (id !== 'auth') {
      this.#waiting.get(id)?.reject(rejected)
      return
    }
    this.is_closed = true
    for (const { reject } of [...this.#waiting.values()]) reject(rejected)
    this.#socket.close()
  }

  #end(reason: string): void {
    this.is_closed = true
    for (const { reject } of [...this.#waiting.values()]) reject(noResponse(this.#base_url, reason))
  }
}

function responseOf({ status, headers, body }: Received): SocketResponse {
  const given = Object.entries(headers as Readonly<Record<string, string>>)
  return { status: Number(status), headers: new Headers(given as [string, string][]), text: JSON.stringify(body) }
}

function noResponse(base_url: string, reason: string): TidemarkError {
  return clientError('SERVICE_UNAVAILABLE', `base_url is ${base_url}: ${reason}`, true)
}

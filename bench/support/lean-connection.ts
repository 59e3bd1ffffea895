import { connect, type Socket } from 'node:net'

const HEAD_END = Buffer.from('\r\n\r\n')
const NOTHING = Buffer.alloc(0)

/** Answer of a server that sends Content-Length, as both contestants do. */
export type LeanAnswer = { readonly status: number; readonly body: string }

/**
 * Keep-alive HTTP/1.1 connection, one request at a time. With clients on the server's cores, a full client library would take a
 * third of the measured time.
 */
export class LeanConnection {
  readonly #socket: Socket
  #received: Buffer = NOTHING
  #answered: ((answer: LeanAnswer) => void) | null = null
  #failed: ((error: Error) => void) | null = null

  constructor(port: number) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true })
    this.#socket.on('data', (chunk) => this.#take(chunk))
    this.#socket.on('error', (error) => this.#failed?.(error))
    this.#socket.on('close', () => this.#failed?.(new Error('the connection was closed')))
  }

  /** Whether it can still send; the other side may close it at any time, then open another. */
  get is_open(): boolean {
    return !this.#socket.destroyed && this.#socket.readyState !== 'readOnly'
  }

  /** Sends a head (request line and headers, without the last empty line) and a body. @throws if the connection breaks */
  send(head: string, body: Buffer): Promise<LeanAnswer> {
    return new Promise((resolve, reject) => {
      this.#answered = resolve
      this.#failed = reject
      this.#socket.cork()
      this.#socket.write(`${head}\r\nHost: 127.0.0.1\r\nContent-Length: ${body.length}\r\n\r\n`, 'latin1')
      this.#socket.write(body)
      this.#socket.uncork()
    })
  }

  close(): void {
    this.#failed = null
    this.#socket.destroy()
  }

  #take(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk])
    const end = this.#received.indexOf(HEAD_END)
    if (end < 0) return
    const head = this.#received.toString('latin1', 0, end)
    const begin = end + HEAD_END.length
    const length = Number.parseInt(/content-length: (\d+)/i.exec(head)?.[1] ?? '0', 10)
    if (this.#received.length < begin + length) return
    const body = this.#received.toString('utf8', begin, begin + length)
    this.#received = NOTHING
    this.#answered?.({ status: Number.parseInt(head.slice(9, 12), 10), body })
  }
}

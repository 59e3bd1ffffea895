import { once } from 'node:events'
import { WebSocket } from 'ws'
import type { LoadAccount } from '../load/load-world.ts'
import { factsOf, ORDERS_PATH, type Sent, signedHeaders } from '../load/send-orders.ts'
import type { SignedLoad } from '../load/sign-orders.ts'

/** One WebSocket of a client that sends orders; any number of them are in flight. */
export class OrderStream {
  readonly #socket: WebSocket
  readonly #accounts: readonly LoadAccount[]
  readonly #secrets: readonly Buffer[]
  readonly #waiting = new Map<string, (text: string) => void>()
  #sent = 0

  static async open(url: string, accounts: readonly LoadAccount[]): Promise<OrderStream> {
    const socket = new WebSocket(url, { perMessageDeflate: false })
    await once(socket, 'open')
    return new OrderStream(socket, accounts)
  }

  private constructor(socket: WebSocket, accounts: readonly LoadAccount[]) {
    this.#socket = socket
    this.#accounts = accounts
    this.#secrets = accounts.map(({ secret }) => Buffer.from(secret, 'hex'))
    socket.on('message', (data) => {
      const text = String(data)
      this.#waiting.get(/"id":"(\d+)"/.exec(text)?.[1] ?? '')?.(text)
    })
  }

  /** @param due_at instant at which it should have been sent */
  async send({ account, body }: SignedLoad, due_at: number): Promise<Sent> {
    this.#sent += 1
    const id = String(this.#sent)
    const { 'Content-Type': _, ...headers } = signedHeaders(this.#accounts[account]!, this.#secrets[account]!, body)
    const request = { op: 'request', id, method: 'POST', path: ORDERS_PATH, headers, body: body.toString() }
    const text = await new Promise<string>((resolve) => {
      this.#waiting.set(id, resolve)
      this.#socket.send(JSON.stringify(request))
    })
    const took_ms = performance.now() - due_at
    this.#waiting.delete(id)
    return { status: Number(/"status":(\d+)/.exec(text)?.[1] ?? 0), ...factsOf(text), took_ms }
  }

  close(): void {
    this.#socket.close()
  }
}

import { Agent } from 'node:http'
import { setImmediate as turn } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { signOrder } from '../../../client/signing/sign-order.ts'
import type { RequestKey } from '../../../client/signing/sign-request.ts'
import { messageSigner, requestKey } from '../../../client/trading/credentials.ts'
import { type OrderTerms, wantedOrder } from '../../../client/trading/order-terms.ts'
import type { Ready, ReadyAccount } from '../../../service/up/ready-file.ts'
import { sendWire, type WireAnswer, type WireRequest } from '../wire-request.ts'

/** Address that attacks come from; everybody else connects from 127.0.0.1. */
const ADDRESS = '127.0.0.2'

/** Terms of a bid that nobody sells to. */
export const RESTING = {
  side: 'BUY',
  quantity: '1',
  limit_price: '0.01',
  time_in_force: 'GTC',
  maximum_fee: '1',
} as const

/** The market that attacker and bystander trade in. */
export type Book = { readonly market_id: string; readonly outcome_id: string }

export type Plan = {
  readonly attack: string
  readonly ready: Ready
  readonly account: ReadyAccount
  readonly book: Book
  readonly seconds: number
}

/** A service under attack, reached from one address and with one account's key, until the time is over. */
export class HostileTarget {
  readonly plan: Plan
  readonly key: RequestKey
  /** Answers by status or error code. */
  readonly answers: Record<string, number> = {}
  readonly #agent = new Agent({ keepAlive: true, localAddress: ADDRESS })
  #until_ms: number

  constructor(plan: Plan) {
    this.plan = plan
    this.key = requestKey({ ...plan.account, environment: plan.ready.environment })
    this.#until_ms = Date.now() + plan.seconds * 1000
  }

  /** Starts the time again, once what an attack needs is there. */
  begin(): void {
    this.#until_ms = Date.now() + this.plan.seconds * 1000
  }

  isOver(): boolean {
    return Date.now() >= this.#until_ms
  }

  /** Does `act` again and again, `lanes` at a time, whatever it meets. */
  async flood(lanes: number, act: () => Promise<unknown>): Promise<void> {
    const lane = async () => {
      while (!this.isOver()) {
        await act().catch((error: Error) => this.note(error.name))
        await turn()
      }
    }
    await Promise.all(Array.from({ length: lanes }, lane))
    this.#agent.destroy()
  }

  async send(wire: WireRequest): Promise<WireAnswer> {
    const answer = await sendWire(this.#agent, this.plan.ready.base_url, wire)
    this.note(answer.code ?? String(answer.status))
    return answer
  }

  get(path: string): Promise<WireAnswer> {
    return this.send({ method: 'GET', target: path, headers: {}, body: '' })
  }

  /** Opens a socket of the public stream, and asks it for `messages`. */
  socket(messages: readonly unknown[] = []): WebSocket {
    const socket = new WebSocket(`${this.plan.ready.stream_url}/v1/ws`, { localAddress: ADDRESS })
    socket.on('open', () => {
      this.note('opened')
      for (const message of messages) socket.send(JSON.stringify(message))
    })
    socket.on('error', () => this.note('not opened'))
    return socket
  }

  /** Signs an order that rests far from the market. @param changes of its terms */
  restingOrder(changes: Partial<OrderTerms> = {}): Promise<object> {
    const { account, book, ready } = this.plan
    const terms = { ...book, ...RESTING, ...changes } as const
    const credentials = { ...account, environment: ready.environment, signer_private_key: account.owner_private_key }
    return signOrder(
      wantedOrder(terms, account.account_id, account.asset_id),
      messageSigner(credentials)(),
      ready.environment,
    )
  }

  note(what: string): void {
    this.answers[what] = (this.answers[what] ?? 0) + 1
  }
}

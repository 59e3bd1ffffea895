import { createHmac, hash, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { canonicalRequest } from '../../protocol/signing/canonical-request.ts'
import { LeanConnection } from '../support/lean-connection.ts'
import { LOAD_ENVIRONMENT, type LoadAccount } from './load-world.ts'
import type { SignedLoad } from './sign-orders.ts'

/** Result of one order. `status` 0: no answer arrived. */
export type Sent = {
  readonly status: number
  readonly code: string | null
  readonly order_id: string | null
  /** Time from its due instant to the complete answer, in milliseconds. */
  readonly took_ms: number
}

/** Number of connections; enough that no order waits for one, so any delay is the service's. */
const CONNECTIONS = 256
/** Interval between checks for due orders; a check costs as much as an order. Each order's time counts from its due instant. */
const TURN_MS = 4
export const ORDERS_PATH = '/v1/orders'

/**
 * Sends orders at a steady rate, whether or not earlier ones were answered (open loop): each is measured from its due instant, so a
 * service that falls behind delays every later answer. Each is signed when it is sent, like a client that waits for a connection.
 */
export async function sendOrders(
  base_url: () => string,
  accounts: readonly LoadAccount[],
  orders: readonly SignedLoad[],
  rate: number,
  onSecond: (second: number) => void = () => undefined,
): Promise<readonly Sent[]> {
  const senders = new Senders(base_url, accounts)
  const outcomes = await paced(orders, rate, (order, due_at) => senders.send(order, due_at), onSecond)
  senders.close()
  return outcomes
}

/** Sends each order at its due instant, by a function that does not wait for the answers of earlier ones. */
export async function paced(
  orders: readonly SignedLoad[],
  rate: number,
  send: (order: SignedLoad, due_at: number, n: number) => Promise<Sent>,
  onSecond: (second: number) => void = () => undefined,
): Promise<readonly Sent[]> {
  const sent: Promise<Sent>[] = []
  const begun = performance.now()
  let second = 0
  for (let n = 0; n < orders.length; ) {
    const elapsed_ms = performance.now() - begun
    for (const due = Math.min(orders.length, Math.floor((elapsed_ms * rate) / 1000) + 1); n < due; n += 1)
      sent.push(send(orders[n]!, begun + (n * 1000) / rate, n))
    if (elapsed_ms >= (second + 1) * 1000) {
      second += 1
      onSecond(second)
    }
    await sleep(TURN_MS)
  }
  return Promise.all(sent)
}

type Waiting = { readonly order: SignedLoad; readonly due_at: number; readonly resolve: (sent: Sent) => void }

/** Pool of connections that share the orders. */
export class Senders {
  readonly #base_url: () => string
  readonly #accounts: readonly LoadAccount[]
  readonly #secrets: readonly Buffer[]
  readonly #idle: (LeanConnection | null)[] = new Array(CONNECTIONS).fill(null)
  #waiting: Waiting[] = []
  #taken = 0

  constructor(base_url: () => string, accounts: readonly LoadAccount[]) {
    this.#base_url = base_url
    this.#accounts = accounts
    this.#secrets = accounts.map(({ secret }) => Buffer.from(secret, 'hex'))
  }

  /** @param due_at instant at which it should have been sent */
  send(order: SignedLoad, due_at: number): Promise<Sent> {
    return new Promise((resolve) => {
      this.#waiting.push({ order, due_at, resolve })
      this.#turn()
    })
  }

  close(): void {
    for (const connection of this.#idle) connection?.close()
  }

  #turn(): void {
    while (this.#idle.length > 0 && this.#taken < this.#waiting.length) {
      const connection = this.#idle.pop()!
      void this.#sendOne(connection?.is_open ? connection : this.#connection(), this.#waiting[this.#taken++]!)
    }
    if (this.#taken < this.#waiting.length) return
    this.#waiting = []
    this.#taken = 0
  }

  #connection(): LeanConnection {
    return new LeanConnection(Number(new URL(this.#base_url()).port))
  }

  async #sendOne(connection: LeanConnection, { order, due_at, resolve }: Waiting): Promise<void> {
    const { account, body } = order
    const head = headOf(this.#accounts[account]!, this.#secrets[account]!, body)
    const answer = await connection.send(head, body).catch(() => null)
    const took_ms = performance.now() - due_at
    resolve({ status: answer?.status ?? 0, ...factsOf(answer?.body ?? ''), took_ms })
    if (answer === null) connection.close()
    this.#idle.push(answer === null ? null : connection)
    this.#turn()
  }
}

/** Returns request line and headers of one order, signed with the current time. */
function headOf(account: LoadAccount, secret: Buffer, body: Buffer): string {
  const headers = Object.entries(signedHeaders(account, secret, body)).map(([name, value]) => `${name}: ${value}`)
  return [`POST ${ORDERS_PATH} HTTP/1.1`, ...headers].join('\r\n')
}

/** Returns the headers of one write, signed with the current time; the connection adds Content-Length. */
export function signedHeaders(
  { key_id }: LoadAccount,
  secret: Buffer,
  body: Buffer,
  path = ORDERS_PATH,
): Readonly<Record<string, string>> {
  const timestamp = String(Date.now())
  const nonce = randomUUID()
  const text = canonicalRequest({
    method: 'POST',
    path,
    query: '',
    body_sha256: hash('sha256', body, 'hex'),
    timestamp,
    nonce,
    key_id,
    environment: LOAD_ENVIRONMENT,
  })
  return {
    'Content-Type': 'application/json',
    'Idempotency-Key': nonce,
    'SVC-Access-Key': key_id,
    'SVC-Access-Timestamp': timestamp,
    'SVC-Access-Nonce': nonce,
    'SVC-Access-Signature': createHmac('sha256', secret).update(text).digest('hex'),
    'SVC-Access-Signature-Version': 'v1',
  }
}

/** Returns the two fields that count; the rest of the answer is discarded. */
export function factsOf(answer: string): Pick<Sent, 'code' | 'order_id'> {
  return {
    code: /"code":"([A-Z_]+)"/.exec(answer)?.[1] ?? null,
    order_id: /"order_id":"(ord_[0-9a-f]+)"/.exec(answer)?.[1] ?? null,
  }
}

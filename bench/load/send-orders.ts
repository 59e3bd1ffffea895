import { createHmac, hash, randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { canonicalRequest } from '../../protocol/signing/canonical-request.ts'
import { LOAD_ENVIRONMENT, type LoadAccount } from './load-world.ts'
import type { SignedLoad } from './sign-orders.ts'

/** What became of one order. `status` 0: no answer came. */
export type Sent = {
  readonly status: number
  readonly code: string | null
  readonly order_id: string | null
  /** From when it was due to its whole answer, in milliseconds. */
  readonly took_ms: number
}

const CONNECTIONS = 64
const TIMEOUT_MS = 30_000
export const ORDERS_PATH = '/v1/orders'

/**
 * Sends orders at a steady rate, whether or not the ones before were answered (open loop): a service that falls behind shows in every
 * later answer, because each is measured from when it was due.
 */
export async function sendOrders(
  base_url: () => string,
  accounts: readonly LoadAccount[],
  orders: readonly SignedLoad[],
  rate: number,
  onSecond: (second: number) => void,
): Promise<readonly Sent[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS, scheduling: 'fifo' })
  const secrets = accounts.map(({ secret }) => Buffer.from(secret, 'hex'))
  const sent: Promise<Sent>[] = []
  const begun = performance.now()
  let second = 0
  for (let n = 0; n < orders.length; ) {
    const elapsed_ms = performance.now() - begun
    for (const due = Math.min(orders.length, Math.floor((elapsed_ms * rate) / 1000) + 1); n < due; n += 1) {
      const { account, body } = orders[n]!
      const due_at = begun + (n * 1000) / rate
      sent.push(sendOne(agent, base_url(), accounts[account]!, secrets[account]!, body, due_at))
    }
    if (elapsed_ms >= (second + 1) * 1000) {
      second += 1
      onSecond(second)
    }
    await sleep(1)
  }
  const outcomes = await Promise.all(sent)
  agent.destroy()
  return outcomes
}

/** The headers of one order, signed for now; Content-Length is the connection's. */
export function signedHeaders({ key_id }: LoadAccount, secret: Buffer, body: Buffer): Readonly<Record<string, string>> {
  const timestamp = String(Date.now())
  const nonce = randomUUID()
  const text = canonicalRequest({
    method: 'POST',
    path: ORDERS_PATH,
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

/** One order, signed for now; `due_at` is when it should have been sent. */
function sendOne(
  agent: Agent,
  base_url: string,
  account: LoadAccount,
  secret: Buffer,
  body: Buffer,
  due_at: number,
): Promise<Sent> {
  const headers = { ...signedHeaders(account, secret, body), 'Content-Length': body.length }
  return new Promise((resolve) => {
    const done = (status: number, answer: string) =>
      resolve({ status, ...factsOf(answer), took_ms: performance.now() - due_at })
    const sending = request(
      `${base_url}${ORDERS_PATH}`,
      { method: 'POST', agent, headers, timeout: TIMEOUT_MS },
      (response) => {
        let answer = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => {
          answer += chunk
        })
        response.on('end', () => done(response.statusCode!, answer))
        response.on('error', () => done(0, ''))
      },
    )
    sending.on('timeout', () => sending.destroy())
    sending.on('error', () => done(0, ''))
    sending.end(body)
  })
}

/** The two facts that are looked at; the whole answer is not kept. */
export function factsOf(answer: string): Pick<Sent, 'code' | 'order_id'> {
  return {
    code: /"code":"([A-Z_]+)"/.exec(answer)?.[1] ?? null,
    order_id: /"order_id":"(ord_[0-9a-f]+)"/.exec(answer)?.[1] ?? null,
  }
}

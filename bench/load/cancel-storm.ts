import { setTimeout as sleep } from 'node:timers/promises'
import { ORDER_DEFAULTS, type OrderToSign } from '../../protocol/order/order-terms.ts'
import { LeanConnection } from '../support/lean-connection.ts'
import type { LoadAccount, LoadWorld } from './load-world.ts'
import { factsOf, ORDERS_PATH, type Sent, signedHeaders } from './send-orders.ts'
import { createLoadSigner, type SignedLoad } from './sign-orders.ts'

/** Open orders of one account, by its tier: in all, and in one market. */
const OPEN_ORDERS = 10_000
const IN_MARKET = 2_000
const BATCH = 50
/** Requests of the hostile account at once. */
const IN_FLIGHT = 4
/** The pace of its batches: 1,000 orders a second, which the highest tier of rate limits allows. */
const BATCH_EVERY_MS = 50
/** Interval between two orders of the other account, answered or not. */
const EVERY_MS = 10
const CANCEL_ALL_PATH = `${ORDERS_PATH}/cancel-all`

export type CancelStorm = {
  /** Orders of the other account. */
  readonly others: readonly Sent[]
  /** Statuses of the hostile account's answers, with their counts. */
  readonly statuses: Readonly<Record<string, number>>
  /** Time from a cancel-all until its answer, in milliseconds. */
  readonly cancel_ms: readonly number[]
}

/** Signed requests of a storm; signing is not part of it. */
export type SignedStorm = { readonly rounds: readonly (readonly Buffer[])[]; readonly others: readonly SignedLoad[] }

/**
 * Signs everything that two accounts of a world send: the first one places as many orders as it may and cancels all, again and again;
 * the second one sends one order after the other.
 */
export async function signStorm(world: LoadWorld, rounds: number, others: number): Promise<SignedStorm> {
  const sign = await createLoadSigner(world)
  let made = 0
  const signed = (account: number, market: number, terms: Pick<OrderToSign, 'limit_price'> & Partial<OrderToSign>) => {
    made += 1
    const { market_id, outcome_ids } = world.markets[market % world.markets.length]!
    const { account_id, signer } = world.accounts[account]!
    return sign(account, {
      ...ORDER_DEFAULTS,
      ...PLAIN,
      ...terms,
      account_id,
      signer,
      market_id,
      outcome_id: outcome_ids[0]!,
      client_order_id: `storm-${made}`,
      order_nonce: String(made),
    })
  }
  const round = () => {
    const orders = Array.from({ length: OPEN_ORDERS }, (_, n) =>
      signed(0, Math.floor(n / IN_MARKET), { limit_price: `0.${String(1 + (n % 48)).padStart(2, '0')}` }),
    )
    return Array.from({ length: OPEN_ORDERS / BATCH }, (_, n) => batchOf(orders.slice(n * BATCH, (n + 1) * BATCH)))
  }
  return {
    rounds: Array.from({ length: rounds }, round),
    others: Array.from({ length: others }, () =>
      signed(1, OTHERS_MARKET, { limit_price: '0.01', time_in_force: 'FAK' }),
    ),
  }
}

const OTHERS_MARKET = OPEN_ORDERS / IN_MARKET
const PLAIN = {
  side: 'BUY',
  quantity: '1.00',
  maximum_fee: '10',
  maximum_notional: '10',
  signature_version: '1',
} as const

function batchOf(orders: readonly SignedLoad[]): Buffer {
  return Buffer.from(`{"orders":[${orders.map(({ body }) => body.toString()).join(',')}]}`)
}

/** Sends a storm to a service. */
export async function cancelStorm(base_url: string, { accounts }: LoadWorld, storm: SignedStorm): Promise<CancelStorm> {
  const [hostile, other] = accounts as [LoadAccount, LoadAccount]
  const port = Number(new URL(base_url).port)
  let has_ended = false
  const sending = sendOthers(port, other, storm.others, () => has_ended)
  const connections = Array.from({ length: IN_FLIGHT }, () => new LeanConnection(port))
  const statuses: Record<string, number> = {}
  const cancel_ms: number[] = []
  const count = ({ status, code }: Sent) => {
    const name = code === null ? String(status) : `${status} ${code}`
    statuses[name] = (statuses[name] ?? 0) + 1
  }
  for (const batches of storm.rounds) {
    let next = 0
    const begun = performance.now()
    const place = async (connection: LeanConnection) => {
      while (next < batches.length) {
        const n = next++
        await sleep(Math.max(0, begun + n * BATCH_EVERY_MS - performance.now()))
        count(await send(connection, hostile, `${ORDERS_PATH}/batch`, batches[n]!))
      }
    }
    await Promise.all(connections.map(place))
    const body = Buffer.from(JSON.stringify({ account_id: hostile.account_id, scope: 'all_open_orders' }))
    const canceled = await send(connections[0]!, hostile, CANCEL_ALL_PATH, body)
    count(canceled)
    cancel_ms.push(canceled.took_ms)
  }
  has_ended = true
  const others = await sending
  for (const connection of connections) connection.close()
  return { others, statuses, cancel_ms }
}

/** Sends orders at a steady pace, whether or not earlier ones were answered. */
async function sendOthers(
  port: number,
  account: LoadAccount,
  orders: readonly SignedLoad[],
  hasEnded: () => boolean,
): Promise<Sent[]> {
  const idle: LeanConnection[] = []
  const sent: Promise<Sent>[] = []
  const begun = performance.now()
  const sendOne = async (body: Buffer, due_at: number): Promise<Sent> => {
    const connection = idle.pop() ?? new LeanConnection(port)
    const answer = await send(connection, account, ORDERS_PATH, body)
    idle.push(connection)
    return { ...answer, took_ms: performance.now() - due_at }
  }
  for (const [n, { body }] of orders.entries()) {
    if (hasEnded()) break
    const due_at = begun + n * EVERY_MS
    await sleep(Math.max(0, due_at - performance.now()))
    sent.push(sendOne(body, due_at))
  }
  const all = await Promise.all(sent)
  for (const connection of idle) connection.close()
  return all
}

async function send(connection: LeanConnection, account: LoadAccount, path: string, body: Buffer): Promise<Sent> {
  const begun = performance.now()
  const headers = Object.entries(signedHeaders(account, Buffer.from(account.secret, 'hex'), body, path))
  const head = [`POST ${path} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`)].join('\r\n')
  const answer = await connection.send(head, body)
  return { status: answer.status, ...factsOf(answer.body.slice(0, 2_000)), took_ms: performance.now() - begun }
}

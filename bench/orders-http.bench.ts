/**
 * Measures a signed HTTP order up to its durable acknowledgement: one server process, 64 connections; each sends its next
 * order once the one before is answered; every rule is on and rows are on disk before the answer. Beside it the naive design
 * (viem recovery, one transaction per order with SELECT FOR UPDATE, nothing decided) on an equal server, taking turns.
 * Prints the processor time of an order in the server, and that of each step in the API.
 * Goals: 12 times the naive rate; and, paced at 10 times the naive rate, a p99 not above the naive p99 at its own rate.
 */

import { tradingPorts } from '../api/trading-ports.ts'
import { InvariantError, invariant } from '../primitives/errors.ts'
import { wallClock } from '../primitives/wall-clock.ts'
import { ORDER_DEFAULTS } from '../protocol/order/order-terms.ts'
import { keyEncryptionKey } from '../trading/auth/seal-secret.ts'
import { createSignatureVerifier } from '../trading/auth/signature-verifier.ts'
import { startEngine } from '../trading/service/start-engine.ts'
import { createPool, type Pool } from '../trading/store/create-pool.ts'
import type { BenchRow } from './bench-row.ts'
import { cpuSeconds } from './load/cpu-seconds.ts'
import { LOAD_ENVIRONMENT, type LoadWorld, makeLoadWorld } from './load/load-world.ts'
import { factsOf, ORDERS_PATH, type Sent, sendOrders, signedHeaders } from './load/send-orders.ts'
import { createLoadSigner, type SignedLoad } from './load/sign-orders.ts'
import { restingTerms, seedRestingOrders } from './support/decide-resting-orders.ts'
import { LeanConnection } from './support/lean-connection.ts'
import { measureOrderSteps } from './support/order-steps.ts'
import { SEALING, withOrdersServer } from './support/orders-process.ts'
import { median, rounded } from './support/rounds.ts'
import { type Copies, withSeededCopies } from './support/seeded-copies.ts'

const ROUNDS = 3
const CONNECTIONS = 64
const ACCOUNTS = 40
/** A few seconds of either side; a server runs for days, so compiling hot code is not part of its rate. */
const ORDERS = 16_000
const NAIVE_ORDERS = 1_600
/** Share of the orders sent as an uncounted warm-up. */
const WARM_UP = 3
const PACED_S = 3

export async function run(): Promise<BenchRow[]> {
  return withSeededCopies(seedWorld, measure)
}

async function measure(copies: Copies, world: LoadWorld): Promise<BenchRow[]> {
  const rates = { ours: [] as number[], naive: [] as number[] }
  const p99 = { naive: [] as number[], paced: [] as number[] }
  const processor_us = { ours: [] as number[], naive: [] as number[] }
  const orders = await signRestingOrders(world, NAIVE_ORDERS)
  const asked = { accounts: world.accounts, orders: NAIVE_ORDERS, connections: 32 }
  for (let round = 0; round < ROUNDS; round += 1) {
    const naive = await copies((url) =>
      withOrdersServer({ ...asked, kind: 'naive', url }, (base_url, pid) => flood(base_url, pid, world, orders)),
    )
    rates.naive.push(naive.rate)
    p99.naive.push(naive.p99_ms)
    const pace = naive.rate * 10
    const signed = await signRestingOrders(world, ORDERS + Math.ceil(pace * PACED_S))
    const ours = await copies((url) =>
      withOrdersServer({ ...asked, kind: 'ours', url }, async (base_url, pid) => {
        const flooded = await flood(base_url, pid, world, signed.slice(0, ORDERS))
        const paced = await sendOrders(
          () => base_url,
          world.accounts,
          signed.slice(ORDERS),
          pace,
          () => undefined,
        )
        accepted(paced)
        return { ...flooded, paced_p99_ms: p99Of(paced) }
      }),
    )
    rates.ours.push(ours.rate)
    p99.paced.push(ours.paced_p99_ms)
    processor_us.ours.push(ours.processor_us)
    processor_us.naive.push(naive.processor_us)
  }
  const steps = await copies((url) => stepsAt(url, world, orders))
  const figures = {
    orders_per_s: rates.ours.map(Math.round),
    naive_per_s: rates.naive.map(Math.round),
    connections: CONNECTIONS,
  }
  return [
    {
      figure: 'orders.http',
      value: rounded(median(rates.ours.map((rate, round) => rate / rates.naive[round]!))),
      unit: 'x',
      goal: { at_least: 12 },
      details: figures,
    },
    {
      figure: 'orders.http.p99_at_10x_naive',
      value: rounded(median(p99.paced.map((ms, round) => ms / p99.naive[round]!))),
      unit: 'x',
      goal: { at_most: 1 },
      details: { p99_ms: p99.paced.map(rounded), naive_p99_ms: p99.naive.map(rounded) },
    },
    {
      figure: 'orders.http.processor',
      value: rounded(Math.min(...processor_us.ours)),
      unit: 'us',
      goal: null,
      details: { rounds_us: processor_us.ours.map(rounded), naive_us: processor_us.naive.map(rounded), ...steps },
    },
  ]
}

/** Returns the microseconds of each step of an order in the API. The rest of `orders.http.processor` is HTTP and the engine. */
async function stepsAt(url: string, world: LoadWorld, orders: readonly SignedLoad[]) {
  const pool = createPool({ url })
  const verifier = await createSignatureVerifier({ environment: LOAD_ENVIRONMENT })
  const engine = { submit: unused, status: unused, close: unused }
  const trading = tradingPorts({ pool, engine, verifier, sealing: keyEncryptionKey(SEALING, 'bench') })
  try {
    return await measureOrderSteps(trading, world, orders)
  } finally {
    await verifier.close()
    await pool.end()
  }
}

function unused(): never {
  throw new InvariantError('no step submits an order')
}

/** Makes funded accounts with keys for our server, and the accounts of the naive server's rows. */
export async function seedWorld(pool: Pool): Promise<LoadWorld> {
  const engine = await startEngine({ pool, now: wallClock, holder: 'bench', address: null })
  await engine.leading
  const world = await makeLoadWorld(engine.client, keyEncryptionKey(SEALING, 'bench'), ACCOUNTS)
  await seedRestingOrders(engine.client)
  await engine.stop()
  return world
}

/** Signs the orders before anything is measured. */
export async function signRestingOrders(world: LoadWorld, count: number): Promise<SignedLoad[]> {
  const { accounts, markets } = world
  const sign = await createLoadSigner(world)
  const [{ market_id, outcome_ids }] = markets as [LoadWorld['markets'][number]]
  return Array.from({ length: count }, (_, n) => {
    const account = n % accounts.length
    const { account_id, signer } = accounts[account]!
    return sign(account, {
      ...ORDER_DEFAULTS,
      ...restingTerms(n),
      account_id,
      signer,
      market_id,
      outcome_id: outcome_ids[0]!,
      client_order_id: `http-${n}`,
      order_nonce: String(n + 1),
      maximum_fee: '10',
      maximum_notional: '10',
      signature_version: '1',
    })
  })
}

/** Returns orders per second while every connection is busy, their p99, and the server's processor time of one. */
async function flood(
  base_url: string,
  pid: number,
  { accounts }: LoadWorld,
  orders: readonly SignedLoad[],
): Promise<{ rate: number; p99_ms: number; processor_us: number }> {
  const { port } = new URL(base_url)
  const connections = Array.from({ length: CONNECTIONS }, () => new LeanConnection(Number(port)))
  const secrets = accounts.map(({ secret }) => Buffer.from(secret, 'hex'))
  const sendOne = async (connection: LeanConnection, { account, body }: SignedLoad): Promise<Sent> => {
    const begun = performance.now()
    const headers = Object.entries(signedHeaders(accounts[account]!, secrets[account]!, body))
    const head = [`POST ${ORDERS_PATH} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`)].join('\r\n')
    const answer = await connection.send(head, body)
    return { status: answer.status, ...factsOf(answer.body), took_ms: performance.now() - begun }
  }
  const send = async (part: readonly SignedLoad[]): Promise<Sent[]> => {
    const sent: Sent[] = []
    let next = 0
    const work = async (connection: LeanConnection): Promise<void> => {
      while (next < part.length) sent.push(await sendOne(connection, part[next++]!))
    }
    await Promise.all(connections.map(work))
    accepted(sent)
    return sent
  }
  const warm = Math.floor(orders.length / WARM_UP)
  await send(orders.slice(0, warm))
  const [started, used] = [performance.now(), cpuSeconds(pid)!]
  const sent = await send(orders.slice(warm))
  const rate = (sent.length * 1000) / (performance.now() - started)
  const processor_us = ((cpuSeconds(pid)! - used) * 1_000_000) / sent.length
  for (const connection of connections) connection.close()
  return { rate, p99_ms: p99Of(sent), processor_us }
}

export function accepted(sent: readonly Sent[]): void {
  const refused = sent.find(({ status }) => status !== 201)
  invariant(refused === undefined, `every order is accepted: ${refused?.status} ${refused?.code}`)
}

export function p99Of(sent: readonly Sent[]): number {
  const sorted = sent.map(({ took_ms }) => took_ms).sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length * 0.99)]!
}

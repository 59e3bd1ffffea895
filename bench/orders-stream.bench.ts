/**
 * Measures signed orders over the WebSocket beside the same orders over REST: one server process, the same pace, taking turns. Each
 * counts from its due instant to its durable acknowledgement.
 * Goal: the p99 over the stream is not above REST's.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import type { BenchRow } from './bench-row.ts'
import type { LoadWorld } from './load/load-world.ts'
import { type Sent, sendOrders } from './load/send-orders.ts'
import type { SignedLoad } from './load/sign-orders.ts'
import { accepted, p99Of, seedWorld, signRestingOrders } from './orders-http.bench.ts'
import { OrderStream } from './support/order-stream.ts'
import { withOrdersServer } from './support/orders-process.ts'
import { median, rounded } from './support/rounds.ts'
import { type Copies, withSeededCopies } from './support/seeded-copies.ts'

const ROUNDS = 15
const RATE = 1_000
const SECONDS = 4
/** Orders sent in each way as an uncounted warm-up. */
const WARM_UP = 3_000
/** Sockets of the stream; REST has one connection for each order in flight. */
const SOCKETS = 8
const TURN_MS = 4

export async function run(): Promise<BenchRow[]> {
  return withSeededCopies(seedWorld, measure)
}

async function measure(copies: Copies, world: LoadWorld): Promise<BenchRow[]> {
  const part = RATE * SECONDS
  const orders = await signRestingOrders(world, 2 * WARM_UP + 2 * ROUNDS * part)
  const asked = { kind: 'ours', accounts: world.accounts, orders: 0, connections: 0 } as const
  const p99 = { rest: [] as number[], stream: [] as number[] }
  await copies((url) =>
    withOrdersServer({ ...asked, url }, async (base_url) => {
      let taken = 0
      const next = (count: number) => {
        taken += count
        return orders.slice(taken - count, taken)
      }
      const rest = (some: readonly SignedLoad[]) => sendOrders(() => base_url, world.accounts, some, RATE)
      const stream = (some: readonly SignedLoad[]) => sendOverStream(base_url, world, some)
      await rest(next(WARM_UP))
      await stream(next(WARM_UP))
      for (let round = 0; round < ROUNDS; round += 1) {
        const ways = [
          { kept: p99.rest, send: rest },
          { kept: p99.stream, send: stream },
        ]
        for (const { kept, send } of round % 2 === 0 ? ways : ways.reverse()) {
          const sent = await send(next(part))
          accepted(sent)
          kept.push(p99Of(sent))
        }
      }
    }),
  )
  return [
    {
      figure: 'orders.stream.p99_of_rest',
      value: rounded(median(p99.stream) / median(p99.rest)),
      unit: 'x',
      goal: { at_most: 1 },
      details: { per_s: RATE, stream_p99_ms: p99.stream.map(rounded), rest_p99_ms: p99.rest.map(rounded) },
    },
  ]
}

/** Sends orders at a steady rate, whether or not earlier ones were answered, as `sendOrders` does over REST. */
async function sendOverStream(base_url: string, world: LoadWorld, orders: readonly SignedLoad[]): Promise<Sent[]> {
  const url = `${base_url.replace('http', 'ws')}/v1/ws`
  const sockets = await Promise.all(Array.from({ length: SOCKETS }, () => OrderStream.open(url, world.accounts)))
  const sent: Promise<Sent>[] = []
  const begun = performance.now()
  for (let n = 0; n < orders.length; ) {
    const elapsed_ms = performance.now() - begun
    for (const due = Math.min(orders.length, Math.floor((elapsed_ms * RATE) / 1000) + 1); n < due; n += 1)
      sent.push(sockets[n % SOCKETS]!.send(orders[n]!, begun + (n * 1000) / RATE))
    await sleep(TURN_MS)
  }
  const outcomes = await Promise.all(sent)
  for (const socket of sockets) socket.close()
  return outcomes
}

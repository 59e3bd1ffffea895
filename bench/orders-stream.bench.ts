/**
 * Measures signed orders over the WebSocket beside the same orders over REST: one server process at a steady 1,000 orders/s, both ways
 * taking turns every quarter of a second, so that the pauses of the machine and of garbage collection meet both. Each order counts from
 * its due instant to its durable acknowledgement.
 * Goal: the p99 over the stream is not above REST's.
 */

import type { BenchRow } from './bench-row.ts'
import type { LoadWorld } from './load/load-world.ts'
import { paced, Senders, type Sent } from './load/send-orders.ts'
import { accepted, p99Of, seedWorld, signRestingOrders } from './orders-http.bench.ts'
import { OrderStream } from './support/order-stream.ts'
import { withOrdersServer } from './support/orders-process.ts'
import { median, rounded } from './support/rounds.ts'
import { type Copies, withSeededCopies } from './support/seeded-copies.ts'

/** Fresh copies of the database, so that accounts keep below their limit of open orders. */
const COPIES = 5
const RATE = 1_000
const SECONDS = 40
/** Orders sent as an uncounted warm-up. */
const WARM_UP = 6_000
/** Orders that go one way before the other way's turn. */
const TURN = 250
/** Sockets of the stream; REST has one connection for each order in flight. */
const SOCKETS = 8

type Ways = { readonly rest: Sent[]; readonly stream: Sent[] }

export async function run(): Promise<BenchRow[]> {
  return withSeededCopies(seedWorld, measure)
}

async function measure(copies: Copies, world: LoadWorld): Promise<BenchRow[]> {
  const taken: Ways[] = []
  for (let copy = 0; copy < COPIES; copy += 1) taken.push(await copies((url) => measureCopy(url, world)))
  const of = (way: keyof Ways, figure: (sent: readonly Sent[]) => number) =>
    taken.map((ways) => rounded(figure(ways[way])))
  const [stream, rest] = [of('stream', p99Of), of('rest', p99Of)]
  return [
    {
      figure: 'orders.stream.p99_of_rest',
      value: rounded(median(stream.map((p99, n) => p99 / rest[n]!))),
      unit: 'x',
      goal: { at_most: 1 },
      details: {
        per_s: RATE,
        stream_p99_ms: stream,
        rest_p99_ms: rest,
        stream_median_ms: of('stream', medianOf),
        rest_median_ms: of('rest', medianOf),
      },
    },
  ]
}

async function measureCopy(url: string, world: LoadWorld): Promise<Ways> {
  const orders = await signRestingOrders(world, WARM_UP + RATE * SECONDS)
  const asked = { kind: 'ours', accounts: world.accounts, orders: 0, connections: 0 } as const
  return withOrdersServer({ ...asked, url }, async (base_url) => {
    const senders = new Senders(() => base_url, world.accounts)
    const sockets = await openSockets(base_url, world)
    const isStream = (n: number) => Math.floor(n / TURN) % 2 === 1
    const send = (order: (typeof orders)[number], due_at: number, n: number) =>
      isStream(n) ? sockets[n % SOCKETS]!.send(order, due_at) : senders.send(order, due_at)
    accepted(await paced(orders.slice(0, WARM_UP), RATE, send))
    const sent = await paced(orders.slice(WARM_UP), RATE, send)
    accepted(sent)
    senders.close()
    for (const socket of sockets) socket.close()
    return { rest: sent.filter((_, n) => !isStream(n)), stream: sent.filter((_, n) => isStream(n)) }
  })
}

function openSockets(base_url: string, world: LoadWorld): Promise<OrderStream[]> {
  const url = `${base_url.replace('http', 'ws')}/v1/ws`
  return Promise.all(Array.from({ length: SOCKETS }, () => OrderStream.open(url, world.accounts)))
}

function medianOf(sent: readonly Sent[]): number {
  return median(sent.map(({ took_ms }) => took_ms))
}

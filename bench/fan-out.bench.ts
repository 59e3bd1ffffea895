import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { type WebSocket, WebSocketServer } from 'ws'
import { attachStream } from '../api/stream/attach-stream.ts'
import { streamProjections } from '../api/stream/projections.ts'
import { invariant } from '../primitives/errors.ts'
import type { BenchRow } from './bench-row.ts'
import { type FanOutWorld, levelWorld, ownBookWorld } from './support/fan-out-worlds.ts'
import { median, rounded } from './support/rounds.ts'

const CLIENTS_SCRIPT = fileURLToPath(new URL('support/stream-clients.ts', import.meta.url))
const ROUNDS = 3
const BURST = 10
/** Commits of one measured block: well over 200 ms of CPU for the faster side. */
const SINGLE_COMMITS = 40
const BURST_COMMITS = 30
const MEGABYTE = 1024 * 1024

/**
 * Levels of one index, and deltas of a book of a market listed here, to 1,000 sockets, by the stream and by
 * `ws.send(JSON.stringify(message))`, in turns, in messages per second of this process's CPU; the clients are another process, and
 * a message is sent when every socket has read the one before. Then the memory of this process with 5,000 sockets of the stream.
 * Goals: 2.5 times the other way for single messages, 15 times for bursts of 10; less than 400 MB.
 */
export async function run(): Promise<BenchRow[]> {
  return [
    ...(await speedRows('fan_out', 1000, levelWorld)),
    ...(await speedRows('fan_out.own_book', 1000, ownBookWorld)),
    await memoryRow(5000),
  ]
}

async function speedRows(name: string, sockets: number, world: () => FanOutWorld): Promise<BenchRow[]> {
  const sides = { ours: await openOurs(sockets, world()), naive: await openNaive(sockets, world()) }
  try {
    await compareMessages(sides.ours, sides.naive)
    const { single, burst } = await measure(sockets, sides)
    return [rateRow(`${name}.single_to_naive`, single, 2.5), rateRow(`${name}.burst_to_naive`, burst, 15)]
  } finally {
    await sides.ours.close()
    await sides.naive.close()
  }
}

/** Sockets that are open and were sent something: what they cost is there. */
async function memoryRow(sockets: number): Promise<BenchRow> {
  const before_mb = process.memoryUsage().rss / MEGABYTE
  const ours = await openOurs(sockets, levelWorld())
  try {
    const rate = await rateOf(ours, sockets, BURST_COMMITS, BURST)
    const details = { sockets, before_mb: Math.round(before_mb), burst_messages_per_cpu_s: Math.round(rate) }
    const value = Math.round(process.memoryUsage().rss / MEGABYTE)
    return { figure: 'fan_out.rss', value, unit: 'MB', goal: { at_most: 400 }, details }
  } finally {
    await ours.close()
  }
}

type Side = { send(count: number, text?: boolean): Promise<string>; close(): Promise<void> }
type Rates = { readonly ours: number[]; readonly naive: number[] }

async function measure(sockets: number, sides: { ours: Side; naive: Side }) {
  const rates = { single: { ours: [], naive: [] }, burst: { ours: [], naive: [] } } as Record<'single' | 'burst', Rates>
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const side of ['ours', 'naive'] as const) {
      const single = await rateOf(sides[side], sockets, SINGLE_COMMITS, 1)
      const burst = await rateOf(sides[side], sockets, BURST_COMMITS, BURST)
      // The first round warms up.
      if (round > 0) rates.single[side].push(single)
      if (round > 0) rates.burst[side].push(burst)
    }
  }
  return rates
}

/** Messages a second of this process's CPU. */
async function rateOf(side: Side, sockets: number, commits: number, count: number): Promise<number> {
  const before = process.cpuUsage()
  for (let commit = 0; commit < commits; commit += 1) await side.send(count)
  const { user, system } = process.cpuUsage(before)
  return (sockets * commits * count) / ((user + system) / 1e6)
}

function rateRow(figure: string, { ours, naive }: Rates, at_least: number): BenchRow {
  return {
    figure,
    value: rounded(median(ours.map((rate, round) => rate / naive[round]!))),
    unit: 'x',
    goal: { at_least },
    details: {
      ours_per_cpu_s: Math.round(median(ours)),
      naive_per_cpu_s: Math.round(median(naive)),
      ours_rounds: ours.map(Math.round),
      naive_rounds: naive.map(Math.round),
    },
  }
}

/** No speed without equality: both ways a client reads the same text. */
async function compareMessages(ours: Side, naive: Side): Promise<void> {
  for (const count of [1, BURST]) {
    const [a, b] = [await ours.send(count, true), await naive.send(count, true)]
    invariant(a.length > 500 * count && a === b, `the same messages: ${a.slice(0, 200)} and ${b.slice(0, 200)}`)
  }
}

async function openOurs(sockets: number, { options, subscribe, greetings, commit }: FanOutWorld): Promise<Side> {
  const http_server = createServer()
  const stream = attachStream({
    http_server,
    ...options,
    project: streamProjections(options.reader),
    limits: { closing_ms: 0, heartbeat_ms: 3_600_000 },
  })
  const clients = await openClients(await listen(http_server), sockets, subscribe)
  await clients.expect(greetings)
  return {
    send(count, text) {
      commit(count)
      return clients.expect(count, text)
    },
    async close() {
      await clients.close()
      await stream.close()
      http_server.close()
    },
  }
}

/** The same messages by the plain way: each is made and framed for each socket. */
async function openNaive(sockets: number, { commit }: FanOutWorld): Promise<Side> {
  const http_server = createServer()
  const server = new WebSocketServer({ server: http_server, perMessageDeflate: false })
  const open = new Set<WebSocket>()
  server.on('connection', (socket) => open.add(socket))
  const clients = await openClients(await listen(http_server), sockets, null)
  return {
    send(count, text) {
      for (const message of commit(count)()) for (const socket of open) socket.send(JSON.stringify(message))
      return clients.expect(count, text)
    },
    async close() {
      await clients.close()
      server.close()
      http_server.close()
    },
  }
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1', 4096)
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

async function openClients(port: number, count: number, hello: string | null) {
  const child = fork(CLIENTS_SCRIPT, { execArgv: ['--import', 'tsx'] })
  const ask = async (message: object): Promise<{ first?: string }> => {
    const answer = once(child, 'message')
    child.send(message)
    return ((await answer) as [{ first?: string }])[0]
  }
  await once(child, 'message')
  await ask({ open: { port, count, hello } })
  return {
    expect: async (messages: number, text = false) => (await ask({ expect: messages, text })).first ?? '',
    close: () => endClients(child, ask),
  }
}

async function endClients(child: ChildProcess, ask: (message: object) => Promise<unknown>): Promise<void> {
  await ask({ end: true })
  const gone = once(child, 'exit')
  child.disconnect()
  await gone
}

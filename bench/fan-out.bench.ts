/**
 * Measures levels of one index, and book deltas of a market listed here, sent to 1,000 sockets by the stream beside
 * `ws.send(JSON.stringify(message))`, in messages per second of this process's CPU. The sides take turns, the clients are another
 * process, and a message is sent once every socket has read the one before. The limit writes a ready frame to each bare socket;
 * where the limit misses a goal, the host's system calls cost more and no stream can reach it. Last, measures this process's
 * memory with 5,000 sockets of the stream.
 * Goals: 2.5 times the plain way for single messages, 15 times for bursts of 10; less than 400 MB.
 */

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { type WebSocket, WebSocketServer } from 'ws'
import { attachStream } from '../api/stream/attach-stream.ts'
import { textFrame } from '../api/stream/frame.ts'
import { streamProjections } from '../api/stream/projections.ts'
import { invariant } from '../primitives/errors.ts'
import type { BenchRow } from './bench-row.ts'
import { type FanOutWorld, levelWorld, ownBookWorld } from './support/fan-out-worlds.ts'
import { inTurn, median, rounded } from './support/rounds.ts'

const CLIENTS_SCRIPT = fileURLToPath(new URL('support/stream-clients.ts', import.meta.url))
/** Many short rounds, the sides in alternating order, so that a busy host slows all sides alike. */
const ROUNDS = 11
const WARM_ROUNDS = 1
const BURST = 10
/** Minimum CPU time of one measured block, for either side; shorter blocks would run with colder caches. */
const BLOCK_MS = 250
const MEGABYTE = 1024 * 1024

export async function run(): Promise<BenchRow[]> {
  return [
    ...(await speedRows('fan_out', 1000, levelWorld)),
    ...(await speedRows('fan_out.own_book', 1000, ownBookWorld)),
    await memoryRow(5000),
  ]
}

async function speedRows(name: string, sockets: number, world: () => FanOutWorld): Promise<BenchRow[]> {
  const sides = {
    ours: await openOurs(sockets, world()),
    naive: await openPlain(sockets, world(), sendNaively),
    limit: await openPlain(sockets, world(), writeReady),
  }
  try {
    await compareMessages(Object.values(sides))
    const { single, burst } = await measure(sockets, sides)
    return [
      ratioRow(`${name}.single_to_naive`, single, ['ours', 'naive'], { at_least: 2.5 }),
      ratioRow(`${name}.single_to_limit`, single, ['ours', 'limit'], null),
      ratioRow(`${name}.single_limit_to_naive`, single, ['limit', 'naive'], null),
      ratioRow(`${name}.burst_to_naive`, burst, ['ours', 'naive'], { at_least: 15 }),
      ratioRow(`${name}.burst_to_limit`, burst, ['ours', 'limit'], null),
      ratioRow(`${name}.burst_limit_to_naive`, burst, ['limit', 'naive'], null),
    ]
  } finally {
    for (const side of Object.values(sides)) await side.close()
  }
}

/** Opens sockets and sends to each, so that their memory is allocated. */
async function memoryRow(sockets: number): Promise<BenchRow> {
  const before_mb = process.memoryUsage().rss / MEGABYTE
  const ours = await openOurs(sockets, levelWorld())
  try {
    const rate = await rateOf(ours, sockets, BURST)
    const details = { sockets, before_mb: Math.round(before_mb), burst_messages_per_cpu_s: Math.round(rate) }
    const value = Math.round(process.memoryUsage().rss / MEGABYTE)
    return { figure: 'fan_out.rss', value, unit: 'MB', goal: { at_most: 400 }, details }
  } finally {
    await ours.close()
  }
}

type Side = { send(count: number, text?: boolean): Promise<string>; close(): Promise<void> }
type Name = 'ours' | 'naive' | 'limit'
type Rates = Record<Name, number[]>

async function measure(sockets: number, sides: Readonly<Record<Name, Side>>) {
  const rates: Record<'single' | 'burst', Rates> = {
    single: { ours: [], naive: [], limit: [] },
    burst: { ours: [], naive: [], limit: [] },
  }
  for (let round = 0; round < WARM_ROUNDS + ROUNDS; round += 1) {
    for (const name of inTurn(Object.keys(sides) as Name[], round)) {
      const single = await rateOf(sides[name], sockets, 1)
      const burst = await rateOf(sides[name], sockets, BURST)
      if (round < WARM_ROUNDS) continue
      rates.single[name].push(single)
      rates.burst[name].push(burst)
    }
  }
  return rates
}

/** Returns messages per second of this process's CPU. */
async function rateOf(side: Side, sockets: number, count: number): Promise<number> {
  const before = process.cpuUsage()
  let [commits, seconds] = [0, 0]
  while (seconds < BLOCK_MS / 1000) {
    await side.send(count)
    commits += 1
    const { user, system } = process.cpuUsage(before)
    seconds = (user + system) / 1e6
  }
  return (sockets * commits * count) / seconds
}

function ratioRow(figure: string, rates: Rates, [of, to]: readonly [Name, Name], goal: BenchRow['goal']): BenchRow {
  const [ones, others] = [rates[of], rates[to]]
  return {
    figure,
    value: rounded(median(ones.map((rate, round) => rate / others[round]!))),
    unit: 'x',
    goal,
    details: {
      [`${of}_per_cpu_s`]: Math.round(median(ones)),
      [`${to}_per_cpu_s`]: Math.round(median(others)),
      [`${of}_rounds`]: ones.map(Math.round),
      [`${to}_rounds`]: others.map(Math.round),
    },
  }
}

/** Checks that a client reads the same text from every side. */
async function compareMessages([ours, ...others]: readonly Side[]): Promise<void> {
  for (const count of [1, BURST]) {
    const text = await ours!.send(count, true)
    for (const other of others) {
      const same = await other.send(count, true)
      invariant(
        text.length > 500 * count && text === same,
        `the same messages: ${text.slice(0, 200)} and ${same.slice(0, 200)}`,
      )
    }
  }
}

async function openOurs(sockets: number, { options, subscribe, greetings, commit }: FanOutWorld): Promise<Side> {
  const http_server = createServer()
  const stream = attachStream({
    http_server,
    ...options,
    project: streamProjections(options.reader),
    limits: {
      closing_ms: 0,
      heartbeat_ms: 3_600_000,
      connections_per_address_max: sockets,
      anonymous_per_address_max: sockets,
      connects: { rate: sockets, burst: sockets },
    },
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

/** One way of sending messages to many sockets. */
type Sending = (messages: readonly object[], open: ReadonlyMap<WebSocket, Duplex>) => void

/** The plain way: each message is serialized and framed for each socket. */
const sendNaively: Sending = (messages, open) => {
  for (const message of messages) for (const websocket of open.keys()) websocket.send(JSON.stringify(message))
}

/** The limit: a commit's messages are framed once, and each bare socket gets the bytes in one write. */
const writeReady: Sending = (messages, open) => {
  const bytes = Buffer.concat(messages.map((message) => textFrame(JSON.stringify(message))))
  for (const socket of open.values()) socket.write(bytes)
}

/** Sends the same messages without the stream. */
async function openPlain(sockets: number, { commit }: FanOutWorld, sendAll: Sending): Promise<Side> {
  const http_server = createServer()
  const server = new WebSocketServer({ server: http_server, perMessageDeflate: false })
  const open = new Map<WebSocket, Duplex>()
  server.on('connection', (websocket, { socket }) => open.set(websocket, socket))
  const clients = await openClients(await listen(http_server), sockets, null)
  return {
    send(count, text) {
      sendAll(commit(count)(), open)
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

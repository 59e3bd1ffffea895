/**
 * Measures the time from a venue's websocket message to the stream event of its quote. Connectors in this process follow three
 * simulated venues and commit everything to a warehouse; another process serves its stream. Counts Polymarket messages that change
 * a best price or its depth: from receipt by a client beside the connector to receipt by a subscriber of the API of that quote,
 * or of a later one of the same outcome's market.
 * Goal: p99 under 1.5 s.
 */

import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { type FollowOptions, followVenue } from '../operations/live/follow-venue.ts'
import { ingestSession, LINGER_MS } from '../operations/live/ingest-session.ts'
import { runUpkeep } from '../operations/upkeep/run-upkeep.ts'
import { createIdentities } from '../pipelines/revisions/identities.ts'
import { invariant } from '../primitives/errors.ts'
import { MICROS_PER_SECOND, type Micros, toMicros } from '../primitives/instants.ts'
import { wallClock } from '../primitives/wall-clock.ts'
import { type ServedWorld, serveWorld } from '../service/live/serve-world.ts'
import { VENUES, type WorldOptions } from '../simulator/world/options.ts'
import { openWarehouse, type Warehouse } from '../warehouse/warehouse.ts'
import type { BenchRow } from './bench-row.ts'
import { rounded } from './support/rounds.ts'
import { startPriceServer } from './support/start-price-server.ts'

const MESSAGES = 200
const WARM_UP_MS = 10_000
const GIVE_UP_MS = 300_000
const MINUTE: Micros = 60 * MICROS_PER_SECOND
/** Three venues of nine markets with a trader's visit per market and second: about thirty messages a second. */
const SIZE = { seed: 'latency', days: 2, markets: 9, interval: MICROS_PER_SECOND } as const

export async function run(): Promise<BenchRow[]> {
  const folder = await mkdtemp(join(tmpdir(), 'tidemark-bench-'))
  const root = join(folder, 'warehouse')
  const warehouse = await openWarehouse({ root, create: true })
  const stop = new AbortController()
  const options: WorldOptions = { ...SIZE, start: Math.floor(wallClock() / MINUTE - 2) * MINUTE }
  const served = await serveWorld(options, wallClock, stop.signal)
  const api = await startPriceServer({ kind: 'api', root })
  try {
    const working = work(warehouse, served, stop.signal)
    const row = await measure(served, api.base_url, warehouse)
    stop.abort()
    await working
    return [row]
  } finally {
    stop.abort()
    await api.close()
    await served.close()
    await warehouse.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function work(warehouse: Warehouse, served: ServedWorld, signal: AbortSignal): Promise<void> {
  const on_problem = (error: unknown) => void process.stderr.write(`${String(error)}\n`)
  await Promise.all([
    ...VENUES.map((venue_id) => {
      const connect = () => served.connect(venue_id)
      const session: FollowOptions['session'] = (asked) =>
        ingestSession(asked, { warehouse, connect, signal, on_problem })
      return followVenue({ venue_id, session_ms: 3_600_000, session, signal, on_problem })
    }),
    runUpkeep({ warehouse, every_ms: 60_000, signal, on_problem }),
  ])
}

async function measure(served: ServedWorld, base_url: string, warehouse: Warehouse): Promise<BenchRow> {
  const ids = createIdentities()
  const sent = await watchVenue(served.base_urls.polymarket)
  await sleep(WARM_UP_MS)
  const received = await watchStream(base_url)
  const from_ms = clockMs()
  const commitsAMinute = await countCommits(warehouse)
  const due = () => sent.filter(({ at_ms }) => at_ms >= from_ms)
  for (const deadline = from_ms + GIVE_UP_MS; due().length < MESSAGES && clockMs() < deadline; ) await sleep(200)
  const measured = due().slice(0, MESSAGES)
  invariant(measured.length === MESSAGES, `live latency: ${measured.length} messages in ${GIVE_UP_MS} ms`)
  const commits = await commitsAMinute()
  await sleep(5_000)
  const latencies = measured.map(({ condition_id, source_at, at_ms }) => {
    const events = received.get(ids.marketId('polymarket', condition_id)) ?? []
    const first = events.find((event) => event.source_at >= source_at)
    invariant(first !== undefined, `live latency: ${condition_id} at ${source_at} never reached the stream`)
    return first.at_ms - at_ms
  })
  latencies.sort((a, b) => a - b)
  const at = (share: number) => rounded(latencies[Math.floor((latencies.length - 1) * share)]!)
  const delays = { p50_ms: at(0.5), p90_ms: at(0.9), max_ms: at(1) }
  const details = { messages: MESSAGES, linger_ms: LINGER_MS, ...delays, ...commits }
  return { figure: 'live_latency.p99', value: at(0.99), unit: 'ms', goal: { at_most: 1_500 }, details }
}

const COUNTED = ['venue_payload', 'public_trade', 'market_quote', 'order_book'] as const

/** Returns a function that tells the commits a minute of each busy table since now. */
async function countCommits(warehouse: Warehouse): Promise<() => Promise<Record<string, number>>> {
  const versions = () => Promise.all(COUNTED.map(async (table) => (await warehouse.log(table).snapshot()).version))
  const [before, from_ms] = [await versions(), clockMs()]
  return async () => {
    const minutes = (clockMs() - from_ms) / 60_000
    const made = (await versions()).map((version, n) => rounded((version - before[n]!) / minutes))
    return Object.fromEntries(COUNTED.map((table, n) => [`${table}_commits_a_minute`, made[n]!]))
  }
}

type PriceChange = {
  readonly asset_id: string
  readonly price: string
  readonly side: string
  readonly best_bid: string
  readonly best_ask: string
}
type Sent = { readonly condition_id: string; readonly source_at: Micros; readonly at_ms: number }

/** Follows the market channel for messages that change a best price or its depth. */
async function watchVenue(base_url: string): Promise<readonly Sent[]> {
  const socket = new WebSocket(`${base_url.replace('http', 'ws')}/ws/market`)
  await once(socket, 'open')
  socket.send(JSON.stringify({ type: 'market' }))
  const sent: Sent[] = []
  const best = new Map<string, string>()
  socket.on('message', (data) => {
    const message = JSON.parse(String(data)) as {
      market: string
      timestamp: string
      price_changes?: readonly PriceChange[]
    }
    let changed = false
    for (const { asset_id, price, side, best_bid, best_ask } of message.price_changes ?? []) {
      const prices = `${best_bid} ${best_ask}`
      const is_best = price === (side === 'BUY' ? best_bid : best_ask)
      changed ||= is_best || (best.has(asset_id) && best.get(asset_id) !== prices)
      best.set(asset_id, prices)
    }
    if (changed) {
      sent.push({ condition_id: message.market, source_at: +message.timestamp * 1000, at_ms: clockMs() })
    }
  })
  return sent
}

type Received = { readonly source_at: Micros; readonly at_ms: number }

/** Follows the stream for the newest source instant of each market's quotes. */
async function watchStream(base_url: string): Promise<ReadonlyMap<string, readonly Received[]>> {
  const received = new Map<string, Received[]>()
  const socket = new WebSocket(`${base_url.replace('http', 'ws')}/v1/ws`)
  await once(socket, 'open')
  socket.on('message', (text) => {
    const message = JSON.parse(String(text)) as { type: string; data?: Ticker }
    if (message.type !== 'event' || message.data === undefined) return
    const { market_id } = message.data
    const source_at = toMicros(message.data.source_at)
    const events = received.get(market_id) ?? []
    events.push({ source_at, at_ms: clockMs() })
    received.set(market_id, events)
  })
  socket.send(JSON.stringify({ op: 'subscribe', id: '1', topic: 'market.ticker' }))
  return received
}

type Ticker = { readonly market_id: string; readonly source_at: string }

function clockMs(): number {
  return performance.timeOrigin + performance.now()
}

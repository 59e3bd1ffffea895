/**
 * Measures the time from a commit to its stream message: one process writes levels, another serves the warehouse's stream, and
 * this one holds a socket to it. The time counts from before the commit; the time from its end is shown beside it.
 * Goal: p99 under 500 ms.
 */

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { WebSocket } from 'ws'
import { invariant } from '../primitives/errors.ts'
import type { BenchRow } from './bench-row.ts'
import type { Written } from './support/level-writer.ts'
import { INDEX_ID } from './support/one-index.ts'
import { rounded } from './support/rounds.ts'
import { startPriceServer } from './support/start-price-server.ts'

const WRITER = fileURLToPath(new URL('./support/level-writer.ts', import.meta.url))
const COMMITS = 200
const WARM_UP = 10
/** The reader polls five times a second; pauses of varied lengths hit every phase of its interval. */
const PAUSE_MS = { least: 20, spread: 300 } as const

export async function run(): Promise<BenchRow[]> {
  const folder = await mkdtemp(join(tmpdir(), 'tidemark-bench-'))
  const root = join(folder, 'warehouse')
  const writer = fork(WRITER, [root], { execArgv: ['--import', 'tsx'] })
  await once(writer, 'message')
  const api = await startPriceServer({ kind: 'api', root })
  const socket = await subscribed(api.base_url)
  try {
    return [await measure(writer, socket)]
  } finally {
    socket.terminate()
    await api.close()
    const gone = once(writer, 'exit')
    writer.disconnect()
    await gone
    await rm(folder, { recursive: true, force: true })
  }
}

async function measure(writer: ChildProcess, socket: WebSocket): Promise<BenchRow> {
  const seen = receivedLevels(socket)
  const written = new Map<string, Written>()
  for (let n = 1; n <= WARM_UP + COMMITS; n += 1) {
    await sleep(PAUSE_MS.least + Math.floor(((n * 0.618_034) % 1) * PAUSE_MS.spread))
    const answer = once(writer, 'message') as Promise<[Written]>
    writer.send(n)
    written.set(String(n), (await answer)[0])
  }
  for (let waited = 0; seen.size < written.size && waited < 100; waited += 1) await sleep(50)
  invariant(seen.size === written.size, `commit to event: ${seen.size} messages of ${written.size} commits`)
  const measured = [...written].slice(WARM_UP)
  const from = (place: keyof Written) => measured.map(([n, times]) => seen.get(n)! - times[place]).sort((a, b) => a - b)
  const [from_begin, from_end] = [from('began_ms'), from('committed_ms')]
  const at = (values: readonly number[], share: number) => rounded(values[Math.floor((values.length - 1) * share)]!)
  const details = {
    commits: COMMITS,
    p50_ms: at(from_begin, 0.5),
    max_ms: at(from_begin, 1),
    from_end_p50_ms: at(from_end, 0.5),
    from_end_p99_ms: at(from_end, 0.99),
  }
  return { figure: 'commit_to_event.p99', value: at(from_begin, 0.99), unit: 'ms', goal: { at_most: 500 }, details }
}

/** Returns the arrival time of each level, by its number. */
function receivedLevels(socket: WebSocket): ReadonlyMap<string, number> {
  const seen = new Map<string, number>()
  socket.on('message', (text) => {
    const at = performance.timeOrigin + performance.now()
    const { type, data } = JSON.parse(String(text)) as { type: string; data?: { observation_id: string } }
    if (type === 'event') seen.set(data!.observation_id.replace(/^iob_0*/, ''), at)
  })
  return seen
}

async function subscribed(base_url: string): Promise<WebSocket> {
  const socket = new WebSocket(`${base_url.replace('http', 'ws')}/v1/ws`)
  await once(socket, 'open')
  const told = new Promise<void>((resolve) => {
    socket.on('message', (text) => {
      if (String(text).includes('"subscribed"')) resolve()
    })
  })
  socket.send(JSON.stringify({ op: 'subscribe', id: '1', topic: 'index.price', index_id: INDEX_ID }))
  await told
  return socket
}

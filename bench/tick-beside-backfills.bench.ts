/**
 * Measures the delay of an index's last published level after tick and grace, beside ticks without any backfill: a worker of this
 * process computes scheduled ticks of some indexes through Temporal, while another process runs ten backfills of other indexes in
 * the same warehouse. The figure is the slowest tick with backfills minus the median of the ticks without.
 * Goal: at most 5 s.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@temporalio/client'
import { openLivePublisher } from '../operations/live/live-publisher.ts'
import { waitFor } from '../operations/live/wait-for.ts'
import { invariant } from '../primitives/errors.ts'
import { formatMicros, MICROS_PER_DAY, MICROS_PER_SECOND, type Micros } from '../primitives/instants.ts'
import { wallClock } from '../primitives/wall-clock.ts'
import { CACHE } from '../test/workflows/support/cache.ts'
import { fakePorts } from '../test/workflows/support/fake-ports.ts'
import { temporalBinary } from '../test/workflows/support/temporal.ts'
import { openReadSession } from '../warehouse/read/session.ts'
import { openWarehouse, type Warehouse } from '../warehouse/warehouse.ts'
import { startBackfill } from '../workflows/client/backfills.ts'
import { connectTemporal, type TemporalClient } from '../workflows/client/connect.ts'
import { reconcileSchedules } from '../workflows/client/reconcile-schedules.ts'
import { scheduleTable } from '../workflows/schedules.ts'
import { startDevServer } from '../workflows/server/start-dev-server.ts'
import { runWorker } from '../workflows/worker/run-worker.ts'
import type { BenchRow } from './bench-row.ts'
import { type Append, appender, defineInvented } from './support/define-invented.ts'
import { inventedBooks, inventedIndex, inventedIndexId, inventedMarkets } from './support/invented-indexes.ts'
import { median, rounded } from './support/rounds.ts'
import { startBulkWorker } from './support/start-backfill-process.ts'
import { MINUTE } from './support/synthetic-books.ts'

const BACKFILLS = 10
const LIVE_INDEXES = 20
const SIZE = { constituents: 20, markets: 40 }
/** Days of each backfill: more than it can finish while it is watched. */
const PAST_DAYS = 7
const QUIET_TICKS = 3
const BUSY_TICKS = 5
const QUOTES_EVERY_MS = 10_000
/** Grace period of the methodology: a tick is not due before it ends. */
const GRACE: Micros = 5 * MICROS_PER_SECOND

export async function run(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-bench-'))
  const root = join(folder, 'warehouse')
  const warehouse = await openWarehouse({ root, create: true })
  const on_problem = (error: unknown) => void process.stderr.write(`temporal: ${String(error)}\n`)
  const temporal = { folder: join(folder, 'temporal'), namespace: 'default', on_problem }
  const server = await startDevServer({ binary: await temporalBinary(), ...temporal })
  const stop = new AbortController()
  try {
    const world = await prepare(warehouse)
    const connected = await connectTemporal(server)
    const bulk = await startBulkWorker(server.address, CACHE, { root, home: folder, now: null })
    const working = [quote(world, stop.signal), publish(warehouse, connected, folder, stop.signal)]
    const quiet = await ticksFrom(world.live_from, QUIET_TICKS, warehouse)
    const backfills = await startBackfills(connected.client, world)
    const busy = await ticksFrom(world.live_from + QUIET_TICKS * MINUTE, BUSY_TICKS, warehouse)
    const load = rounded(loadavg()[0]!)
    for (const { progress } of backfills)
      invariant((await progress())?.state === 'running', 'a backfill ended too early')
    await Promise.all(backfills.map(({ cancel }) => cancel()))
    await Promise.all(backfills.map(({ result }) => result()))
    stop.abort()
    await Promise.all(working)
    await bulk.close()
    await connected.close()
    return [rowOf(quiet, busy, load)]
  } finally {
    stop.abort()
    await server.close()
    await warehouse.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

function rowOf(quiet: readonly number[], busy: readonly number[], load: number): BenchRow {
  const details = { backfills: BACKFILLS, quiet_s: quiet.map(rounded), busy_s: busy.map(rounded), load }
  const delay = rounded(Math.max(...busy) - median(quiet))
  return { figure: 'tick_beside_backfills.delay', value: delay, unit: 's', goal: { at_most: 5 }, details }
}

type World = {
  readonly append: Append
  /** Returns books of every market around an instant. */
  readonly books: ReturnType<typeof inventedBooks>
  /** First tick of the indexes that are published live. */
  readonly live_from: Micros
  /** First tick of the indexes that are backfilled. */
  readonly past_from: Micros
}

/** Stores some days of quotes, indexes that start with them and have no schedule, and indexes that start now. */
async function prepare(warehouse: Warehouse): Promise<World> {
  const append = appender(warehouse)
  const books = inventedBooks(SIZE.markets)
  const last = Math.floor(wallClock() / MINUTE) * MINUTE
  const past_from = last - PAST_DAYS * MICROS_PER_DAY
  await append('market', inventedMarkets(SIZE.markets, past_from))
  for (let day = past_from; day < last; day += MICROS_PER_DAY) {
    const minutes = Array.from({ length: MICROS_PER_DAY / MINUTE }, (_, i) => day + i * MINUTE)
    await append(
      'market_quote',
      minutes.flatMap((at) => books(at - 10 * MICROS_PER_SECOND)),
    )
  }
  const live_from = (Math.floor(wallClock() / MINUTE) + 2) * MINUTE
  const files = Array.from({ length: BACKFILLS + LIVE_INDEXES }, (_, i) =>
    inventedIndex(i, SIZE, i < BACKFILLS ? past_from : live_from),
  )
  await defineInvented(append, files)
  return { append, books, live_from, past_from }
}

async function quote({ append, books }: World, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await append('market_quote', books(wallClock()))
    await waitFor(QUOTES_EVERY_MS, signal)
  }
}

/** Publishes as a service does: from a schedule, with a worker of this process for the clock's workflows. */
async function publish(
  warehouse: Warehouse,
  { client, server }: TemporalClient,
  home: string,
  signal: AbortSignal,
): Promise<void> {
  const followed = new Set(LIVE_IDS)
  const publisher = openLivePublisher(warehouse, { follows: (index_id) => followed.has(index_id) })
  const ports = fakePorts(warehouse, home, { publish: () => publisher.publishDue() })
  await reconcileSchedules(
    client,
    scheduleTable([]).filter(({ schedule_id }) => schedule_id === 'publish-tick'),
    { owner: 'tidemark' },
  )
  await runWorker({ server, cache: CACHE, queues: ['live'], ports, signal })
}

const LIVE_IDS = Array.from({ length: LIVE_INDEXES }, (_, i) => inventedIndexId(BACKFILLS + i))

function startBackfills(client: Client, { past_from, live_from }: World) {
  const [from, to] = [formatMicros(past_from), formatMicros(live_from)]
  return Promise.all(
    Array.from({ length: BACKFILLS }, (_, i) =>
      startBackfill(client, { kind: 'index', request: { index_id: inventedIndexId(i), from, to } }),
    ),
  )
}

/** Waits for `count` ticks. @returns seconds after tick and grace at which each was published completely */
async function ticksFrom(first: Micros, count: number, warehouse: Warehouse): Promise<number[]> {
  const end = first + count * MINUTE
  for (;;) {
    const waits_ms = Math.max(1_000, (end - MINUTE + GRACE - wallClock()) / 1_000)
    await sleep(waits_ms)
    const delays = await published(warehouse, first, end)
    if (delays.length === count) return delays
    invariant(wallClock() < end + 5 * MINUTE, `${delays.length} of ${count} ticks were published`)
  }
}

async function published(warehouse: Warehouse, from: Micros, to: Micros): Promise<number[]> {
  const session = await openReadSession(warehouse, { as_of: null, tables: ['index_observation'] })
  try {
    const rows = await session.query(
      `select epoch_us(max(published_at)) - epoch_us(tick_at) as after_us from index_observation_history
       where index_id in (select unnest($ids)) and tick_at >= $from::timestamptz and tick_at < $to::timestamptz
       group by tick_at having count(*) = len($ids) order by tick_at`,
      { ids: LIVE_IDS, from: formatMicros(from), to: formatMicros(to) },
    )
    return rows.map(({ after_us }) => (Number(after_us) - GRACE) / MICROS_PER_SECOND)
  } finally {
    await session.close()
  }
}

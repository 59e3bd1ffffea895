/**
 * Measures the backfill of a year (or `--days`) of one index's minute levels through a Temporal server, with its worker in a
 * separate process, beside the same backfill in a process without any server. Each works on its own copy of one warehouse; both
 * must publish the same observations first.
 * Goal: at least half of the rate without a server.
 */

import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BackfillSubject } from '../operations/backfill/backfill-subject.ts'
import { invariant } from '../primitives/errors.ts'
import { formatMicros, MICROS_PER_DAY } from '../primitives/instants.ts'
import { CACHE } from '../test/workflows/support/cache.ts'
import { temporalBinary } from '../test/workflows/support/temporal.ts'
import { openReadSession } from '../warehouse/read/session.ts'
import { openWarehouse } from '../warehouse/warehouse.ts'
import { startBackfill } from '../workflows/client/backfills.ts'
import { connectTemporal } from '../workflows/client/connect.ts'
import { startDevServer } from '../workflows/server/start-dev-server.ts'
import type { BenchOptions } from './bench-options.ts'
import type { BenchRow } from './bench-row.ts'
import { publishWorld } from './support/publish-world.ts'
import { rounded } from './support/rounds.ts'
import { backfillHere, startBulkWorker } from './support/start-backfill-process.ts'
import { MINUTE, YEAR_START } from './support/synthetic-books.ts'

const DAYS = 365
const DAY_MINUTES = MICROS_PER_DAY / MINUTE
const CONSTITUENTS = 2

export async function run({ days = DAYS }: BenchOptions): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-bench-'))
  try {
    const { subject, now } = await prepare(folder, days)
    const place = (name: string) => ({ root: join(folder, name), home: join(folder, `${name}-home`), now })
    const load = [loadavg()[0]!]
    const here = await backfillHere(subject, place('here'))
    load.push(loadavg()[0]!)
    const through = await throughTemporal(subject, folder, place('through'))
    load.push(loadavg()[0]!)
    const observations = await observationsOf(place('here').root, days)
    invariant(
      observations === (await observationsOf(place('through').root, days)),
      'both publish the same observations',
    )
    return rowsOf(days, here, through, load)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

type Taken = { readonly seconds: number; readonly cpu_seconds: number }

function rowsOf(days: number, here: Taken, through: Taken, load: readonly number[]): BenchRow[] {
  const levels = days * DAY_MINUTES
  const details = {
    days,
    constituents: CONSTITUENTS,
    here_s: rounded(here.seconds),
    here_cpu_s: rounded(here.cpu_seconds),
    through_s: rounded(through.seconds),
    through_cpu_s: rounded(through.cpu_seconds),
    load: load.map(rounded),
  }
  const [rate, ratio] = [rounded(levels / through.seconds), rounded(here.seconds / through.seconds)]
  return [
    { figure: 'backfill_temporal.levels_per_s', value: rate, unit: '1/s', goal: null, details },
    { figure: 'backfill_temporal.to_in_process', value: ratio, unit: 'x', goal: { at_least: 0.5 }, details },
  ]
}

/** Makes two warehouses with the same index and books, and no levels. */
async function prepare(folder: string, days: number): Promise<{ subject: BackfillSubject; now: string }> {
  const world = await publishWorld({ indexes: 1, constituents: CONSTITUENTS, markets: CONSTITUENTS })
  try {
    await world.history(days * DAY_MINUTES)
    for (const name of ['here', 'through']) cpSync(world.warehouse.root, join(folder, name), { recursive: true })
    const [from, to] = [formatMicros(YEAR_START), formatMicros(YEAR_START + days * MICROS_PER_DAY)]
    const now = formatMicros(YEAR_START + days * MICROS_PER_DAY + MINUTE)
    return { subject: { kind: 'index', request: { index_id: world.index_ids[0]!, from, to } }, now }
  } finally {
    await world.close()
  }
}

async function throughTemporal(
  subject: BackfillSubject,
  folder: string,
  place: Parameters<typeof backfillHere>[1],
): Promise<Taken> {
  const on_problem = (error: unknown) => void process.stderr.write(`temporal: ${String(error)}\n`)
  const temporal = { folder: join(folder, 'temporal'), namespace: 'default', on_problem }
  const server = await startDevServer({ binary: await temporalBinary(), ...temporal })
  try {
    const connected = await connectTemporal(server)
    const worker = await startBulkWorker(server.address, CACHE, place)
    const started = performance.now()
    const report = await (await startBackfill(connected.client, subject)).result()
    const seconds = (performance.now() - started) / 1000
    invariant(report.state === 'done', `the backfill through Temporal is ${report.state}`)
    await connected.close()
    return { seconds, ...(await worker.close()) }
  } finally {
    await server.close()
  }
}

/** Returns the ids of all levels; each id is a hash of the level and all its inputs. */
async function observationsOf(root: string, days: number): Promise<string> {
  const warehouse = await openWarehouse({ root })
  const session = await openReadSession(warehouse, { as_of: null, tables: ['index_observation'] })
  try {
    const [row] = await session.query(
      `select count(*)::integer as n, md5(string_agg(observation_id || record_hash || level, ' ' order by tick_at)) as digest
       from index_observation_history`,
    )
    invariant(row?.n === days * DAY_MINUTES, `every tick has a level: ${row?.n}`)
    return row.digest as string
  } finally {
    await session.close()
    await warehouse.close()
  }
}

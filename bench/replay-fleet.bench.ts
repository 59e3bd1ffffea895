/**
 * Measures the replay of one index of 20 constituents over 120 days (or `--days`) through a Temporal server with two workers, each a
 * process whose DuckDB has one thread: in one part, which one worker replays, and in two. Both must give the same bytes first.
 * Goal: two parts take at most 0.6 of the time of one, on two cores.
 */

import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { invariant } from '../primitives/errors.ts'
import { formatMicros, MICROS_PER_DAY } from '../primitives/instants.ts'
import { CACHE } from '../test/workflows/support/cache.ts'
import { temporalBinary } from '../test/workflows/support/temporal.ts'
import { connectTemporal } from '../workflows/client/connect.ts'
import { startReplay } from '../workflows/client/replays.ts'
import { startDevServer } from '../workflows/server/start-dev-server.ts'
import type { BenchOptions } from './bench-options.ts'
import type { BenchRow } from './bench-row.ts'
import { publishWorld } from './support/publish-world.ts'
import { median, rounded } from './support/rounds.ts'
import { startBulkWorker } from './support/start-backfill-process.ts'
import { MINUTE, YEAR_START } from './support/synthetic-books.ts'

const DAYS = 120
const CONSTITUENTS = 20
const ROUNDS = 3

export async function run({ days = DAYS }: BenchOptions): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-bench-'))
  try {
    const target = await prepare(folder, days)
    const to = formatMicros(YEAR_START + days * MICROS_PER_DAY)
    const asked = { target, from: formatMicros(YEAR_START), to, as_of: to }
    const seconds = await measure(folder, asked)
    const details = { days, constituents: CONSTITUENTS, ...seconds, load: rounded(loadavg()[0]!) }
    const ratio = rounded(median(seconds.two_s) / median(seconds.one_s))
    return [{ figure: 'replay_fleet.two_to_one', value: ratio, unit: 'x', goal: { at_most: 0.6 }, details }]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function prepare(folder: string, days: number): Promise<string> {
  const world = await publishWorld({ indexes: 1, constituents: CONSTITUENTS, markets: CONSTITUENTS })
  try {
    await world.history((days * MICROS_PER_DAY) / MINUTE)
    cpSync(world.warehouse.root, join(folder, 'warehouse'), { recursive: true })
    return world.index_ids[0]!
  } finally {
    await world.close()
  }
}

async function measure(folder: string, asked: Omit<Parameters<typeof startReplay>[1], 'parts'>) {
  const on_problem = (error: unknown) => void process.stderr.write(`temporal: ${String(error)}\n`)
  const temporal = { folder: join(folder, 'temporal'), namespace: 'default', on_problem }
  const server = await startDevServer({ binary: await temporalBinary(), ...temporal })
  try {
    const connected = await connectTemporal(server)
    const place = { root: join(folder, 'warehouse'), home: join(folder, 'home'), now: asked.to, one_thread: true }
    const workers = [await startBulkWorker(server.address, CACHE, place)]
    workers.push(await startBulkWorker(server.address, CACHE, place))
    const replay = async (parts: number) => {
      const started = performance.now()
      const { sha256 } = await (await startReplay(connected.client, { ...asked, parts })).result()
      return { sha256, seconds: rounded((performance.now() - started) / 1000) }
    }
    const taken = { one_s: [] as number[], two_s: [] as number[] }
    for (let round = 0; round < ROUNDS; round++) {
      const [one, two] = [await replay(1), await replay(2)]
      invariant(one.sha256 === two.sha256, 'two parts give the bytes of one')
      taken.one_s.push(one.seconds)
      taken.two_s.push(two.seconds)
    }
    for (const worker of workers) await worker.close()
    await connected.close()
    return taken
  } finally {
    await server.close()
  }
}

import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { auditWarehouse } from '../../../operations/audit/audit-warehouse.ts'
import { importArchive } from '../../../operations/import/import-archive.ts'
import { IMPORT_TABLES } from '../../../operations/import/read-known.ts'
import { toMicros } from '../../../primitives/instants.ts'
import { simulateFiles } from '../../../simulator/files/simulate-files.ts'
import { openReadSession } from '../../../warehouse/read/session.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { openWarehouse } from '../../../warehouse/warehouse.ts'
import { questionLine, type ShortRow, valueLine, writeArchive } from '../../support/archive-folder.ts'
import { childArgv } from '../../support/child-argv.ts'
import { sized } from '../../support/sized.ts'
import { ROOT } from '../../support/source-files.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { createRandom } from '../../support/whole-numbers.ts'

const folder = tempFolder()
const SEED = 7

/** Eight markets over nine days: every third value revised, the last day final, one payout corrected. */
function makeArchive(): string {
  const random = createRandom(SEED)
  const values: ShortRow[] = []
  const value = () => `0.${String(random.int(1000)).padStart(3, '0')}`
  for (let day = 1; day <= 9; day += 1) {
    for (let m = 0; m < 8; m += 1) {
      const published = (later: number) =>
        `${String(day + later).padStart(2, '0')}T02:${String(m % 3).padStart(2, '0')}`
      values.push(['s', `m${m}`, day, published(1), value()])
      if ((day + m) % 3 === 0) values.push(['s', `m${m}`, day, published(3), value()])
      if (day === 9) values.push(['s', `m${m}`, day, published(5), '1', 'F'])
      if (day === 9 && m === 2) values.push(['s', `m${m}`, day, published(7), '0', 'F'])
    }
  }
  const sets = ['s', 't', 'u']
  const questions = sets.flatMap((set, n) =>
    Array.from({ length: 8 }, (_, m) => questionLine(set, `m${m}`, `2026-01-0${n + 1}T00:05:00Z`)),
  )
  mkdirSync(join(folder, 'archive'), { recursive: true })
  return writeArchive(join(folder, 'archive'), values.map(valueLine), questions)
}

const forecasts = { archive: 'forecastbench', dir: makeArchive() }
type Archive = typeof forecasts

/** Runs an import in a process of its own; true when it ended, false when it was killed at the commit point. */
function runUntil(root: string, { archive, dir }: Archive, clock: string, kill_at: number): Promise<boolean> {
  const script = join(ROOT, 'test/support/import-child.ts')
  const child = spawn(process.execPath, childArgv(script, root, archive, dir, clock, String(kill_at)), {
    cwd: ROOT,
  })
  let output = ''
  child.stdout.on('data', (text) => {
    output += text
  })
  child.stderr.on('data', (text) => {
    output += text
  })
  return new Promise((resolve, reject) => {
    child.on('close', (code, signal) => {
      if (signal === 'SIGKILL' || output.endsWith('done\n')) resolve(signal === null)
      else reject(new ImportFailed(`the import ended with ${code ?? signal}: ${output}`))
    })
  })
}

class ImportFailed extends Error {}

/** Every row of every table that an import writes; published_at only where it is decided by the archive. */
async function contents(root: string, clock: string): Promise<Record<string, readonly Row[]>> {
  const warehouse = await openWarehouse({ root })
  const session = await openReadSession(warehouse, { as_of: null })
  const tables: Record<string, readonly Row[]> = {}
  const clocks = clock === 'recorded' ? 'row_ordinal' : 'row_ordinal, published_at'
  for (const table of IMPORT_TABLES) {
    tables[table] = await session.query(`select * exclude (${clocks}) from ${table}_history order by all`)
  }
  await session.close()
  await warehouse.close()
  return tables
}

async function uninterrupted(from: Archive, clock: 'wall' | 'recorded'): Promise<Record<string, readonly Row[]>> {
  const root = join(folder, `whole-${from.archive}-${clock}`)
  await importIn(root, from, clock)
  return contents(root, clock)
}

/** Imports in this process, to the end. */
async function importIn(root: string, from: Archive, clock: 'wall' | 'recorded'): Promise<void> {
  const warehouse = await openWarehouse({ root, create: true })
  await importArchive({ ...from, clock, warehouse })
  await warehouse.close()
}

/** Commit points, counted from the start of each run, at which the runs on one warehouse end; a commit has four. */
const KILLS = sized({ wall: [4], recorded: [10] }, { wall: [3, 4, 7, 5], recorded: [1, 10, 27, 44, 60] })

describe.each(['wall', 'recorded'] as const)('%s clock', (clock) => {
  test('an import killed again and again ends in the rows of one that was not', { timeout: 180_000 }, async () => {
    const root = join(folder, `killed-${clock}`)
    for (const kill_at of KILLS[clock]) expect(await runUntil(root, forecasts, clock, kill_at)).toBe(false)
    await importIn(root, forecasts, clock)
    expect(await contents(root, clock)).toEqual(await uninterrupted(forecasts, clock))
  })
})

/** Two days of three venues: payloads of one minute are published together, the minutes of a day in one commit a table. */
async function simulated(): Promise<Archive> {
  const dir = join(folder, 'simulated')
  const options = {
    seed: String(SEED),
    start: toMicros('2026-01-05T00:00:00Z'),
    days: 2,
    markets: 2,
    interval: 900_000_000,
  }
  await simulateFiles({ options, venues: ['polymarket', 'kalshi', 'manifold'], dir })
  return { archive: 'payloads', dir }
}

/** Stamps of the rows of every commit, by table and version. */
async function stampCounts(root: string): Promise<{ commits: number; stamps: number }> {
  const warehouse = await openWarehouse({ root })
  let [commits, stamps] = [0, 0]
  for (const table of IMPORT_TABLES) commits += (await warehouse.log(table).snapshot()).files.length
  const session = await openReadSession(warehouse, { as_of: null })
  for (const table of IMPORT_TABLES) {
    const [row] = await session.query(`select count(distinct published_at)::integer as n from ${table}_history`)
    stamps += row!.n as number
  }
  await session.close()
  await warehouse.close()
  return { commits, stamps }
}

test('payloads under the recorded clock, killed within and between commits of many minutes', {
  timeout: 180_000,
}, async () => {
  const from = await simulated()
  const root = join(folder, 'killed-payloads')
  for (const kill_at of sized([7, 12], [2, 4, 7, 10, 13, 16]))
    expect(await runUntil(root, from, 'recorded', kill_at)).toBe(false)
  await importIn(root, from, 'recorded')
  expect(await contents(root, 'recorded')).toEqual(await uninterrupted(from, 'recorded'))
  const { commits, stamps } = await stampCounts(root)
  expect(commits).toBeLessThan(30)
  expect(stamps).toBeGreaterThan(20 * commits)
  const warehouse = await openWarehouse({ root })
  expect((await auditWarehouse({ warehouse })).violations).toEqual([])
  expect(await importArchive({ ...from, clock: 'recorded', warehouse })).toMatchObject({
    payloads_new: 0,
    records_new: 0,
    records_revised: 0,
    reference_records: 0,
    commits: 0,
  })
  await warehouse.close()
})

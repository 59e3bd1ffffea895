import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CommitVersions } from '../../../warehouse/reader/commit-versions.ts'
import { GROWING_TABLES, type GrowingTableName } from '../../../warehouse/reader/followed-tables.ts'
import { openIntakeEngine } from '../../../warehouse/reader/intake-engine.ts'
import { loadTable } from '../../../warehouse/reader/load-table.ts'
import { RECENT_LIMITS } from '../../../warehouse/reader/recent-commits.ts'
import { storeNewest } from '../../../warehouse/reader/stored-newest.ts'
import { TableMemory } from '../../../warehouse/reader/table-memory.ts'
import { fileVerifier } from '../../../warehouse/reader/verified-paths.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { SEED } from '../../support/seed.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { worldCommits, writeWorld } from './world.ts'

const COMMITS = 120

/** Loads a table as a reader does whose streams resume nothing; returns its memory and the files that it read. */
async function load(warehouse: Warehouse, table: GrowingTableName, { stored }: { stored: boolean }) {
  const engine = await openIntakeEngine()
  const log = warehouse.log(table)
  const memory = new TableMemory(table, RECENT_LIMITS)
  const files: string[] = []
  const verify = fileVerifier(warehouse.store)
  const { store } = warehouse
  await loadTable(memory, await log.snapshot(), {
    connection: await engine.connect(),
    versions: new CommitVersions(table, log.commit),
    verify: (asked) => {
      files.push(...asked.map(({ key }) => key))
      return verify(asked)
    },
    store: stored ? store : { ...store, get: async (key) => (key.startsWith('.derived') ? null : store.get(key)) },
    commit: log.commit,
    now_ms: Date.now(),
    recent_since_ms: Number.POSITIVE_INFINITY,
  })
  engine.close()
  return { memory, files }
}

function linesOf(memory: TableMemory): string[] {
  return memory
    .state()
    .map((line) => JSON.stringify(line))
    .sort()
}

test('a memory restored from a stored state and the rows since is that of all rows; a damaged state is not used', async () => {
  const commits = worldCommits(SEED, COMMITS)
  const warehouse = await openWarehouse({ root: join(tempFolder(), 'warehouse'), create: true })
  await writeWorld(warehouse, commits.slice(0, COMMITS / 2), new Map())
  for (const table of GROWING_TABLES) {
    const { memory } = await load(warehouse, table, { stored: true })
    if (memory.horizon === 0) continue
    const place = { table_id: memory.epoch, version: memory.version, stamp: memory.horizon }
    await storeNewest(memory, place, { store: warehouse.store, commit: warehouse.log(table).commit })
  }
  await writeWorld(warehouse, commits.slice(COMMITS / 2), new Map())
  let restored = 0
  for (const table of GROWING_TABLES) {
    const [ours, all] = [
      await load(warehouse, table, { stored: true }),
      await load(warehouse, table, { stored: false }),
    ]
    expect(linesOf(ours.memory)).toEqual(linesOf(all.memory))
    expect(ours.memory.head_seq).toBe(all.memory.head_seq)
    if (ours.files.length < all.files.length) restored += 1
  }
  expect(restored).toBeGreaterThan(3)

  const states = join(warehouse.root, '.derived/newest/market_quote')
  const file = join(states, readdirSync(states).find((name) => name.endsWith('.ndjson'))!)
  writeFileSync(file, readFileSync(file, 'utf8').replace('"seq":', '"seq":1'))
  const [damaged, all] = [
    await load(warehouse, 'market_quote', { stored: true }),
    await load(warehouse, 'market_quote', { stored: false }),
  ]
  expect(damaged.files).toEqual(all.files)
  expect(linesOf(damaged.memory)).toEqual(linesOf(all.memory))
  await warehouse.close()
})

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { formatMicros, toMicros } from '../../../primitives/instants.ts'
import { createCatalog } from '../../../warehouse/reader/catalog.ts'
import { stateAsOf } from '../../../warehouse/reader/catalog-state.ts'
import { FOLLOWED_TABLES, type FollowedTableName } from '../../../warehouse/reader/followed-tables.ts'
import { openReader } from '../../../warehouse/reader/open-reader.ts'
import type { Catalog, Reader } from '../../../warehouse/reader/reader.ts'
import { RECENT_LIMITS } from '../../../warehouse/reader/recent-commits.ts'
import { TableMemory } from '../../../warehouse/reader/table-memory.ts'
import { CATALOG_TABLES_OF } from '../../../warehouse/reader/used-tables.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { PATIENT_QUERIES } from '../../support/patient-queries.ts'
import { SEED } from '../../support/seed.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { commit, minuteMicros, quote } from '../read/quotes.ts'
import { type WorldCommit, worldCommits } from './world.ts'

const root = join(tempFolder(), 'warehouse')
let warehouse: Warehouse
let reader: Reader

beforeAll(async () => {
  warehouse = await openWarehouse({ root, create: true })
  await commit(warehouse, 1, [quote({ record_id: 'obs_1', market: 'a', source_minute: 1, received_minute: 1 })])
  reader = await openReader({ root, interval_ms: 20, limits: PATIENT_QUERIES })
})
afterAll(async () => {
  await reader.close()
  await warehouse.close()
})

async function sealed(): Promise<ReadonlyMap<string, number | null>> {
  const found = FOLLOWED_TABLES.map(async (table) => [table, await warehouse.log(table).closedThrough()] as const)
  return new Map(await Promise.all(found))
}

const filesOf = () => readdirSync(root, { recursive: true, encoding: 'utf8' })

/** Tables that were sealed during some work. */
async function sealedBy(work: () => Promise<unknown>): Promise<readonly string[]> {
  const before = await sealed()
  await work()
  return [...(await sealed())].flatMap(([table, through]) => (through === before.get(table) ? [] : [table])).sort()
}

/** The quotes and last trades of a price view. */
const quotesAt = (as_of: number) => async (pinned: Reader) => {
  const [quotes] = await Promise.all([pinned.history.quotes('mkt_a', as_of), pinned.history.lastTrades('mkt_a', as_of)])
  return quotes
}
const idsOf = (rows: readonly Row[]) => rows.map(({ record_id }) => record_id)

test('only the tables that the answer is made of are sealed', async () => {
  const at = minuteMicros(10)
  expect(await sealedBy(() => reader.asOf(at, quotesAt(at)))).toEqual(['market_quote', 'public_trade'])
  const readIndex = (pinned: Reader) => pinned.catalog(at).index('idx_a')
  expect(await sealedBy(() => reader.asOf(at, readIndex))).toEqual(['index_definition', 'index_version'])
  expect(await sealedBy(() => reader.asOf(at, quotesAt(at)))).toEqual([])
})

test('a refused read seals nothing', async () => {
  const at = minuteMicros(20)
  const refused = async (pinned: Reader) => {
    await quotesAt(at)(pinned)
    throw new Error('not found')
  }
  const work = () => expect(reader.asOf(at, refused)).rejects.toThrow('not found')
  expect(await sealedBy(work)).toEqual([])
})

test('reads as of instants near now share seals, and add no file', async () => {
  const now = await warehouse.now()
  const started = performance.now()
  await reader.asOf(now, quotesAt(now))
  const files = filesOf().length
  const seals = new Set<number | null>()
  for (let turn = 1; performance.now() - started < 2500 || seals.size < 2; turn++) {
    const instants = Array.from({ length: 20 }, (_, n) => now + turn * 20 + n)
    await Promise.all(instants.map((at) => reader.asOf(at, quotesAt(at))))
    seals.add(await warehouse.log('market_quote').closedThrough())
    await sleep(5)
  }
  const seconds = (performance.now() - started) / 1000
  // A timer may end a millisecond before its time.
  expect(seals.size).toBeLessThanOrEqual(Math.ceil(seconds * 1.001))
  expect(filesOf()).toHaveLength(files)
})

test('a reader between two rounds takes what an answer waits for at once', async () => {
  const patient = await openReader({ root, interval_ms: 60_000, limits: PATIENT_QUERIES })
  try {
    for (const [n, record_id] of ['obs_first', 'obs_second'].entries()) {
      const row = quote({ record_id, market: 'a', source_minute: 20 + n, received_minute: 20 + n })
      const step = { app_id: 'test', app_sequence: 4_000 + n, stamp: { kind: 'wall' }, operation: 'TEST' } as const
      await warehouse.append('market_quote', [row], step)
      const at = await warehouse.now()
      expect(idsOf(await patient.asOf(at, quotesAt(at)))).toContain(record_id)
    }
  } finally {
    await patient.close()
  }
})

test('an instant of a clock that is a little ahead is waited for, a later one is refused', async () => {
  const ahead = (await warehouse.now()) + 200_000
  expect(idsOf(await reader.asOf(ahead, quotesAt(ahead)))).not.toEqual([])
  expect(await warehouse.now()).toBeGreaterThan(ahead)
  const later = (await warehouse.now()) + 2_000_000
  await expect(reader.asOf(later, quotesAt(later))).rejects.toMatchObject({ code: 'VALIDATION_AS_OF_IN_FUTURE' })
})

test('a row that is published between the read and the seal is in the answer', async () => {
  let reads = 0
  const at = await warehouse.now()
  const stamp = { kind: 'recorded', at } as const
  const answer = await reader.asOf(at, async (pinned) => {
    const rows = await quotesAt(at)(pinned)
    reads += 1
    const late = quote({ record_id: 'obs_late', market: 'a', source_minute: 30, received_minute: 30 })
    if (reads === 1) {
      await warehouse.append('market_quote', [late], { app_id: 'late', app_sequence: 1, stamp, operation: 'TEST' })
    }
    return idsOf(rows)
  })
  expect([reads, answer]).toEqual([2, ['obs_late']])
})

test('a catalogue names the tables that each of its reads uses', () => {
  const used = new Set<FollowedTableName>()
  const commits = worldCommits(SEED, 200)
  const memories = new Map(FOLLOWED_TABLES.map((table) => [table, filledMemory(table, used, commits)]))
  const catalog = (): Catalog =>
    createCatalog(memories, stateAsOf(toMicros('2026-12-01T00:00:00Z')), () => {
      used.add('market_metric')
      return null
    })
  for (const [name, tables] of Object.entries(CATALOG_TABLES_OF)) {
    for (const keys of [[], ['idx_0', 'x'], ['mkt_0', 'x'], ['evt_0', 'x'], ['market_rating', 'x', 'x']]) {
      const fresh = catalog()
      used.clear()
      const read = fresh[name as keyof typeof CATALOG_TABLES_OF] as (...given: string[]) => unknown
      read(...keys)
      expect([name, [...used].filter((table) => !(tables as readonly string[]).includes(table))]).toEqual([name, []])
    }
  }
})

/** Memory of one table of a random world, which notes when one of its reference rows is asked for. */
function filledMemory(
  table: FollowedTableName,
  used: Set<FollowedTableName>,
  commits: readonly WorldCommit[],
): TableMemory {
  const memory = new TableMemory(table, RECENT_LIMITS)
  memory.loaded = true
  for (const [version, { table: of_table, at, rows }] of commits.entries()) {
    if (of_table !== table) continue
    memory.take(
      version,
      rows.map((row, row_ordinal) => ({ ...row, published_at: formatMicros(at), row_ordinal })),
    )
  }
  const { reference } = memory
  if (reference === null) return memory
  const noting = (known: object) =>
    new Proxy(known, {
      get(target, name) {
        used.add(table)
        const value = Reflect.get(target, name) as unknown
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  const wrapped = { knownAt: (at: number | null) => noting(reference.knownAt(at)) }
  return { loaded: true, horizon: memory.horizon, reference: wrapped } as unknown as TableMemory
}

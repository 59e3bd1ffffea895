import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatMicros, toMicros } from '../../../primitives/instants.ts'
import { buildIntervals } from '../../../warehouse/intervals/build-intervals.ts'
import { derivedFolder, type IntervalManifest, manifestPath } from '../../../warehouse/intervals/interval-files.ts'
import { snapshotSource } from '../../../warehouse/read/snapshot-source.ts'
import { openSourcesSession } from '../../../warehouse/read/sources-session.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { sized } from '../../support/sized.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { commit, MINUTE, minute, minuteMicros, quote } from './quotes.ts'

const folder = tempFolder()
let warehouses = 0

async function newWarehouse(): Promise<Warehouse> {
  warehouses += 1
  return openWarehouse({ root: join(folder, `warehouse-${warehouses}`), create: true })
}

/** Ids of the current rows by the two forms that DuckDB computes. */
async function currentIds(warehouse: Warehouse, as_of: number, form: 'window' | 'intervals'): Promise<string[]> {
  const snapshot = await warehouse.log('market_quote').snapshot()
  const source = await snapshotSource(warehouse, snapshot, as_of)
  if (form === 'intervals') expect(source.intervals).not.toBeNull()
  const session = await openSourcesSession([form === 'window' ? { ...source, intervals: null } : source], as_of)
  try {
    const rows = await session.query('select record_id from market_quote order by record_id')
    return rows.map((row) => row.record_id as string)
  } finally {
    await session.close()
  }
}

/** Methodology 4.13 in a few lines: per chain the greatest (received_at, revision, published_at, row_ordinal) known at T. */
type Stored = { readonly row: Row; readonly published: number; readonly ordinal: number }
function oracle(stored: readonly Stored[], as_of: number): string[] {
  const best = new Map<string, Stored>()
  const key = ({ row, published, ordinal }: Stored) => [
    toMicros(row.received_at),
    row.revision as number,
    published,
    ordinal,
  ]
  const greater = (a: number[], b: number[]) => a.map((n, i) => n - b[i]!).find((d) => d !== 0)! > 0
  for (const one of stored.filter(({ published }) => published <= as_of)) {
    const chain = JSON.stringify([one.row.source_series_id, one.row.source_market_id, one.row.source_at])
    const other = best.get(chain)
    if (other === undefined || greater(key(one), key(other))) best.set(chain, one)
  }
  return [...best.values()].map(({ row }) => row.record_id as string).sort()
}

/** Commits of rows over a handful of chains: late rows, revisions, equal keys, series that are null or not. */
type Fields = {
  market: string
  series: string | null
  source_minute: number
  received_minute: number
  revision: number
}
const ONE: Fields[] = [{ market: 'a', series: null, source_minute: 0, received_minute: 0, revision: 1 }]
const rowOf: fc.Arbitrary<Fields> = fc.record({
  market: fc.constantFrom('a', 'b'),
  series: fc.constantFrom(null, 's1'),
  source_minute: fc.constantFrom(0, 1),
  received_minute: fc.integer({ min: 0, max: 4 }),
  revision: fc.integer({ min: 1, max: 3 }),
})
const commitsOf = fc.array(fc.array(rowOf, { minLength: 1, maxLength: 5 }), { minLength: 2, maxLength: 7 })

test('window form, interval form and oracle agree at every instant, whatever the file covers', {
  timeout: 240_000,
}, async () => {
  const scenario = fc.record({ commits: commitsOf, covered: fc.nat(), compacted: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(scenario, async ({ commits, covered, compacted }) => {
      const warehouse = await newWarehouse()
      const stored: Stored[] = []
      const build_after = covered % commits.length
      for (const [at, rows] of commits.entries()) {
        const given = rows.map((fields, n) => quote({ record_id: `r${at}_${n}`, ...fields }))
        await commit(warehouse, 10 * (at + 1), given)
        for (const [ordinal, row] of given.entries())
          stored.push({ row, published: minuteMicros(10 * (at + 1)), ordinal })
        if (at === build_after) await buildIntervals(warehouse, 'market_quote')
      }
      if (compacted) await warehouse.log('market_quote').compact({ published_date: '2026-01-01' })
      for (let at = 0; at <= commits.length; at += 1) {
        const as_of = minuteMicros(10 * (at + 1)) - (at % 2) * MINUTE
        const expected = oracle(stored, as_of)
        expect(await currentIds(warehouse, as_of, 'window')).toEqual(expected)
        expect(await currentIds(warehouse, as_of, 'intervals')).toEqual(expected)
      }
      await warehouse.close()
    }),
    {
      numRuns: sized(5, 15),
      // Found once: a file merged after the build reaches over the covered instant, and as_of lies before it.
      examples: [[{ commits: [ONE, ONE, ONE], covered: 1, compacted: true }]],
    },
  )
})

test('a late row with an older received_at never becomes current, before or after the covered version', async () => {
  const warehouse = await newWarehouse()
  await commit(warehouse, 10, [quote({ record_id: 'new', market: 'a', received_minute: 5 })])
  await commit(warehouse, 20, [quote({ record_id: 'late', market: 'a', received_minute: 3, revision: 2 })])
  const manifest = await buildIntervals(warehouse, 'market_quote')
  expect(manifest?.rows).toBe(1)
  await commit(warehouse, 30, [quote({ record_id: 'later', market: 'a', received_minute: 4, revision: 3 })])
  for (const at of [10, 20, 30]) expect(await currentIds(warehouse, minuteMicros(at), 'intervals')).toEqual(['new'])
  await warehouse.close()
})

async function withBuilt(): Promise<{ warehouse: Warehouse; manifest: IntervalManifest }> {
  const warehouse = await newWarehouse()
  await commit(warehouse, 10, [quote({ record_id: 'first', market: 'a', received_minute: 5 })])
  await commit(warehouse, 20, [quote({ record_id: 'second', market: 'a', received_minute: 6, revision: 2 })])
  const manifest = await buildIntervals(warehouse, 'market_quote')
  return { warehouse, manifest: manifest! }
}

async function usesIntervals(warehouse: Warehouse): Promise<boolean> {
  const snapshot = await warehouse.log('market_quote').snapshot()
  return (await snapshotSource(warehouse, snapshot, minuteMicros(60))).intervals !== null
}

test('a damaged or foreign interval file is ignored, never believed', async () => {
  const { warehouse, manifest } = await withBuilt()
  const file = join(derivedFolder(warehouse.root, 'market_quote'), manifest.file)
  const statement = manifestPath(warehouse.root, 'market_quote')
  expect(await usesIntervals(warehouse)).toBe(true)
  const bytes = await readFile(file)
  const flipped = Buffer.from(bytes)
  flipped[bytes.length >> 1]! ^= 1
  await writeFile(file, flipped)
  expect(await usesIntervals(warehouse)).toBe(false)
  await writeFile(file, bytes.subarray(0, bytes.length - 1))
  expect(await usesIntervals(warehouse)).toBe(false)
  await writeFile(file, bytes)
  expect(await usesIntervals(warehouse)).toBe(true)
  const lies = [
    { table_id: 'another' },
    { version: manifest.version + 1 },
    { commit_sha256: '0'.repeat(64) },
    { schema_sha256: 'sha256:0' },
    { file: 'absent.parquet' },
  ]
  for (const lie of lies) {
    await writeFile(statement, JSON.stringify({ ...manifest, ...lie }))
    expect(await usesIntervals(warehouse), JSON.stringify(lie)).toBe(false)
  }
  await writeFile(statement, '{ half')
  expect(await usesIntervals(warehouse)).toBe(false)
  await warehouse.close()
})

test('an interval file of an earlier version is believed only while the log still has that version', async () => {
  const { warehouse, manifest } = await withBuilt()
  await commit(warehouse, 30, [quote({ record_id: 'third', market: 'a', received_minute: 7, revision: 3 })])
  expect(await usesIntervals(warehouse)).toBe(true)
  expect(await currentIds(warehouse, minuteMicros(30), 'intervals')).toEqual(['third'])
  await writeFile(
    manifestPath(warehouse.root, 'market_quote'),
    JSON.stringify({ ...manifest, commit_sha256: '0'.repeat(64) }),
  )
  expect(await usesIntervals(warehouse)).toBe(false)
  await warehouse.close()
})

test('the manifest states what it covers', async () => {
  const { warehouse, manifest } = await withBuilt()
  const snapshot = await warehouse.log('market_quote').snapshot()
  expect(manifest).toMatchObject({ version: snapshot.version, table_id: snapshot.table_id, rows: 2 })
  expect(formatMicros(manifest.covered_to)).toBe(minute(20))
  await warehouse.close()
})

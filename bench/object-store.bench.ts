/**
 * Measures the import of the recorded archive into a warehouse in an object store of this machine (versitygw) beside the same import into
 * a folder; then the first answer as of an instant on a machine without copies of the objects, and the next one with them.
 * Goals: the import at most 1.6 times that of the folder; a first answer under 5 s, the next under 1 s.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { importArchive } from '../operations/import/import-archive.ts'
import { invariant } from '../primitives/errors.ts'
import { toMicros } from '../primitives/instants.ts'
import { recordedData } from '../test/support/recorded-data.ts'
import { type StorePair, startStorePair } from '../test/support/versitygw.ts'
import { openReadSession } from '../warehouse/read/session.ts'
import { useObjectStores } from '../warehouse/store/s3/object-store-access.ts'
import { openWarehouse } from '../warehouse/warehouse.ts'
import type { BenchRow } from './bench-row.ts'
import { median, rounded } from './support/rounds.ts'

const ROUNDS = 3
const AS_OF = toMicros('2025-06-01T00:00:00Z')

export async function run(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-bench-'))
  const pair = await startStorePair(folder)
  try {
    const times: Times = { folder: [], store: [], cold: [], warm: [] }
    for (let round = 0; round < ROUNDS; round++) await measure(folder, pair, round, times)
    return rowsOf(times)
  } finally {
    await pair.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

type Times = Record<'folder' | 'store' | 'cold' | 'warm', number[]>

async function measure(folder: string, pair: StorePair, round: number, times: Times): Promise<void> {
  const machine = (name: string) => useObjectStores({ ...pair.access, folder: join(folder, `${name}-${round}`) })
  const roots = { folder: join(folder, `warehouse-${round}`), store: `s3://${pair.bucket}/warehouse-${round}` }
  machine('writer')
  for (const kind of ['folder', 'store'] as const) times[kind].push(await seconds(() => importInto(roots[kind])))
  const known = await answer(roots.folder)
  machine('reader')
  for (const kind of ['cold', 'warm'] as const) {
    times[kind].push(
      await seconds(async () => invariant((await answer(roots.store)) === known, 'both warehouses answer the same')),
    )
  }
}

async function importInto(root: string): Promise<void> {
  const warehouse = await openWarehouse({ root, create: true })
  try {
    await importArchive({ archive: 'forecastbench', dir: recordedData('forecastbench'), clock: 'recorded', warehouse })
  } finally {
    await warehouse.close()
  }
}

/** Returns the rows of the quotes and a checksum of them, as of an instant. */
async function answer(root: string): Promise<string> {
  const warehouse = await openWarehouse({ root })
  try {
    const session = await openReadSession(warehouse, { as_of: AS_OF, tables: ['market_quote'] })
    const rows = await session.query('select count(*) as n, bit_xor(hash(q)) as sum from market_quote_history as q')
    await session.close()
    return JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? String(value) : value))
  } finally {
    await warehouse.close()
  }
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now()
  await work()
  return (performance.now() - from) / 1000
}

function rowsOf({ folder, store, cold, warm }: Times): BenchRow[] {
  const row = (figure: string, values: readonly number[], at_most: number): BenchRow => {
    return {
      figure,
      value: rounded(median(values)),
      unit: 's',
      goal: { at_most },
      details: { rounds: values.map(rounded) },
    }
  }
  return [
    {
      figure: 'object_store.import_beside_folder',
      value: rounded(median(store) / median(folder)),
      unit: 'x',
      goal: { at_most: 1.6 },
      details: { store_seconds: store.map(rounded), folder_seconds: folder.map(rounded) },
    },
    row('object_store.as_of.cold', cold, 5),
    row('object_store.as_of.warm', warm, 1),
  ]
}

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { auditWarehouse } from '../../../operations/audit/audit-warehouse.ts'
import { toMicros } from '../../../primitives/instants.ts'
import { checkDigests } from '../../../warehouse/audit/check-digests.ts'
import { appendDigests, readDigests, type SealedDigest, sealedDigest } from '../../../warehouse/audit/digests.ts'
import { buildIntervals } from '../../../warehouse/intervals/build-intervals.ts'
import { openTableLog } from '../../../warehouse/log/table-log.ts'
import { fileColumns } from '../../../warehouse/parquet/file-columns.ts'
import { createParquetEngine } from '../../../warehouse/parquet/parquet-engine.ts'
import { openReadSession } from '../../../warehouse/read/session.ts'
import { snapshotSource } from '../../../warehouse/read/snapshot-source.ts'
import { columnNames } from '../../../warehouse/read/table-relations.ts'
import { LOG_COLUMNS, type Row } from '../../../warehouse/schema.ts'
import { openLocalStore } from '../../../warehouse/store/local-store.ts'
import { tableSchema } from '../../../warehouse/tables.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { afterTest, recorded, step, tempFolder } from '../log/fixtures.ts'

const AT = '2026-01-05T10:00:00.000000Z'
const PARAMETERS = {
  price_min: '0.010000000',
  price_max: '0.990000000',
  price_increment: '0.010000000',
  quantity_increment: null,
  minimum_quantity: '5.000000',
  settlement_asset_id: 'usd',
  shorting_permitted: false,
}
const market = (market_id: string, more: Row = {}): Row => ({
  market_id,
  revision: 1,
  event_id: 'evt_a',
  title: 'trading_parameters',
  outcome_type: 'binary',
  rules: {
    rules_version: null,
    resolution_question: 'Q?',
    resolution_sources: ['a', 'b'],
    resolution_criteria: null,
    dispute_policy_uri: null,
    timezone: null,
  },
  source_at: AT,
  received_at: AT,
  ...more,
})

/** A warehouse whose table `market` was written before it had trading_parameters: rows `old1` and `old2` in two files. */
async function olderWarehouse(): Promise<string> {
  const root = join(tempFolder(), 'warehouse')
  await (await openWarehouse({ root, create: true })).close()
  rmSync(join(root, 'market'), { recursive: true })
  const engine = createParquetEngine()
  const { trading_parameters: _, ...columns } = tableSchema('market').columns
  const log = openTableLog('market', {
    store: openLocalStore(root),
    engine,
    ports: {},
    writable: true,
    background: () => undefined,
    schema: { ...tableSchema('market'), columns },
  })
  await log.append([market('old1')], step(1, recorded('2026-01-05T11:00:00Z')))
  await log.append([market('old2')], step(2, recorded('2026-01-05T12:00:00Z')))
  return root
}

async function open(root: string): Promise<Warehouse> {
  const warehouse = await openWarehouse({ root })
  afterTest(() => warehouse.close())
  return warehouse
}

async function parameters(warehouse: Warehouse, as_of: string | null = null): Promise<unknown[]> {
  const session = await openReadSession(warehouse, { as_of: as_of === null ? null : toMicros(as_of) })
  try {
    const rows = await session.query('select market_id, trading_parameters, rules from market order by market_id')
    return rows.map((row) => [row.market_id, row.trading_parameters, (row.rules as Row).resolution_sources])
  } finally {
    await session.close()
  }
}

const OLD = [
  ['old1', null, ['a', 'b']],
  ['old2', null, ['a', 'b']],
]
const NEW = ['new', PARAMETERS, ['a', 'b']]

test('a column that the files of a table lack reads as null, before and after rows that have it', async () => {
  const warehouse = await open(await olderWarehouse())
  expect(await parameters(warehouse)).toEqual(OLD)
  const stamp = recorded('2026-01-06T10:00:00Z')
  await warehouse.append('market', [market('new', { trading_parameters: PARAMETERS })], step(3, stamp))
  expect(await parameters(warehouse)).toEqual([NEW, ...OLD])
  expect(await parameters(warehouse, '2026-01-05T11:30:00Z')).toEqual(OLD.slice(0, 1))
})

test('so it does through the interval file, and after a compaction', async () => {
  const warehouse = await open(await olderWarehouse())
  expect(await buildIntervals(warehouse, 'market')).toMatchObject({ rows: 2 })
  expect(await parameters(warehouse)).toEqual(OLD)
  const stamp = recorded('2026-01-06T10:00:00Z')
  await warehouse.append('market', [market('new', { trading_parameters: PARAMETERS })], step(3, stamp))
  expect(await parameters(warehouse)).toEqual([NEW, ...OLD])
  expect(await warehouse.log('market').compact()).toMatchObject([{ rows: 2, committed: true }])
  expect(await parameters(warehouse)).toEqual([NEW, ...OLD])
})

test('an audit asks again for what was answered before the table had the column', async () => {
  const warehouse = await open(await olderWarehouse())
  expect((await auditWarehouse({ warehouse })).violations).toEqual([])
  const { digests } = await readDigests(warehouse.store, 'market')
  expect(digests.map(({ columns }) => columns.includes('trading_parameters'))).toEqual([true, true])
  const stamp = recorded('2026-01-06T10:00:00Z')
  await warehouse.append('market', [market('new', { trading_parameters: PARAMETERS })], step(3, stamp))
  expect((await auditWarehouse({ warehouse })).violations).toEqual([])
})

test('a digest that names fewer columns is asked again of those alone; one that names none, of those there were then', async () => {
  const root = await olderWarehouse()
  const warehouse = await open(root)
  const snapshot = await warehouse.log('market').snapshot()
  const columns = columnNames('market').filter((name) => !['trading_parameters', 'complementary'].includes(name))
  const as_of = toMicros('2026-01-05T11:30:00Z')
  const source = await snapshotSource(warehouse, snapshot, as_of)
  const digest = await sealedDigest(source, snapshot.table_id!, as_of, columns)
  const { columns: _, ...unnamed } = digest
  await appendDigests(warehouse.store, 'market', [digest, unnamed as SealedDigest])
  const stamp = recorded('2026-01-06T10:00:00Z')
  await warehouse.append('market', [market('new', { trading_parameters: PARAMETERS })], step(3, stamp))
  expect(await checkDigests(warehouse, await warehouse.log('market').snapshot())).toEqual({
    checked: 2,
    violations: [],
  })
  await appendDigests(warehouse.store, 'market', [{ ...digest, visible_sha256: '0'.repeat(64) }])
  expect((await checkDigests(warehouse, snapshot)).violations).toMatchObject([{ rule: 'SEALED_AS_OF' }])
})

test('the columns of a file are read from its footer: nested names are none, texts like a column name neither', async () => {
  const warehouse = await open(await olderWarehouse())
  const log = warehouse.log('market')
  const [path] = await log.ensureVerified((await log.snapshot()).files)
  const { trading_parameters: _, ...columns } = tableSchema('market').columns
  expect([...fileColumns(path!)!]).toEqual(Object.keys({ ...columns, ...LOG_COLUMNS }))
  expect(fileColumns('/nowhere/part.parquet')).toBeNull()
})

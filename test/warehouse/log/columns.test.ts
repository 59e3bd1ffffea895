import { expect, test } from 'vitest'
import type { TestPorts } from '../../../warehouse/log/log-context.ts'
import { openTableLog, type TableLog } from '../../../warehouse/log/table-log.ts'
import { createParquetEngine } from '../../../warehouse/parquet/parquet-engine.ts'
import { decimal, type TableSchema } from '../../../warehouse/schema.ts'
import { openLocalStore } from '../../../warehouse/store/local-store.ts'
import { tableSchema } from '../../../warehouse/tables.ts'
import { linkRow, queryTable, step, testWarehouse } from './fixtures.ts'

/** The log of index_link as code with other columns opens it. */
function linkLog(root: string, columns: TableSchema['columns']): TableLog {
  const engine = createParquetEngine()
  const ports: TestPorts = {}
  const schema = { ...tableSchema('index_link'), columns }
  return openTableLog('index_link', {
    store: openLocalStore(root),
    engine,
    ports,
    writable: true,
    background: () => undefined,
    schema,
  })
}

test('a new column is added with the first append that knows it; it is null in older rows, also after a compaction', async () => {
  const warehouse = await testWarehouse()
  const old = await warehouse.append('index_link', [linkRow('old')], step(1))
  const log = linkLog(warehouse.root, { ...tableSchema('index_link').columns, note: 'VARCHAR' })
  const added = await log.append([linkRow('new', { note: 'first' })], step(2))
  expect(added.version).toBe(old.version + 2)
  const [today] = (await log.snapshot()).files
  expect(await log.compact({ published_date: today!.published_date })).toMatchObject([{ committed: true, rows: 2 }])
  expect((await log.verify()).violations).toEqual([])
  expect(
    await queryTable(
      warehouse,
      'index_link',
      'SELECT index_version_id AS id, note FROM rows ORDER BY row_ordinal, published_at',
    ),
  ).toEqual([
    { id: 'old', note: null },
    { id: 'new', note: 'first' },
  ])
})

test('a column that is gone, or of another type, is refused by name, and nothing is written', async () => {
  const warehouse = await testWarehouse()
  await warehouse.append('index_link', [linkRow('a')], step(1))
  const { composition_step: _, ...fewer } = tableSchema('index_link').columns
  const other = { ...tableSchema('index_link').columns, link_factor: decimal(18, 9) }
  for (const [columns, column] of [
    [fewer, 'composition_step'],
    [other, 'link_factor'],
  ] as const) {
    const refused = linkLog(warehouse.root, columns).append([linkRow('b')], step(2))
    await expect(refused).rejects.toMatchObject({
      code: 'WAREHOUSE_SCHEMA_CHANGED',
      facts: { table: 'index_link', column },
    })
  }
  expect((await warehouse.log('index_link').snapshot()).version).toBe(1)
})

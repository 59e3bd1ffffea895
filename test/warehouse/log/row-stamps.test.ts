import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toMicros } from '../../../primitives/instants.ts'
import { openTableLog } from '../../../warehouse/log/table-log.ts'
import { createParquetEngine, type ParquetEngine } from '../../../warehouse/parquet/parquet-engine.ts'
import { openLocalStore } from '../../../warehouse/store/local-store.ts'
import type { RowStamps } from '../../../warehouse/warehouse.ts'
import { sized } from '../../support/sized.ts'
import { answerAsOf, linkRow, linkRows, queryTable, recorded, step, tempFolder, testWarehouse } from './fixtures.ts'

const at = (time: string) => toMicros(`2026-01-17T${time}Z`)
const each = (...times: readonly string[]): RowStamps => ({ kind: 'recorded_rows', at: times.map(at) })

/** Ids of the rows that a question as of an instant sees. */
async function seen(warehouse: Awaited<ReturnType<typeof testWarehouse>>, as_of: string): Promise<unknown[]> {
  const sql = 'SELECT index_version_id AS id FROM rows ORDER BY published_at, row_ordinal'
  return (await queryTable(warehouse, 'index_link', sql, at(as_of))).map(({ id }) => id)
}

test('rows of one commit with stamps of their own: each is seen from its own instant on', async () => {
  const warehouse = await testWarehouse()
  const rows = ['d', 'a', 'c', 'b'].map((id) => linkRow(id))
  const stamp = each('10:00:59', '10:01:30', '10:01:30', '10:02:00.000001')
  const done = await warehouse.append('index_link', rows, step(1, stamp))
  expect(done).toMatchObject({ version: 1, rows: 4, published_at: '2026-01-17T10:02:00.000001Z' })
  expect(await seen(warehouse, '10:00:58.999999')).toEqual([])
  expect(await seen(warehouse, '10:00:59')).toEqual(['d'])
  expect(await seen(warehouse, '10:01:30')).toEqual(['d', 'a', 'c'])
  expect(await seen(warehouse, '10:02:00')).toEqual(['d', 'a', 'c'])
  expect(await seen(warehouse, '10:02:00.000001')).toEqual(['d', 'a', 'c', 'b'])
  const { files, head_stamp, sealed_through } = await warehouse.log('index_link').snapshot()
  expect(files.map((file) => [file.rows, file.stamp_min, file.stamp_max])).toEqual([
    [4, at('10:00:59'), at('10:02:00.000001')],
  ])
  expect([head_stamp, sealed_through]).toEqual([at('10:02:00.000001'), at('10:02:00.000001')])
  expect(JSON.parse(files[0]!.stats)).toMatchObject({
    minValues: { published_at: '2026-01-17T10:00:59Z' },
    maxValues: { published_at: '2026-01-17T10:02:00.000001Z' },
  })
  expect(await warehouse.append('index_link', rows, step(1, stamp))).toEqual({ ...done, already_done: true })
  expect((await warehouse.log('index_link').verify()).violations).toEqual([])
})

test('one stamp at or before what is published or sealed refuses the whole commit', async () => {
  const warehouse = await testWarehouse()
  await warehouse.append('index_link', [linkRow('a')], step(1, recorded('2026-01-17T10:00:00Z')))
  await warehouse.log('index_link').seal(at('10:05:00'))
  const late = warehouse.append('index_link', linkRows(3, 'b'), step(2, each('10:05:00', '10:06:00', '10:07:00')))
  await expect(late).rejects.toMatchObject({
    code: 'VALIDATION_CLOCK_REFUSED',
    facts: { at: '2026-01-17T10:05:00Z', head: '2026-01-17T10:05:00Z' },
  })
  expect((await warehouse.log('index_link').snapshot()).rows).toBe(1)
  await warehouse.append('index_link', linkRows(3, 'b'), step(2, each('10:05:00.000001', '10:06:00', '10:07:00')))
})

test.each([
  ['as many as rows', each('10:00:00'), '1 stamps for 2 rows'],
  ['in ascending order', each('10:00:01', '10:00:00'), 'do not ascend'],
  ['of one day', { kind: 'recorded_rows', at: [at('23:59:59'), at('23:59:59') + 1_000_000] }, 'several days'],
] as const)('stamps of rows are %s', async (_, stamp, refusal) => {
  const warehouse = await testWarehouse()
  const append = async () => warehouse.append('index_link', linkRows(2, 'x'), step(1, stamp))
  await expect(append()).rejects.toThrow(refusal)
})

test('property: however rows are cut into commits, every question as of an instant has one answer', async () => {
  const gaps = fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 12 })
  const asked = [0, 3, 7, 11, 40]
  await fc.assert(
    fc.asyncProperty(gaps, fc.nat({ max: 11 }), async (steps, cut) => {
      let last = at('10:00:00')
      const stamps = steps.map((gap) => (last += gap * 1_000_000))
      const rows = stamps.map((stamp, n) => ({ row: linkRow(`v${n}`), stamp }))
      const split = rows.findIndex(({ stamp }, n) => n >= cut && stamp > (rows[n - 1]?.stamp ?? 0))
      const parts = split <= 0 ? [rows] : [rows.slice(0, split), rows.slice(split)]
      const [whole, cut_up] = [await testWarehouse(), await testWarehouse()]
      const append = (warehouse: typeof whole, part: typeof rows, n: number) =>
        warehouse.append(
          'index_link',
          part.map(({ row }) => row),
          step(n, { kind: 'recorded_rows', at: part.map(({ stamp }) => stamp) }),
        )
      await append(whole, rows, 1)
      for (const [n, part] of parts.entries()) await append(cut_up, part, n + 1)
      const count = async (warehouse: typeof whole, seconds: number) =>
        (await answerAsOf(warehouse, at('10:00:00') + seconds * 1_000_000)).split(',')[0]
      for (const seconds of asked) expect(await count(cut_up, seconds)).toBe(await count(whole, seconds))
    }),
    { numRuns: sized(4, 12) },
  )
})

test('compaction of commits with many stamps changes no answer', async () => {
  const warehouse = await testWarehouse()
  for (const [n, hour] of ['10', '11', '12'].entries()) {
    await warehouse.append(
      'index_link',
      linkRows(3, hour),
      step(n + 1, each(`${hour}:00:01`, `${hour}:00:02`, `${hour}:59:59`)),
    )
  }
  const asked = ['10:00:01', '11:00:02', '12:00:01', '13:00:00'].map(at)
  const answers = () => Promise.all(asked.map((as_of) => answerAsOf(warehouse, as_of)))
  const before = await answers()
  await warehouse.log('index_link').compact({ published_date: '2026-01-17' })
  expect(await answers()).toEqual(before)
  expect((await warehouse.log('index_link').verify()).violations).toEqual([])
})

test('stamps that do not ascend with row_ordinal are found by the audit', async () => {
  const engine = createParquetEngine()
  const descending: ParquetEngine = {
    ...engine,
    writeRows: (batch, path) =>
      engine.writeRows({ ...batch, published_at: (batch.published_at as number[]).toReversed() }, path),
  }
  const store = openLocalStore(join(tempFolder(), 'warehouse'))
  const parts = { store, ports: {}, writable: true, background: () => undefined }
  const log = openTableLog('index_link', { ...parts, engine: descending })
  await log.append(linkRows(2, 'x'), step(1, each('10:00:00', '10:01:00')))
  const { violations } = await log.verify()
  expect(violations).toMatchObject([{ rule: 'STAMP_ORDER', detail: 'its stamps do not ascend with row_ordinal' }])
})

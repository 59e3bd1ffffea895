import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, test } from 'vitest'
import { tailTable } from '../../../operations/query/tail-table.ts'
import { compactWarehouse } from '../../../operations/upkeep/compact-warehouse.ts'
import { vacuumWarehouse } from '../../../operations/upkeep/vacuum-warehouse.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { BIN } from '../../support/run-cli.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { commit, minute, quote } from '../../warehouse/read/quotes.ts'

const folder = tempFolder()
let warehouses = 0

/** A warehouse with commits r1 at minute 10, r2 at 20, r3 at 30. */
async function withCommits(): Promise<Warehouse> {
  warehouses += 1
  const warehouse = await openWarehouse({ root: join(folder, `warehouse-${warehouses}`), create: true })
  for (const n of [1, 2, 3]) await commitOne(warehouse, n)
  return warehouse
}

const commitOne = (warehouse: Warehouse, n: number) =>
  commit(warehouse, 10 * n, [quote({ record_id: `r${n}`, market: `m${n}`, received_minute: n })])

async function idsSince(warehouse: Warehouse, from_version: number | null): Promise<unknown[]> {
  const ids: unknown[] = []
  for await (const row of tailTable({ warehouse, table: 'market_quote', from_version, once: true }))
    ids.push(row.record_id)
  return ids
}

describe('rows after a version, once each, in the order of publication', () => {
  test.each([
    [-1, ['r1', 'r2', 'r3']],
    [0, ['r1', 'r2', 'r3']],
    [1, ['r2', 'r3']],
    [3, []],
    [null, []],
  ])('after version %s', async (from_version, ids) => {
    const warehouse = await withCommits()
    expect(await idsSince(warehouse, from_version)).toEqual(ids)
    await warehouse.close()
  })

  test('compaction and vacuum neither repeat nor hide a row', async () => {
    const warehouse = await withCommits()
    await warehouse.log('market_quote').compact({ published_date: '2026-01-01' })
    await compactWarehouse({ warehouse })
    await vacuumWarehouse({ warehouse, retention: 'PT0S', dry_run: false })
    expect(await idsSince(warehouse, 0)).toEqual(['r1', 'r2', 'r3'])
    expect(await idsSince(warehouse, 1)).toEqual(['r2', 'r3'])
    expect(await idsSince(warehouse, null)).toEqual([])
    await warehouse.close()
  })

  test('a row has the form of every other reader', async () => {
    const warehouse = await withCommits()
    const { value } = await tailTable({ warehouse, table: 'market_quote', from_version: 2, once: true }).next()
    expect(value).toMatchObject({
      record_id: 'r3',
      reported_probability: '0.500000000',
      published_at: minute(30),
      row_ordinal: 0,
    })
    await warehouse.close()
  })
})

test('follows what comes until it is stopped; a seal and a compaction are no rows', async () => {
  const warehouse = await withCommits()
  const stop = new AbortController()
  const rows = tailTable({ warehouse, table: 'market_quote', from_version: null, once: false, signal: stop.signal })
  const next = rows.next()
  await warehouse.log('market_quote').compact({ published_date: '2026-01-01' })
  await commitOne(warehouse, 4)
  expect((await next).value).toMatchObject({ record_id: 'r4' })
  const end = rows.next()
  stop.abort()
  expect(await end).toEqual({ value: undefined, done: true })
  await warehouse.close()
})

test.each([
  [{ table: 'nothing', from_version: null }, 'table is nothing; allowed: venue_payload, market_quote, '],
  [{ table: 'market_quote', from_version: 9 }, 'from-version is 9; allowed: a log version up to 3'],
])('%j is refused', async (given, message) => {
  const warehouse = await withCommits()
  const first = tailTable({ warehouse, once: true, ...given }).next()
  await expect(first).rejects.toMatchObject({
    code: 'VALIDATION_USAGE_INVALID',
    message: expect.stringContaining(message),
  })
  await warehouse.close()
})

test('a commit is seen by another process within a second', async () => {
  const warehouse = await withCommits()
  const child = spawn(process.execPath, [
    BIN,
    'tail',
    'market_quote',
    '--from-version',
    '2',
    '--warehouse',
    warehouse.root,
  ])
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  expect(JSON.parse((await lines.next()).value as string)).toMatchObject({ record_id: 'r3' })
  // The system may let the process wait for longer now and then; the test's time is the bound.
  for (let n = 4, delay_ms = Number.POSITIVE_INFINITY; n < 7 || delay_ms >= 1_000; n += 1) {
    await commitOne(warehouse, n)
    const committed = Date.now()
    expect(JSON.parse((await lines.next()).value as string)).toMatchObject({ record_id: `r${n}` })
    delay_ms = Math.min(delay_ms, Date.now() - committed)
  }
  child.kill('SIGINT')
  await new Promise((resolve) => child.on('close', resolve))
  await warehouse.close()
})

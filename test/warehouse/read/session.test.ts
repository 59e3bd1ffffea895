import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openReadSession } from '../../../warehouse/read/session.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { commit, minuteMicros, quote } from './quotes.ts'

const folder = tempFolder()
let warehouses = 0

async function newWarehouse(): Promise<Warehouse> {
  warehouses += 1
  const warehouse = await openWarehouse({ root: join(folder, `warehouse-${warehouses}`), create: true })
  await commit(warehouse, 10, [quote({ record_id: 'a', market: 'a', received_minute: 5 })])
  return warehouse
}

const sealed = async (warehouse: Warehouse, table: 'market_quote' | 'event') =>
  (await warehouse.log(table).snapshot()).sealed_through

describe('pinning', () => {
  test('an explicit as_of seals the named tables through it, no other', async () => {
    const warehouse = await newWarehouse()
    const session = await openReadSession(warehouse, { as_of: minuteMicros(50), tables: ['market_quote'] })
    expect(session.as_of).toBe(minuteMicros(50))
    expect(await sealed(warehouse, 'market_quote')).toBe(minuteMicros(50))
    expect(await sealed(warehouse, 'event')).toBeNull()
    await session.close()
    await warehouse.close()
  })

  test('an as_of that is published already needs no seal', async () => {
    const warehouse = await newWarehouse()
    const { version } = await warehouse.log('market_quote').snapshot()
    await (await openReadSession(warehouse, { as_of: minuteMicros(10), tables: ['market_quote'] })).close()
    expect((await warehouse.log('market_quote').snapshot()).version).toBe(version)
    await warehouse.close()
  })

  test('now and pin: false seal nothing', async () => {
    const warehouse = await newWarehouse()
    await (await openReadSession(warehouse, { as_of: null })).close()
    await (await openReadSession(warehouse, { as_of: minuteMicros(50), pin: false })).close()
    expect(await sealed(warehouse, 'market_quote')).toBe(minuteMicros(10))
    await warehouse.close()
  })

  test('a future as_of is refused, pinned or not', async () => {
    const warehouse = await newWarehouse()
    const as_of = (await warehouse.now()) + 3_600_000_000
    for (const pin of [true, false]) {
      await expect(openReadSession(warehouse, { as_of, pin })).rejects.toMatchObject({
        code: 'VALIDATION_AS_OF_IN_FUTURE',
      })
    }
    await warehouse.close()
  })
})

test('now shows what is committed even where its stamp is ahead of the clock', async () => {
  const behind = async () => minuteMicros(1)
  const root = join(folder, 'behind')
  const ports = { now: behind, without_clock_guards: true }
  const warehouse = await openWarehouse({ root, create: true, ports })
  await commit(warehouse, 10, [quote({ record_id: 'a', market: 'a', received_minute: 5 })])
  const session = await openReadSession(warehouse, { as_of: null, tables: ['market_quote'] })
  expect(session.as_of).toBe(minuteMicros(10))
  expect(await session.query('select record_id from market_quote')).toEqual([{ record_id: 'a' }])
  await session.close()
  await warehouse.close()
})

test('a session shows one snapshot: later commits do not appear in it', async () => {
  const warehouse = await newWarehouse()
  const session = await openReadSession(warehouse, { as_of: null, tables: ['market_quote'] })
  await commit(warehouse, 20, [quote({ record_id: 'b', market: 'b', received_minute: 6 })])
  expect(await session.query('select record_id from market_quote')).toEqual([{ record_id: 'a' }])
  await session.close()
  await warehouse.close()
})

test('a damaged data file is named before one of its rows is served', async () => {
  const written = await newWarehouse()
  await written.close()
  const warehouse = await openWarehouse({ root: written.root })
  const [file] = (await warehouse.log('market_quote').snapshot()).files
  const path = join(warehouse.root, file!.key)
  const bytes = readFileSync(path)
  bytes[bytes.length >> 1]! ^= 4
  chmodSync(path, 0o600)
  writeFileSync(path, bytes)
  const opened = openReadSession(warehouse, { as_of: null, tables: ['market_quote'] })
  await expect(opened).rejects.toMatchObject({ code: 'WAREHOUSE_CORRUPT', message: expect.stringContaining(file!.key) })
  const other = await openReadSession(warehouse, { as_of: null, tables: ['hazard_alert'] })
  expect(await other.query('select count(*) as n from hazard_alert')).toEqual([{ n: 0 }])
  await other.close()
  await warehouse.close()
})

test('parameters: texts, numbers, null and lists of texts, also empty ones', async () => {
  const warehouse = await newWarehouse()
  const session = await openReadSession(warehouse, { as_of: null, tables: ['market_quote'] })
  const sql = 'select count(*) as n from market_quote where list_contains($ids, record_id) and $flag and revision = $n'
  expect(await session.query(sql, { ids: ['a', 'b'], flag: true, n: 1 })).toEqual([{ n: 1 }])
  expect(await session.query(sql, { ids: [], flag: true, n: 1 })).toEqual([{ n: 0 }])
  expect(await session.query('select $x::varchar is null as missing', { x: null })).toEqual([{ missing: true }])
  await session.close()
  await warehouse.close()
})

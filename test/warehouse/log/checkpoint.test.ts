import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openLocalStore } from '../../../warehouse/store/local-store.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { afterTest, linkRow, step, testWarehouse } from './fixtures.ts'

/** A second opening of the same folder that counts what it reads, as another process would do it. */
async function coldStart(root: string): Promise<{ warehouse: Warehouse; reads: string[] }> {
  const reads: string[] = []
  const store = openLocalStore(root)
  const counting = {
    ...store,
    get: (key: string) => {
      reads.push(key)
      return store.get(key)
    },
  }
  const warehouse = await openWarehouse({ root, ports: { store: counting } })
  afterTest(() => warehouse.close())
  return { warehouse, reads }
}

async function warehouseWith(commits: number): Promise<Warehouse> {
  const warehouse = await testWarehouse()
  for (let i = 1; i <= commits; i++)
    await warehouse.append('index_link', [linkRow(`v${i}`)], step(i, { kind: 'wall' }, `app${i % 3}`))
  return warehouse
}

const logFolder = (warehouse: Warehouse) => join(warehouse.root, 'index_link', '_delta_log')

test('the fiftieth version is followed by a checkpoint, off the commit path', async () => {
  const warehouse = await warehouseWith(50)
  await warehouse.close()
  const names = readdirSync(logFolder(warehouse)).filter((name) => !name.endsWith('.json'))
  expect(names).toEqual(['00000000000000000050.checkpoint.parquet', '_last_checkpoint'])
  expect(JSON.parse(readFileSync(join(logFolder(warehouse), '_last_checkpoint'), 'utf8'))).toMatchObject({
    version: 50,
    numOfAddFiles: 50,
  })
})

test('a start from a checkpoint gives the very snapshot that all commits give, and opens no older commit', async () => {
  const warehouse = await warehouseWith(12)
  const log = warehouse.log('index_link')
  await log.compact({ published_date: (await log.snapshot()).files[0]!.published_date })
  await log.checkpoint()
  await warehouse.append('index_link', [linkRow('later')], step(99))
  await log.seal(await warehouse.now())
  const cold = await coldStart(warehouse.root)
  expect(await cold.warehouse.log('index_link').snapshot()).toEqual(await log.snapshot())
  const commits = cold.reads.filter((key) => /index_link.*\d\.json$/.test(key)).map((key) => Number(key.slice(-25, -5)))
  expect(commits).toEqual([14, 15, 16])
  expect((await log.verify()).violations).toEqual([])
})

test('a checkpoint lists replaced files until vacuum has deleted them', async () => {
  const warehouse = await warehouseWith(12)
  const log = warehouse.log('index_link')
  const [protocol_meta_and_clock, app_ids] = [3, 3]
  const tombstones = async () => {
    await log.checkpoint()
    const last = JSON.parse(readFileSync(join(logFolder(warehouse), '_last_checkpoint'), 'utf8'))
    return last.size - last.numOfAddFiles - protocol_meta_and_clock - app_ids
  }
  await log.compact({ published_date: (await log.snapshot()).files[0]!.published_date })
  expect(await tombstones()).toBe(12)
  await log.vacuum({ retention_ms: 0 })
  await warehouse.append('index_link', [linkRow('later')], step(13, { kind: 'wall' }, 'app1'))
  expect(await tombstones()).toBe(0)
})

test('the checkpoint keeps who committed what and what is sealed: a retry after a cold start is done already', async () => {
  const warehouse = await warehouseWith(6)
  const log = warehouse.log('index_link')
  const sealed = await log.seal(await warehouse.now())
  await log.checkpoint()
  const { warehouse: cold } = await coldStart(warehouse.root)
  const again = await cold.append('index_link', [linkRow('v5')], step(5, { kind: 'wall' }, 'app2'))
  expect(again).toMatchObject({ already_done: true, version: 5 })
  const next = await cold.append('index_link', [linkRow('new')], step(7, { kind: 'wall' }, 'app2'))
  expect(next.version).toBe(8)
  expect((await cold.log('index_link').snapshot()).sealed_through).toBeGreaterThan(sealed.sealed_through!)
})

test.each([
  ['the checkpoint is cut', '.checkpoint.parquet', (bytes: Buffer) => bytes.subarray(0, bytes.length - 40)],
  ['a byte of the checkpoint is flipped', '.checkpoint.parquet', flip],
  ['the pointer to it is no JSON', '_last_checkpoint', () => Buffer.from('{"version":')],
  [
    'the pointer names another version',
    '_last_checkpoint',
    (bytes: Buffer) => Buffer.from(bytes.toString().replace('"version":6', '"version":4')),
  ],
])('%s: a start passes it over, an audit names it', async (_, ending, damage) => {
  const warehouse = await warehouseWith(6)
  const log = warehouse.log('index_link')
  await log.checkpoint()
  const name = readdirSync(logFolder(warehouse)).find((file) => file.endsWith(ending))!
  const path = join(logFolder(warehouse), name)
  writeFileSync(path, damage(readFileSync(path)))
  const { warehouse: cold } = await coldStart(warehouse.root)
  expect(await cold.log('index_link').snapshot()).toEqual(await log.snapshot())
  const { violations } = await cold.log('index_link').verify()
  expect(violations.map(({ rule }) => rule)).toEqual(['CHECKPOINT_DAMAGED'])
})

function flip(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes)
  copy[copy.length >> 1]! ^= 1
  return copy
}

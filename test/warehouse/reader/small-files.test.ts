import { writeFileSync } from 'node:fs'
import { link, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { openMemoryDatabase, readRows } from '../../../warehouse/duckdb/memory-database.ts'
import { fromNewest, historySource } from '../../../warehouse/reader/history/history-source.ts'
import { QUERY_LIMITS } from '../../../warehouse/reader/history/query-limits.ts'
import { openQueryPool } from '../../../warehouse/reader/history/query-pool.ts'
import { type QueryWorker, startQueryWorker } from '../../../warehouse/reader/history/query-worker.ts'
import { readPage } from '../../../warehouse/reader/history/read-page.ts'
import { marketSeries } from '../../../warehouse/reader/history/series.ts'
import { keptRelation, SmallFiles, smallFiles } from '../../../warehouse/reader/history/small-files.ts'
import type { HistoryPage } from '../../../warehouse/reader/reader.ts'
import { fileVerifier } from '../../../warehouse/reader/verified-paths.ts'
import { openLocalStore } from '../../../warehouse/store/local-store.ts'
import { openWarehouse, type Snapshot, type Warehouse } from '../../../warehouse/warehouse.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { commit, minuteMicros, quote } from '../read/quotes.ts'

const folder = tempFolder()
const open: { close(): unknown }[] = []
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close()
})

const q = (n: number) => quote({ record_id: `obs_${n}`, market: 'a', source_minute: n, received_minute: n })

/** A warehouse with commits of one quote each, and one of twenty. */
async function quotes(name: string): Promise<{ root: string; warehouse: Warehouse; first: Snapshot }> {
  const root = join(folder, name)
  const warehouse = await openWarehouse({ root, create: true })
  open.push(warehouse)
  for (const n of [1, 2, 3]) await commit(warehouse, n, [q(n)])
  const many = Array.from({ length: 20 }, (_, place) => q(4 + place))
  await commit(warehouse, 30, many)
  return { root, warehouse, first: await warehouse.log('market_quote').snapshot() }
}

const PAGE: HistoryPage = {
  time_domain: 'published',
  start: null,
  end: null,
  after: null,
  limit: 100,
  quality_state: null,
  include_corrections: false,
  as_of: minuteMicros(1000),
}
const SERIES = marketSeries({ market_id: 'mkt_a', outcome_id: null, field: null, trades: true })

describe('small files', () => {
  test('of up to so many rows, as long as they have not too many in all', async () => {
    const { first } = await quotes('which')
    expect(smallFiles(first.files, 1).map(({ rows }) => rows)).toEqual([1, 1, 1])
    expect(smallFiles(first.files, 20)).toHaveLength(4)
    const large = first.files.map((file) => ({ ...file, rows: 10_000 }))
    expect(smallFiles(large.slice(0, 2), 10_000)).toHaveLength(2)
    expect(smallFiles(large.slice(0, 3), 10_000)).toEqual([])
  })

  test('are read once, and give the rows of the files asked for', async () => {
    const { root, first } = await quotes('once')
    const paths = first.files.map(({ key }) => join(root, key))
    const { connection, close } = await openMemoryDatabase()
    open.push({ close })
    const small = new SmallFiles(connection)
    const idsOf = async (some: readonly string[]) => {
      await small.keep({ table: 'market_quote', paths: some })
      const rows = await readRows(connection, `from ${keptRelation('market_quote', some)} order by record_id`)
      return rows.map(({ record_id }) => record_id)
    }
    expect(await idsOf(paths.slice(0, 2))).toEqual(['obs_1', 'obs_2'])
    expect(await idsOf(paths.slice(1, 3))).toEqual(['obs_2', 'obs_3'])
    await rm(paths[1]!)
    expect(await idsOf(paths.slice(0, 3))).toEqual(['obs_1', 'obs_2', 'obs_3'])
    await expect(small.keep({ table: 'market_quote', paths: [`${paths[1]}.other`] })).rejects.toThrow()
    expect(await idsOf([paths[2]!])).toEqual(['obs_3'])
  })
})

describe('many small files', () => {
  test('are kept in pieces, and each but the last is reported', async () => {
    const { root, first } = await quotes('many')
    const links = Array.from({ length: 70 }, (_, n) => join(root, `link_${n}.parquet`))
    await Promise.all(links.map((path) => link(join(root, first.files[0]!.key), path)))
    const { connection, close } = await openMemoryDatabase()
    open.push({ close })
    const kept: number[] = []
    const small = new SmallFiles(connection)
    const count = async () =>
      (await readRows(connection, `select * from ${keptRelation('market_quote', links)}`)).length
    await small.keep({ table: 'market_quote', paths: links }, () => kept.push(kept.length))
    expect([kept.length, await count()]).toEqual([2, 70])
  })

  test('take longer than a query may, as long as each piece of them does not', async () => {
    const script = join(folder, 'slow.mjs')
    const slowly = `for (let n = 0; n < 8; n += 1) { await new Promise((done) => setTimeout(done, 500)); process.send({ id, kept: true }) }`
    const answer = 'process.send({ id, ok: true, rows: [] })'
    writeFileSync(
      script,
      `process.on('message', async ({ id }) => { ${slowly} ${answer} }); process.send({ ready: true })`,
    )
    let worker: QueryWorker
    const rows = await new Promise((resolve, reject) => {
      const onFree = () =>
        worker.isFree() && worker.run({ text: { sql: '', params: {}, kept: null }, done: { resolve, reject } })
      worker = startQueryWorker({ ...QUERY_LIMITS, time_ms: 3_000 }, { onFree, onExit: () => undefined }, script)
    }).finally(() => worker.end())
    expect(rows).toEqual([])
  })
})

describe('a file that a compaction replaced and a vacuum deleted while it was to be read', () => {
  const sourceOf = (root: string, snapshot: () => Promise<Snapshot>) => {
    const pool = openQueryPool({ ...QUERY_LIMITS, processes: 1, time_ms: 60_000 })
    open.push(pool)
    return historySource(snapshot, fileVerifier(openLocalStore(root)), pool, 1)
  }

  test('is read from the version that replaced it', async () => {
    const { root, warehouse, first } = await quotes('replaced')
    const log = warehouse.log('market_quote')
    await log.compact({ published_date: first.files[0]!.published_date })
    await log.vacuum({ retention_ms: 0 })
    const asked: Snapshot[] = []
    const source = sourceOf(root, async () => {
      asked.push(asked.length === 0 ? first : await log.snapshot())
      return asked.at(-1)!
    })
    const rows = await fromNewest(() => readPage(source, SERIES.slice(0, 1), PAGE))
    expect(rows).toHaveLength(23)
    expect(asked[0]!.files).toHaveLength(4)
    expect(asked.at(-1)!.files).toHaveLength(1)
  })

  test('is told to be asked for again when that one is gone too', async () => {
    const { root, warehouse, first } = await quotes('gone')
    const log = warehouse.log('market_quote')
    await log.compact({ published_date: first.files[0]!.published_date })
    await log.vacuum({ retention_ms: 0 })
    let asked = 0
    const source = sourceOf(root, async () => {
      asked += 1
      return asked % 2 === 1 ? first : log.snapshot()
    })
    const read = fromNewest(() => readPage(source, SERIES.slice(0, 1), PAGE))
    const refused = expect.objectContaining({ file: expect.stringMatching(/^market_quote\//) })
    await expect(read).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', facts: refused })
    const error = await read.catch((reason: { facts: { file: string } }) => reason)
    // All of them are gone; which one is met first is not said.
    expect(first.files.map(({ key }) => key)).toContain((error as { facts: { file: string } }).facts.file)
    expect(asked).toBe(4)
  })

  test('is not confused with one that is missing', async () => {
    const { root, warehouse, first } = await quotes('missing')
    await rm(join(root, first.files[0]!.key))
    const source = sourceOf(root, () => warehouse.log('market_quote').snapshot())
    const read = fromNewest(() => readPage(source, SERIES.slice(0, 1), PAGE))
    await expect(read).rejects.toMatchObject({ code: 'WAREHOUSE_CORRUPT', facts: { file: first.files[0]!.key } })
  })
})

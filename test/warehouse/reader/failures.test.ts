import { cp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { toMicros } from '../../../primitives/instants.ts'
import { QUERY_LIMITS } from '../../../warehouse/reader/history/query-limits.ts'
import { openQueryPool } from '../../../warehouse/reader/history/query-pool.ts'
import { openReader } from '../../../warehouse/reader/open-reader.ts'
import type { HistoryPage, Reader } from '../../../warehouse/reader/reader.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { refusal } from '../../support/refusal.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { commit, minuteMicros, quote } from '../read/quotes.ts'

const folder = tempFolder()
const open: { close(): unknown }[] = []
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close()
})

let count = 0
const newRoot = () => {
  count += 1
  return join(folder, `warehouse-${count}`)
}

async function create(root: string): Promise<Warehouse> {
  const warehouse = await openWarehouse({ root, create: true })
  open.push(warehouse)
  return warehouse
}

async function follow(root: string, processes = 0): Promise<Reader> {
  const reader = await openReader({ root, interval_ms: 20, limits: { ...QUERY_LIMITS, processes, time_ms: 30_000 } })
  open.push(reader)
  return reader
}

/** Waits for what another part of the process is about to do; fails by the test's own time limit. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(10)
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
const read = (reader: Reader, market_id: string) =>
  reader.history.marketObservations({ market_id, outcome_id: null, field: null, trades: true }, PAGE)

const q = (n: number, market = 'a') =>
  quote({ record_id: `obs_${market}_${n}`, market, source_minute: n, received_minute: n })
const quotesOf = (reader: Reader, market = 'mkt_a') => reader.latest.quotes(market).map(({ row }) => row.record_id)

/** Replaces the last byte but a few of a file, and gives what puts it back. */
async function damage(path: string): Promise<() => Promise<void>> {
  const bytes = await readFile(path)
  const changed = Buffer.from(bytes)
  const place = changed.length >> 1
  changed[place] = changed[place]! ^ 0xff
  await writeFile(path, changed)
  return () => writeFile(path, bytes)
}

async function dataFiles(root: string, table: string): Promise<string[]> {
  const names = await readdir(join(root, table), { recursive: true })
  return names
    .filter((name) => name.endsWith('.zstd.parquet'))
    .sort()
    .map((name) => join(root, table, name))
}

describe('a warehouse that cannot be followed', () => {
  test('one that does not exist yet is waited for', async () => {
    const root = newRoot()
    const reader = await follow(root)
    expect(reader.status()).toMatchObject({
      phase: 'starting',
      reason: expect.stringContaining('there is no warehouse in'),
    })
    refusal('SERVICE_UNAVAILABLE', () => reader.catalog(null))
    refusal('SERVICE_UNAVAILABLE', () => reader.latest.quotes('mkt_a'))
    await expect(read(reader, 'mkt_a')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    const warehouse = await create(root)
    await until(() => reader.status().phase === 'ready')
    expect(reader.status()).toMatchObject({ stale_since: null, reason: null })
    await commit(warehouse, 1, [q(1)])
    await until(() => quotesOf(reader).length === 1)
  })

  test('versions whose commits and files were removed before it read them are followed all the same', async () => {
    const root = newRoot()
    const warehouse = await create(root)
    await commit(warehouse, 1, [q(1)])
    const limits = { ...QUERY_LIMITS, processes: 0 }
    const reader = await openReader({ root, interval_ms: 5000, limits })
    open.push(reader)
    const followed: unknown[] = []
    reader.feed.subscribe(({ rows }) => followed.push(...rows.map(({ row }) => row.record_id)))
    const log = warehouse.log('market_quote')
    for (const n of [2, 3, 4, 5]) {
      await commit(warehouse, n, [q(n)])
      await log.checkpoint()
    }
    await log.compact({ published_date: '2026-01-01' })
    await log.vacuum({ retention_ms: 0 })
    expect((await log.snapshot()).files).toHaveLength(1)
    await until(() => followed.length === 4)
    expect(followed).toEqual(['obs_a_2', 'obs_a_3', 'obs_a_4', 'obs_a_5'])
    expect(reader.status().phase).toBe('ready')
  })

  test('a damaged log file makes it stale, what is in memory stays, and it recovers when the file is back', async () => {
    const root = newRoot()
    const warehouse = await create(root)
    await commit(warehouse, 1, [q(1)])
    const reader = await follow(root, 1)
    const told: string[] = []
    reader.feed.onStatus(({ phase }) => told.push(phase))
    const next = join(root, 'market_quote/_delta_log/00000000000000000002.json')
    await writeFile(`${root}.next`, 'no commit')
    await rename(`${root}.next`, next) // there with all its bytes, or not at all
    await until(() => reader.status().phase === 'stale')
    expect(reader.status().reason).toBe(
      'log file market_quote/_delta_log/00000000000000000002.json is damaged: it has no commit_sha256',
    )
    expect(toMicros(reader.status().stale_since)).toBeGreaterThan(minuteMicros(0))
    expect(quotesOf(reader)).toEqual(['obs_a_1'])
    expect(await read(reader, 'mkt_a')).toHaveLength(1) // of the last version that could be read
    await rm(next)
    await until(() => reader.status().phase === 'ready')
    await commit(warehouse, 2, [q(2)])
    await until(() => quotesOf(reader)[0] === 'obs_a_2')
    expect(told).toEqual(['stale', 'ready'])
  })

  test('a damaged data file of a new commit is named, and the commit is taken in when the file is whole', async () => {
    const root = newRoot()
    await create(root)
    const slow = await openReader({ root, interval_ms: 400, limits: { ...QUERY_LIMITS, processes: 0 } })
    open.push(slow)
    let repair: () => Promise<void> = async () => undefined
    // Before the commit is there: no reader sees the file whole.
    const reach = async (point: string) => {
      if (point === 'data-written') repair = await damage((await dataFiles(root, 'market_quote'))[0]!)
    }
    const damaging = await openWarehouse({ root, ports: { reach } })
    open.push(damaging)
    await commit(damaging, 1, [q(1)])
    await until(() => slow.status().phase === 'stale')
    expect(slow.status().reason).toMatch(/^data file market_quote\/published_date=.* is damaged: /)
    expect(quotesOf(slow)).toEqual([])
    const commits: number[] = []
    slow.feed.subscribe(({ version }) => commits.push(version))
    await repair()
    await until(() => slow.status().phase === 'ready')
    expect(quotesOf(slow)).toEqual(['obs_a_1'])
    expect(commits).toEqual([1])
  })

  test('a table that is damaged at the start is refused, others are served, and it recovers', async () => {
    const root = newRoot()
    const warehouse = await create(root)
    await commit(warehouse, 1, [q(1)])
    const [file] = await dataFiles(root, 'market_quote')
    const repair = await damage(file!)
    const reader = await follow(root)
    await until(() => reader.status().phase !== 'starting')
    expect(reader.status()).toMatchObject({
      phase: 'stale',
      reason: expect.stringContaining(`data file ${file!.slice(root.length + 1)}`),
      unread: ['market_quote'],
    })
    refusal('SERVICE_UNAVAILABLE', () => reader.latest.quotes('mkt_a'))
    expect(reader.catalog(null).indexes()).toEqual([])
    await repair()
    await until(() => reader.status().phase === 'ready')
    expect(reader.status().unread).toEqual([])
    expect(quotesOf(reader)).toEqual(['obs_a_1'])
  })

  test('a folder that is gone makes it stale, and it goes on when the folder is back', async () => {
    const root = newRoot()
    const warehouse = await create(root)
    await commit(warehouse, 1, [q(1)])
    const reader = await follow(root)
    await rename(root, `${root}-away`)
    await until(() => reader.status().phase === 'stale')
    expect(reader.status().reason).toMatch(/^log file .* is missing$/)
    expect(quotesOf(reader)).toEqual(['obs_a_1'])
    await rename(`${root}-away`, root)
    await until(() => reader.status().phase === 'ready')
    await commit(warehouse, 2, [q(2)])
    await until(() => quotesOf(reader)[0] === 'obs_a_2')
  })

  test.each([
    ['as long', [2]],
    ['longer', [2, 3]],
  ])('one that was put back and is %s again is stale, and what is in memory stays', async (_, again) => {
    const root = newRoot()
    const first = await create(root)
    await commit(first, 1, [q(1)])
    await first.close()
    const saved = `${root}-saved`
    await cp(root, saved, { recursive: true })
    const second = await create(root)
    await commit(second, 2, [q(2)])
    const reader = await follow(root)
    expect(quotesOf(reader)).toEqual(['obs_a_2'])
    await second.close()
    await rename(root, `${root}-old`)
    await rename(saved, root)
    const third = await create(root)
    for (const n of again) await commit(third, n, [quote({ record_id: `obs_b_${n}`, market: 'a', received_minute: n })])
    await until(() => /was replaced or put back|does not continue the hash chain/.test(reader.status().reason ?? ''))
    await sleep(300)
    expect(reader.status()).toMatchObject({ phase: 'stale', stale_since: expect.any(String) })
    expect(quotesOf(reader)).toEqual(['obs_a_2'])
  })

  test('a table that an older warehouse does not have is empty until it is made', async () => {
    const root = newRoot()
    const warehouse = await create(root)
    await commit(warehouse, 1, [q(1)])
    const older = newRoot()
    await cp(root, older, { recursive: true })
    await rm(join(older, 'market_mark'), { recursive: true })
    const reader = await follow(older, 1)
    expect(reader.status().phase).toBe('ready')
    expect(reader.status().versions).not.toHaveProperty('market_mark')
    expect(reader.latest.marks('mkt_a')).toEqual([])
    expect(await read(reader, 'mkt_a')).toHaveLength(1)
    expect(await reader.asOf(minuteMicros(5), (pinned) => pinned.latest.marks('mkt_a'))).toEqual([])
  })
})

describe('history', () => {
  test('a damaged data file fails the reads that need it, and names it; other reads go on; whole again, they work', async () => {
    const root = newRoot()
    const warehouse = await create(root)
    await commit(warehouse, 1, [q(1, 'a')])
    await commit(warehouse, 2, [q(2, 'b')])
    const reader = await follow(root, 1)
    expect(await read(reader, 'mkt_a')).toHaveLength(1)
    for (const file of await dataFiles(root, 'market_quote')) {
      const key = file.slice(root.length + 1)
      const repair = await damage(file) // after it was read and found right
      const answers = await Promise.allSettled([read(reader, 'mkt_a'), read(reader, 'mkt_b')])
      expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
      const [refused] = answers.filter((answer) => answer.status === 'rejected')
      expect(refused!.reason).toMatchObject({ code: 'WAREHOUSE_CORRUPT', facts: { file: key } })
      expect(reader.status().phase).toBe('ready')
      await repair()
      expect(await read(reader, 'mkt_a')).toHaveLength(1)
      expect(await read(reader, 'mkt_b')).toHaveLength(1)
    }
  })

  test('a commit between two pages is in neither, when both are of one instant', async () => {
    const root = newRoot()
    const warehouse = await create(root)
    await commit(
      warehouse,
      1,
      [1, 2, 3].map((n) => q(n)),
    )
    await commit(
      warehouse,
      2,
      [4, 5].map((n) => q(n)),
    )
    const reader = await follow(root, 1)
    const request = { market_id: 'mkt_a', outcome_id: null, field: null, trades: true }
    const page = { ...PAGE, limit: 2, as_of: reader.horizon('market_quote') }
    const first = await reader.history.marketObservations(request, page)
    await commit(warehouse, 3, [
      quote({ record_id: 'obs_late', market: 'a', source_minute: 4, received_minute: 9, revision: 2 }),
    ])
    await until(() => reader.horizon('market_quote') === minuteMicros(3))
    const after = { instant: toMicros(first[1]!.published_at), id: String(first[1]!.observation_id) }
    const rest = await reader.history.marketObservations(request, { ...page, limit: 10, after })
    const ids = [...first, ...rest].map(({ observation_id }) => observation_id)
    expect(ids).toEqual([1, 2, 3, 4, 5].map((n) => `obs_a_${n}.reported_probability`))
    const now = await reader.history.marketObservations(request, { ...PAGE, as_of: reader.horizon('market_quote') })
    expect(now.map(({ observation_id }) => observation_id)).toContain('obs_late.reported_probability')
    expect(now).toHaveLength(5)
  })
})

describe('asOf', () => {
  test('seals what is not final, so that the answer stays; the future is refused', async () => {
    const root = newRoot()
    const warehouse = await create(root)
    await commit(warehouse, 1, [q(1)])
    const reader = await follow(root)
    const readQuotes = (pinned: Reader) => quotesOf(pinned)
    expect(await reader.asOf(minuteMicros(5), readQuotes)).toEqual(['obs_a_1'])
    expect(await warehouse.log('market_quote').closedThrough()).toBe(minuteMicros(5))
    await expect(commit(warehouse, 4, [q(4)])).rejects.toMatchObject({ code: 'VALIDATION_CLOCK_REFUSED' })
    const future = (Date.now() + 60_000) * 1000
    await expect(reader.asOf(future, readQuotes)).rejects.toMatchObject({ code: 'VALIDATION_AS_OF_IN_FUTURE' })
  })

  test('memory has all that is published by then', async () => {
    const root = newRoot()
    const warehouse = await create(root)
    const reader = await follow(root)
    for (let n = 1; n <= 10; n += 1) {
      await commit(warehouse, n, [q(n)])
      expect(await reader.asOf(minuteMicros(n), quotesOf)).toEqual([`obs_a_${n}`])
    }
  })
})

describe('limits', () => {
  const pool = (change: Partial<typeof QUERY_LIMITS>) => {
    const opened = openQueryPool({ ...QUERY_LIMITS, processes: 1, ...change })
    open.push(opened)
    return opened
  }
  const slow = 'select count(*) as n from range(1000000000) a, range(1000) b where a.range % 7 = b.range % 5'

  test('a query that takes too long is ended, may be tried again, and the next one is answered', async () => {
    const one = pool({ time_ms: 60_000 })
    await one.ready()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const refused = expect(one.query(slow)).rejects.toMatchObject({
        code: 'QUERY_TIMEOUT',
        facts: { time_ms: '60000' },
      })
      expect(one.stats().running).toBe(1)
      vi.advanceTimersByTime(60_000)
      await refused
      expect(one.stats().refused).toEqual({ caller: 0, queue: 0, wait: 0, time: 1, limit: 0 })
      expect(await one.query('select 1 as n')).toEqual([{ n: 1 }])
    } finally {
      vi.useRealTimers()
    }
  })

  test('one that needs too much memory is refused', async () => {
    const one = pool({ memory_mb: 64, time_ms: 60_000 })
    const greedy = 'select list(range) as all_of_them from range(50000000)'
    await expect(one.query(greedy)).rejects.toMatchObject({
      code: 'VALIDATION_QUERY_LIMIT',
      facts: { memory_mb: '64' },
    })
    expect(await one.query('select 1 as n')).toEqual([{ n: 1 }])
  })

  test('too many that wait are refused at once', async () => {
    const one = pool({ waiting_max: 1, processes: 0 })
    const first = one.query('select 1 as n')
    await expect(one.query('select 1 as n')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    one.close()
    await expect(first).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  })
})

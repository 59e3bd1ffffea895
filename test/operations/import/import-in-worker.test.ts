import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { importArchive } from '../../../operations/import/import-archive.ts'
import { formatMicros, MICROS_PER_SECOND, toMicros } from '../../../primitives/instants.ts'
import { openReadSession } from '../../../warehouse/read/session.ts'
import type { Warehouse } from '../../../warehouse/warehouse.ts'
import { archiveFolders } from '../../support/archive-folders.ts'
import { type PayloadLine, writePayloads } from '../../support/payload-folder.ts'

const archive = archiveFolders()
const { newWarehouse } = archive

const load = (warehouse: Warehouse, more: Partial<Parameters<typeof importArchive>[0]> = {}) =>
  importArchive({ archive: 'kalshi', dir: archive.dir, clock: 'recorded', warehouse, ...more })
const IN_THREADS = { thread_from_bytes: 0 }

const START = toMicros('2026-01-12T15:00:00Z')

/** Pages of a tape, one a second, each with a trade of its own and, from the second on, the one before. */
function pages(count: number): PayloadLine[] {
  const trade = (n: number) => ({
    trade_id: `trade-${n}`,
    ticker: `KXTEST-${n % 3}`,
    created_time: formatMicros(START + n * MICROS_PER_SECOND),
    count_fp: '12.50',
    yes_price_dollars: '0.0650',
    no_price_dollars: '0.9350',
    taker_side: 'yes',
  })
  return Array.from({ length: count }, (_, n) => ({
    endpoint: 'GET /markets/trades',
    request: `/markets/trades?cursor=${n}`,
    received_at: formatMicros(START + (n + 1) * MICROS_PER_SECOND),
    body: { cursor: '', trades: n === 0 ? [trade(n)] : [trade(n), trade(n - 1)] },
  }))
}

async function trades(warehouse: Warehouse): Promise<unknown> {
  const session = await openReadSession(warehouse, { as_of: null })
  try {
    return await session.query('select * from public_trade_history order by published_at, row_ordinal')
  } finally {
    await session.close()
  }
}

test('in threads of its own an import stores and reports what it does without them, and says how far it is', async () => {
  writePayloads(archive.dir, 'x.payloads.jsonl.gz', [
    ...pages(300),
    { endpoint: 'GET /markets/trades', received_at: 'never', body: {} },
  ])
  const [plain, threaded] = [await newWarehouse(), await newWarehouse()]
  const done: number[] = []
  const reports = [
    await load(plain),
    await load(threaded, { ...IN_THREADS, on_progress: (progress) => done.push(progress.done / progress.total) }),
  ]
  expect(reports[1]).toEqual(reports[0])
  expect(reports[0]).toMatchObject({ payloads_read: 300, records_new: 300, records_quarantined: 1 })
  expect(await trades(threaded)).toEqual(await trades(plain))
  expect(done.at(-1)).toBe(1)
  expect(await load(threaded, IN_THREADS)).toMatchObject({ payloads_new: 0, records_new: 0, commits: 0 })
})

test('what ends an import is told with its code and its facts', async () => {
  writeFileSync(join(archive.dir, 'x.payloads.jsonl.gz'), 'this is not gzip')
  const [first, second] = [await newWarehouse(), await newWarehouse()]
  await expect(load(first, IN_THREADS)).rejects.toMatchObject({ code: 'VALIDATION_ARCHIVE_INVALID' })
  writePayloads(archive.dir, 'x.payloads.jsonl.gz', pages(3))
  await second.log('public_trade').seal(START + 3600 * MICROS_PER_SECOND)
  await expect(load(second, IN_THREADS)).rejects.toMatchObject({
    code: 'VALIDATION_CLOCK_REFUSED',
    facts: { field: 'clock' },
  })
})

test('a signal ends an import, and the next one completes it', async () => {
  writePayloads(archive.dir, 'x.payloads.jsonl', pages(50))
  const warehouse = await newWarehouse()
  const signal = AbortSignal.abort()
  await expect(load(warehouse, { ...IN_THREADS, signal })).rejects.toThrow('abort')
  const abort = new AbortController()
  const stopping = load(warehouse, { ...IN_THREADS, signal: abort.signal, on_progress: () => abort.abort() })
  await stopping.catch((error: unknown) => expect(String(error)).toMatch('abort'))
  await load(warehouse, IN_THREADS)
  expect(await trades(warehouse)).toHaveLength(50)
})

import { join } from 'node:path'
import { expect, test } from 'vitest'
import { importPayloads, type PayloadImportOptions } from '../../../operations/import/import-payloads.ts'
import { IMPORT_TABLES } from '../../../operations/import/read-known.ts'
import { formatMicros, MICROS_PER_SECOND, toMicros } from '../../../primitives/instants.ts'
import { openReadSession } from '../../../warehouse/read/session.ts'
import type { Warehouse } from '../../../warehouse/warehouse.ts'
import { archiveFolders } from '../../support/archive-folders.ts'
import { type PayloadLine, writeArchiveFile, writePayloads } from '../../support/payload-folder.ts'
import { SEED } from '../../support/seed.ts'
import { sized } from '../../support/sized.ts'
import { createTinyReader } from '../../support/tiny-reader.ts'
import { createRandom } from '../../support/whole-numbers.ts'

const archive = archiveFolders()
const { newWarehouse } = archive

const limits = { text_max: 1_000_000, payloads_max: 40, records_max: 15 }
const load = (warehouse: Warehouse, more: Partial<PayloadImportOptions> = {}) =>
  importPayloads({
    ...{ archive: 'kalshi', dir: archive.dir, clock: 'recorded', warehouse, limits },
    readers: { kalshi: { create_reader: createTinyReader } },
    ...more,
  })
const IN_THREAD = { thread_from_bytes: 0 }

/** Every row of every table with its stamp and its place in its commit. */
async function everything(warehouse: Warehouse): Promise<unknown> {
  const session = await openReadSession(warehouse, { as_of: null })
  try {
    const tables: [string, unknown][] = []
    for (const table of IMPORT_TABLES) {
      tables.push([table, await session.query(`select * from ${table}_history order by published_at, row_ordinal`)])
    }
    return tables
  } finally {
    await session.close()
  }
}

const LINES = sized(120, 600)
const START = toMicros('2026-01-05T23:58:00Z')

/** Payloads over some minutes and a midnight: many in one minute, some in one instant, some that repeat. */
function lines(count: number): PayloadLine[] {
  const random = createRandom(SEED)
  let micros = START
  return Array.from({ length: count }, (_, n) => {
    micros += random.int(3) === 0 ? 0 : random.int(n % 50 === 0 ? 50_000_000 : 900_000)
    const at = formatMicros(Math.floor(micros / MICROS_PER_SECOND) * MICROS_PER_SECOND)
    const quotes = [{ market: `m${random.int(4)}`, at, bid: `0.${1 + random.int(9)}` }]
    return {
      endpoint: 'GET /tiny',
      request: n % 2 === 0 ? '/é' : null,
      received_at: formatMicros(micros),
      body: { quotes },
    }
  })
}

test.each(['recorded', 'wall'] as const)(
  'under the %s clock a thread keeps what is kept without one, in the same commits',
  async (clock) => {
    writePayloads(archive.dir, 'x.payloads.jsonl.gz', [
      ...lines(LINES),
      { endpoint: 'GET /tiny', received_at: 'never', body: {} },
    ])
    const [plain, threaded] = [await newWarehouse(), await newWarehouse()]
    const reports = [await load(plain, { clock }), await load(threaded, { clock, ...IN_THREAD })]
    expect(reports[1]).toEqual(reports[0])
    expect(reports[0]).toMatchObject({ payloads_read: LINES, records_quarantined: 1 })
    if (clock === 'recorded') expect(await everything(threaded)).toEqual(await everything(plain))
    expect(await load(threaded, { clock, ...IN_THREAD })).toMatchObject({ payloads_new: 0, commits: 0 })
  },
)

test('payloads that come late are stamped after the records of the batches before, also by a thread that runs ahead', async () => {
  // A batch of 40 whose records are planned by 15: those of the late minute are stamped after what is published, plan by plan.
  const times = Array.from({ length: 80 }, (_, n) => START + (n < 15 ? 60 * MICROS_PER_SECOND : 0) + n)
  const late = times.map((micros) => {
    const quotes = [{ market: 'm', at: '2026-01-05T23:00:00Z', bid: '0.5' }]
    return { endpoint: 'GET /tiny', received_at: formatMicros(micros), body: { quotes } }
  })
  writePayloads(archive.dir, 'x.payloads.jsonl', late)
  const [plain, threaded] = [await newWarehouse(), await newWarehouse()]
  await load(plain)
  await load(threaded, IN_THREAD)
  expect(await everything(threaded)).toEqual(await everything(plain))
})

test('what ends the import in the thread is told as it is without one, and nothing of it is stored', async () => {
  writeArchiveFile(archive.dir, 'x.payloads.jsonl', '')
  const warehouse = await newWarehouse()
  const nothing = load(warehouse, { dir: join(archive.dir, 'none'), ...IN_THREAD })
  await expect(nothing).rejects.toMatchObject({ code: 'VALIDATION_INPUT_UNREADABLE' })
  writePayloads(archive.dir, 'x.payloads.jsonl', lines(60))
  await warehouse.log('market_quote').seal(START + 3600 * MICROS_PER_SECOND)
  const before = await everything(warehouse)
  await expect(load(warehouse, IN_THREAD)).rejects.toMatchObject({
    code: 'VALIDATION_CLOCK_REFUSED',
    facts: { field: 'clock', table: 'market_quote' },
  })
  expect(await everything(warehouse)).toEqual(before)
})

test('an import that is stopped in between is completed by the next', async () => {
  writePayloads(archive.dir, 'x.payloads.jsonl', lines(LINES))
  const [plain, stopped] = [await newWarehouse(), await newWarehouse()]
  await load(plain)
  const abort = new AbortController()
  let stored = 0
  const on_stored = () => {
    stored += 1
    if (stored === 3) abort.abort()
  }
  await expect(load(stopped, { ...IN_THREAD, on_stored, signal: abort.signal })).rejects.toThrow('abort')
  await load(stopped, IN_THREAD)
  expect(await everything(stopped)).toEqual(await everything(plain))
})

test('a bug of a reader ends the thread too', async () => {
  writePayloads(archive.dir, 'x.payloads.jsonl', [
    ...lines(100),
    { endpoint: 'GET /tiny', received_at: '2026-01-06T12:00:00Z', body: { bug: true } },
  ])
  await expect(load(await newWarehouse(), IN_THREAD)).rejects.toThrow('the reader has a bug')
})

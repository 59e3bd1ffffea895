import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { auditWarehouse } from '../../../operations/audit/audit-warehouse.ts'
import {
  type ImportLimits,
  importPayloads,
  type PayloadImportOptions,
} from '../../../operations/import/import-payloads.ts'
import { IMPORT_TABLES } from '../../../operations/import/read-known.ts'
import { sha256Hex } from '../../../primitives/ids.ts'
import { toMicros } from '../../../primitives/instants.ts'
import { openReadSession } from '../../../warehouse/read/session.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { type PayloadLine, payloadLine, writePayloads } from '../../support/payload-folder.ts'
import { SEED } from '../../support/seed.ts'
import { sized } from '../../support/sized.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { createTinyReader, type TinyBody } from '../../support/tiny-reader.ts'
import { createRandom } from '../../support/whole-numbers.ts'

const folder = tempFolder()
let number = 0
let dir = ''
let warehouse: Warehouse
const open = () => {
  number += 1
  return openWarehouse({ root: join(folder, `warehouse-${number}`), create: true })
}
beforeEach(async () => {
  warehouse = await open()
  dir = join(folder, `archive-${number}`)
  mkdirSync(dir)
})
afterEach(() => warehouse.close())

const readers = { kalshi: { create_reader: createTinyReader }, gdacs: { create_reader: createTinyReader } }
const load = (options: Partial<PayloadImportOptions> = {}) =>
  importPayloads({ archive: 'kalshi', dir, clock: 'wall', warehouse, readers, ...options })

async function ask(sql: string, from = warehouse, as_of: string | null = null): Promise<Row[]> {
  const session = await openReadSession(from, { as_of: as_of === null ? null : toMicros(as_of) })
  try {
    return await session.query(sql)
  } finally {
    await session.close()
  }
}

/** Every row of every table, without what the commits decide. */
async function contents(from = warehouse): Promise<Record<string, Row[]>> {
  const session = await openReadSession(from, { as_of: null })
  try {
    const tables: Record<string, Row[]> = {}
    for (const table of IMPORT_TABLES) {
      const rows = `select * exclude (published_at, row_ordinal) from ${table}_history order by all`
      tables[table] = await session.query(rows)
    }
    return tables
  } finally {
    await session.close()
  }
}

const at = (time: string) => `2026-01-05T${time}Z`
const said = (time: string, body: TinyBody, more: Partial<PayloadLine> = {}): PayloadLine => {
  return { endpoint: 'GET /tiny', received_at: at(time), body, ...more }
}
const bid = (value: string, time = '10:00:00', market = 'm') => ({ market, at: at(time), bid: value })

test('payloads are stored word for word, named by their hash; the same content at another instant is a further row', async () => {
  const odd = '{"quotes": [ ]  }'
  writePayloads(dir, 'x.payloads.jsonl', [
    said('10:00:00', {}, { body: odd, request: '/tiny?a=1' }),
    said('10:00:00', {}, { body: odd, request: '/tiny?a=2' }),
    said('10:00:00', {}, { body: odd, request: '/tiny?a=1' }),
    said('10:00:01', {}, { body: odd, request: '/tiny?a=1' }),
    said('10:00:02', {}, { body: 'not JSON: é' }),
  ])
  expect(await load()).toMatchObject({ payloads_read: 5, payloads_new: 4, records_read: 1, records_quarantined: 1 })
  expect(await load()).toMatchObject({ payloads_read: 5, payloads_new: 0, commits: 0, records_quarantined: 1 })
  expect(
    await ask('select content_hash, request, body, byte_count, received_at, file from venue_payload order by all'),
  ).toEqual(
    [
      { request: '/tiny?a=1', body: odd, received_at: at('10:00:00'), file: 'x.payloads.jsonl:1' },
      { request: '/tiny?a=1', body: odd, received_at: at('10:00:01'), file: 'x.payloads.jsonl:4' },
      { request: '/tiny?a=2', body: odd, received_at: at('10:00:00'), file: 'x.payloads.jsonl:2' },
      { request: null, body: 'not JSON: é', received_at: at('10:00:02'), file: 'x.payloads.jsonl:5' },
    ]
      .map((row) => ({ content_hash: sha256Hex(row.body), byte_count: Buffer.byteLength(row.body), ...row }))
      .toSorted((a, b) => (a.content_hash < b.content_hash ? -1 : a.content_hash > b.content_hash ? 1 : 0)),
  )
})

test('a payload is stored before it is read: one that a bug stops at is there', async () => {
  writePayloads(dir, 'x.payloads.jsonl', [said('10:00:00', { bug: true })])
  await expect(load()).rejects.toThrow('the reader has a bug')
  expect(await ask('select count(*)::integer as n from venue_payload')).toEqual([{ n: 1 }])
})

test('what a payload says that cannot be read is named by file, line and place', async () => {
  writePayloads(dir, 'x.payloads.jsonl.gz', [said('10:00:00', {}), said('10:00:01', {}, { body: '{' })])
  expect((await load()).quarantine).toEqual([{ file: 'x.payloads.jsonl.gz', line: 2, path: '$', reason: 'BAD_JSON' }])
})

test('a quote that is read again is confirmed; another value for its source instant corrects it', async () => {
  writePayloads(dir, 'x.payloads.jsonl', [
    said('10:00:01', { quotes: [bid('0.5')] }),
    said('10:00:11', { quotes: [bid('0.50')] }),
    said('10:00:21', { quotes: [bid('0.6')] }),
  ])
  for (const records_new of [1, 0]) expect(await load()).toMatchObject({ records_new, records_revised: records_new })
  const columns = 'revision, bid, correction_reason as reason, confirms_id is not null as confirms'
  expect(await ask(`select ${columns} from market_quote_history order by received_at`)).toEqual([
    { revision: 1, bid: '0.500000000', reason: null, confirms: false },
    { revision: 1, bid: '0.500000000', reason: null, confirms: true },
    { revision: 2, bid: '0.600000000', reason: 'SOURCE_CORRECTION', confirms: false },
  ])
})

test('of several states received in one instant the last stands, whatever payload or place it comes from', async () => {
  const book = (bids: [string, string][]) => ({ market: 'm', at: at('10:00:00'), bids })
  writePayloads(dir, 'x.payloads.jsonl', [
    said('10:00:01', { quotes: [bid('0.1'), bid('0.7', '10:00:00', 'other')], books: [book([['0.1', '1']])] }),
    said('10:00:01', { quotes: [bid('0.2')], books: [book([['0.2', '2']]), book([['0.3', '3']])] }),
  ])
  expect(await load()).toMatchObject({ records_read: 6, records_new: 3, records_duplicate: 3, records_quarantined: 0 })
  expect(await load()).toMatchObject({ records_new: 0, records_duplicate: 6, records_quarantined: 0 })
  expect(await ask('select source_market_id as market, bid from market_quote order by all')).toEqual([
    { market: 'm', bid: '0.200000000' },
    { market: 'other', bid: '0.700000000' },
  ])
  expect(await ask('select bids, asks, price_unit, quality_state from order_book')).toEqual([
    {
      bids: [{ price: '0.300000000', quantity: '3.000000' }],
      asks: [],
      price_unit: 'probability',
      quality_state: 'valid',
    },
  ])
})

test('another value for a key that is stored is a conflict: what is stored stays', async () => {
  writePayloads(dir, 'x.payloads.jsonl', [
    said('10:00:01', { quotes: [bid('0.5')], trades: [{ market: 'm', at: at('10:00:00'), id: 't', price: '0.5' }] }),
  ])
  await load()
  writePayloads(dir, 'x.payloads.jsonl', [
    said('10:00:01', { quotes: [bid('0.6')], trades: [{ market: 'm', at: at('10:00:00'), id: 't', price: '0.4' }] }),
  ])
  expect((await load()).quarantine).toEqual(
    [0, 1].map(() => ({ file: 'x.payloads.jsonl', line: 1, reason: 'CONFLICTING_VALUE' })),
  )
  expect(await ask('select bid from market_quote_history')).toEqual([{ bid: '0.500000000' }])
})

describe('markets and events', () => {
  const market = (name: string, title = name, about = 'same') => ({ event: 'e', market: name, title, about })

  test('one answer that lists the markets of an event is one revision of the event', async () => {
    const listed = { markets: [market('a'), market('b', 'b', 'another'), market('c')] }
    writePayloads(dir, 'x.payloads.jsonl', [
      said('10:00:00', listed),
      said('10:00:10', listed),
      said('10:00:20', listed),
    ])
    expect(await load()).toMatchObject({ reference_records: 4 })
    expect(await ask('select revision, len(market_ids)::integer as n from event_history')).toEqual([
      { revision: 1, n: 3 },
    ])
    expect(await load()).toMatchObject({ reference_records: 0, commits: 0 })
  })

  test('a change is one revision of what changed', async () => {
    writePayloads(dir, 'x.payloads.jsonl', [
      said('10:00:00', { markets: [market('a'), market('b')] }),
      said('10:00:10', { markets: [market('a', 'A new title'), market('b')] }),
    ])
    expect(await load()).toMatchObject({ reference_records: 4 })
    expect(await ask('select title, revision from market_history order by all')).toEqual([
      { title: 'A new title', revision: 2 },
      { title: 'a', revision: 1 },
      { title: 'b', revision: 1 },
    ])
  })
})

describe('hazard alerts', () => {
  const alert = (time: string, level: 'green' | 'red', title?: string) => ({
    alerts: [{ event: 'EQ1', at: at(time), level, ...(title === undefined ? {} : { title }) }],
  })
  const gdacs = { venue_id: 'gdacs' }

  test('a record written anew is a duplicate; a real change is a revision', async () => {
    writePayloads(dir, 'x.payloads.jsonl', [
      said('10:00:00', alert('09:00:00', 'green'), gdacs),
      said('10:10:00', alert('10:05:00', 'green', 'another title'), gdacs),
      said('10:20:00', alert('10:15:00', 'red'), gdacs),
      said('10:30:00', alert('10:25:00', 'red'), gdacs),
      said('10:40:00', alert('10:35:00', 'green'), gdacs),
    ])
    const counts = { records_read: 5, records_new: 1, records_revised: 2, records_duplicate: 2 }
    expect(await load({ archive: 'gdacs' })).toMatchObject(counts)
    expect(await load({ archive: 'gdacs' })).toMatchObject({ records_new: 0, records_revised: 0, records_duplicate: 5 })
    expect(
      await ask(
        'select revision, alert_level, correction_reason, received_at from hazard_alert_history order by revision',
      ),
    ).toEqual([
      { revision: 1, alert_level: 'green', correction_reason: null, received_at: at('10:00:00') },
      { revision: 2, alert_level: 'red', correction_reason: 'ALERT_CHANGED', received_at: at('10:20:00') },
      { revision: 3, alert_level: 'green', correction_reason: 'ALERT_CHANGED', received_at: at('10:40:00') },
    ])
  })

  test('numbers, lists and measures come back as the feed wrote them', async () => {
    writePayloads(dir, 'x.payloads.jsonl', [said('10:00:00', alert('09:00:00', 'green'), gdacs)])
    await load({ archive: 'gdacs' })
    expect(
      await ask('select severity_value, latitude, aliases, countries, measures, ended_at from hazard_alert'),
    ).toEqual([
      {
        severity_value: '12.3456789012345678',
        latitude: '-2.50',
        aliases: ['b', 'a'],
        countries: ['X', 'Y'],
        measures: '{"mmi":"0","sig":"12"}',
        ended_at: null,
      },
    ])
  })
})

describe('batches', () => {
  /** Three files that overlap: polls every ten seconds, repeats, corrections, bursts within one instant. */
  function writeWorld(): void {
    const random = createRandom(SEED)
    const price = () => `0.${1 + random.int(98)}`
    for (let file = 0; file < 3; file += 1) {
      const lines = Array.from({ length: sized(6, 18) }, (_, n) => {
        const time = `10:${String(Math.floor(n / 6)).padStart(2, '0')}:${String((n % 6) * 10).padStart(2, '0')}`
        const markets = Array.from({ length: 4 }, (_, m) => `m${(file * 2 + m) % 6}`)
        const source = random.int(3) === 0 ? '09:59:00' : time
        return said(`${time}.00${random.int(3)}`, {
          quotes: markets.map((market) => bid(price(), source, market)),
          books: [{ market: markets[0]!, at: at(source), bids: [[price(), '5']] }],
          trades: [{ market: markets[1]!, at: at(time), id: `t${n >> 1}`, price: `0.${file + 1}` }],
          markets: markets.map((market) => ({ event: 'e', market, title: `${market} ${n >> 3}` })),
        })
      })
      writePayloads(dir, `${file}.payloads.jsonl${file === 1 ? '.gz' : ''}`, lines)
    }
  }
  const TINY: ImportLimits = { text_max: 6_000, payloads_max: 1000, records_max: 23 }

  test.each(['wall', 'recorded'] as const)('%s clock: small batches store the rows of large ones', async (clock) => {
    writeWorld()
    const whole = await load({ clock })
    const rows = await contents()
    const small = await open()
    const parts = await load({ clock, warehouse: small, limits: TINY })
    expect(await contents(small)).toEqual(rows)
    const { commits, ...counts } = whole
    expect(parts).toMatchObject(counts)
    expect(parts.commits).toBeGreaterThan(commits)
    expect(whole.records_quarantined).toBe(whole.quarantine.length)
    expect((await auditWarehouse({ warehouse: small })).violations).toEqual([])
    expect(await load({ clock, warehouse: small })).toMatchObject({
      records_new: 0,
      records_revised: 0,
      commits: 0,
      payloads_new: 0,
    })
    await small.close()
  })

  test.each(['wall', 'recorded'] as const)(
    '%s clock: an import that is ended anywhere is completed by the next',
    async (clock) => {
      writeWorld()
      const whole = await open()
      await load({ clock, warehouse: whole, limits: TINY })
      for (const ended_after of sized([5], [1, 2, 5, 9])) {
        let commits = 0
        const stop = new AbortController()
        const append: Warehouse['append'] = async (...args) => {
          commits += 1
          if (commits > ended_after) stop.abort()
          stop.signal.throwIfAborted()
          return warehouse.append(...args)
        }
        const ending = { ...warehouse, append }
        await expect(load({ clock, warehouse: ending, limits: TINY, signal: stop.signal })).rejects.toThrow()
      }
      await load({ clock, limits: TINY })
      expect(await contents()).toEqual(await contents(whole))
      const stamps = 'select record_id, published_at from market_quote_history order by all'
      if (clock === 'recorded') expect(await ask(stamps)).toEqual(await ask(stamps, whole))
      await whole.close()
    },
  )

  test('two imports at once end in the rows of one', async () => {
    writeWorld()
    const other = await openWarehouse({ root: warehouse.root })
    const reports = await Promise.all([load({ limits: TINY }), load({ limits: TINY, warehouse: other })])
    await other.close()
    const whole = await open()
    const alone = await load({ warehouse: whole, limits: TINY })
    for (const count of ['records_new', 'records_revised', 'payloads_new', 'reference_records'] as const) {
      expect(Math.min(...reports.map((report) => report[count])), count).toBeGreaterThanOrEqual(0)
      expect(reports[0][count] + reports[1][count], count).toBe(alone[count])
    }
    expect(await contents()).toEqual(await contents(whole))
    await whole.close()
  })

  test('progress is told in bytes, to the end', async () => {
    writeWorld()
    const seen: number[] = []
    let total = 0
    await load({
      on_progress: (progress) => {
        seen.push(progress.done)
        total = progress.total
      },
    })
    expect(seen).toEqual(seen.toSorted((a, b) => a - b))
    expect(seen.at(-1)).toBe(total)
  })
})

describe('the recorded clock', () => {
  test('what was received in one minute is published together, at the latest receipt', async () => {
    writePayloads(dir, 'x.payloads.jsonl', [
      said('10:00:00', { quotes: [bid('0.1', '10:00:00')] }),
      said('10:00:59.999999', {
        quotes: [bid('0.2', '10:00:59')],
        books: [{ market: 'm', at: at('10:00:59'), bids: [] }],
      }),
      said('10:01:00', { quotes: [bid('0.3', '10:01:00')] }),
    ])
    await load({ clock: 'recorded' })
    expect(await ask('select bid, published_at from market_quote order by source_at')).toEqual([
      { bid: '0.100000000', published_at: at('10:00:59.999999') },
      { bid: '0.200000000', published_at: at('10:00:59.999999') },
      { bid: '0.300000000', published_at: at('10:01:00') },
    ])
    expect(await ask('select count(*)::integer as n from venue_payload', warehouse, at('10:00:59.999999'))).toEqual([
      { n: 2 },
    ])
    expect(await ask('select count(*)::integer as n from market_quote', warehouse, at('10:00:59.999998'))).toEqual([
      { n: 0 },
    ])
  })

  test('many minutes are one commit a table and day, and a question as of one minute sees no later one', async () => {
    const minutes = ['22:58:10', '22:59:20', '23:00:00', '23:59:59.999999']
    const quoted = (time: string) => said(time, { quotes: [bid('0.5', time.slice(0, 8))] })
    writePayloads(dir, 'x.payloads.jsonl', [
      ...minutes.map(quoted),
      { ...quoted('00:00:00'), received_at: '2026-01-06T00:00:00Z' },
    ])
    expect(await load({ clock: 'recorded' })).toMatchObject({ records_new: 5, commits: 4 })
    const count = async (table: string, as_of: string) =>
      (await ask(`select count(*)::integer as n from ${table}`, warehouse, as_of))[0]!.n
    for (const table of ['venue_payload', 'market_quote']) {
      expect((await warehouse.log(table as 'market_quote').snapshot()).files).toHaveLength(2)
      for (const [n, time] of minutes.entries()) {
        expect(await count(table, at(time))).toBe(n + 1)
      }
      expect(await count(table, at('22:59:19.999999'))).toBe(1)
      expect(await count(table, at('23:59:59.999998'))).toBe(3)
      expect(await count(table, '2026-01-06T00:00:00Z')).toBe(5)
    }
    expect((await auditWarehouse({ warehouse })).violations).toEqual([])
    expect(await load({ clock: 'recorded' })).toMatchObject({ payloads_new: 0, records_new: 0, commits: 0 })
  })

  test('refused where it would change a past answer, and then nothing is stored', async () => {
    writePayloads(dir, 'x.payloads.jsonl', [said('10:00:00', { quotes: [bid('0.1')] })])
    await warehouse.log('public_trade').create()
    await ask('select * from public_trade', warehouse, at('11:00:00'))
    const before = await contents()
    await expect(load({ clock: 'recorded' })).rejects.toMatchObject({ code: 'VALIDATION_CLOCK_REFUSED', exit_code: 2 })
    expect(await contents()).toEqual(before)
    expect(await load({ clock: 'wall' })).toMatchObject({ records_new: 1 })
  })
})

test('a cut file stores nothing, not even what stands before the cut', async () => {
  writePayloads(dir, 'a.payloads.jsonl', [said('10:00:00', { quotes: [bid('0.1')] })])
  const lines = Array.from({ length: 2000 }, (_, n) => payloadLine(said('10:00:01', { quotes: [bid(`0.${n + 1}`)] })))
  writeFileSync(join(dir, 'b.payloads.jsonl.gz'), gzipSync(lines.join('\n')).subarray(0, -20))
  await expect(load()).rejects.toMatchObject({ code: 'VALIDATION_ARCHIVE_INVALID', exit_code: 2 })
  expect(Object.values(await contents()).flat()).toEqual([])
})

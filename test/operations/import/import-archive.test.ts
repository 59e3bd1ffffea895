import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type ImportReport, importArchive } from '../../../operations/import/import-archive.ts'
import { toMicros } from '../../../primitives/instants.ts'
import { openReadSession } from '../../../warehouse/read/session.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { questionLine, type ShortRow, valueLine, writeArchive } from '../../support/archive-folder.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const folder = tempFolder()
let test_number = 0
let dir: string
let warehouse: Warehouse

beforeEach(async () => {
  test_number += 1
  dir = join(folder, `archive-${test_number}`)
  warehouse = await openWarehouse({ root: join(folder, `warehouse-${test_number}`), create: true })
})
afterEach(() => warehouse.close())

const load = (clock: 'wall' | 'recorded' = 'recorded'): Promise<ImportReport> =>
  importArchive({ archive: 'forecastbench', dir, clock, warehouse })
const rows = (...short: readonly ShortRow[]) => short.map(valueLine)

async function ask(sql: string, as_of: string | null = null): Promise<Row[]> {
  const session = await openReadSession(warehouse, { as_of: as_of === null ? null : toMicros(as_of) })
  try {
    return await session.query(sql)
  } finally {
    await session.close()
  }
}

const HISTORY = `
  select source_market_id as market, value, revision, correction_reason as reason,
    supersedes_id is not null as supersedes, is_final as final, published_at
  from market_observation_history order by source_market_id, source_at, source_series_id, revision`

/** The tables that an archive of records writes. */
const RECORD_TABLES = ['event', 'market', 'market_quote', 'public_trade', 'market_resolution'] as const
const NO_ROWS = RECORD_TABLES.map(() => 0)

async function rowCounts(): Promise<number[]> {
  const snapshots = await Promise.all(RECORD_TABLES.map((table) => warehouse.log(table).snapshot()))
  return snapshots.map((snapshot) => snapshot.rows)
}

describe('a small archive', () => {
  const values = rows(
    ['set-1', 'm1', 1, '02T02:00', '0.5'],
    ['set-1', 'm2', 1, '02T02:00', '0.25'],
    ['set-1', 'm1', 1, '03T02:00', '0.6'],
    ['set-1', 'm1', 2, '03T02:00', '1.0', 'F'],
    ['set-1', 'm1', 2, '05T02:00', '0.0', 'F'],
    ['set-2', 'm1', 2, '05T02:00', '0.7'],
  )
  const questions = [
    questionLine('set-1', 'm1', '2026-01-01T00:05:00+00:00'),
    questionLine('set-1', 'm2', '2026-01-01T00:05:00+00:00'),
    questionLine('set-2', 'm1', '2026-01-04T00:05:00+00:00'),
  ]

  test('recorded clock: every row is published at its own instant', async () => {
    writeArchive(dir, values, questions)
    expect(await load()).toMatchObject({
      archive: 'forecastbench',
      input: { read: 9, ignored: 0, redacted: 0, quarantined: 0 },
      files: ['market_values_bitemporal.csv', 'market_questions.jsonl'],
      payloads_read: 0,
      payloads_new: 0,
      records_read: 6,
      records_new: 4,
      records_revised: 2,
      records_duplicate: 0,
      records_quarantined: 0,
      quarantine: [],
      reference_records: 5,
      first_source_at: '2026-01-01T00:00:00Z',
      last_source_at: '2026-01-02T00:00:00Z',
      commits: 3 + 1 + 3 + 2,
    })
    expect(await ask(HISTORY)).toEqual([
      {
        market: 'm1',
        value: '0.500000000',
        revision: 1,
        reason: null,
        supersedes: false,
        final: false,
        published_at: '2026-01-02T02:00:00Z',
      },
      {
        market: 'm1',
        value: '0.600000000',
        revision: 2,
        reason: 'SOURCE_CORRECTION',
        supersedes: true,
        final: false,
        published_at: '2026-01-03T02:00:00Z',
      },
      {
        market: 'm1',
        value: '1.000000000',
        revision: 1,
        reason: null,
        supersedes: false,
        final: true,
        published_at: '2026-01-03T02:00:00Z',
      },
      {
        market: 'm1',
        value: '0.000000000',
        revision: 2,
        reason: 'RESOLUTION_CORRECTED',
        supersedes: true,
        final: true,
        published_at: '2026-01-05T02:00:00Z',
      },
      {
        market: 'm1',
        value: '0.700000000',
        revision: 1,
        reason: null,
        supersedes: false,
        final: false,
        published_at: '2026-01-05T02:00:00Z',
      },
      {
        market: 'm2',
        value: '0.250000000',
        revision: 1,
        reason: null,
        supersedes: false,
        final: false,
        published_at: '2026-01-02T02:00:00Z',
      },
    ])
    const payouts = "select payouts[1].payout as yes, revision from market_resolution where source_series_id = 'set-1'"
    expect(await ask(payouts, '2026-01-03T01:59:59.999999Z')).toEqual([])
    expect(await ask(payouts, '2026-01-03T02:00:00Z')).toEqual([{ yes: '1.000000000', revision: 1 }])
    expect(await ask(payouts, '2026-01-05T02:00:00Z')).toEqual([{ yes: '0.000000000', revision: 2 }])
  })

  test('questions become markets without a status and events whose mappings grow', async () => {
    writeArchive(dir, values, questions)
    await load()
    const events = 'select revision, len(source_mappings) as mappings, status from event order by title'
    expect(await ask(events, '2026-01-01T00:05:00Z')).toEqual([
      { revision: 1, mappings: 1, status: null },
      { revision: 1, mappings: 1, status: null },
    ])
    expect(await ask('select distinct status from market_history')).toEqual([{ status: null }])
    // The market of the first question is resolved, and with it its event.
    expect(await ask(events)).toEqual([
      { revision: 2, mappings: 2, status: 'ended' },
      { revision: 1, mappings: 1, status: null },
    ])
    expect(await ask('select title, status, outcomes[2].label as other from market order by title')).toEqual([
      { title: 'Will m1 happen?', status: 'resolved', other: 'NO' },
      { title: 'Will m2 happen?', status: null, other: 'NO' },
    ])
  })

  test.each(['wall', 'recorded'] as const)('%s clock: a second import adds nothing', async (clock) => {
    writeArchive(dir, values, questions)
    await load(clock)
    const before = await rowCounts()
    const nothing = { records_new: 0, records_revised: 0, records_duplicate: 6, reference_records: 0, commits: 0 }
    expect(await load(clock)).toMatchObject({ records_read: 6, ...nothing })
    expect(await load(clock === 'wall' ? 'recorded' : 'wall')).toMatchObject(nothing)
    expect(await rowCounts()).toEqual(before)
  })

  test('wall clock: published now, revisions numbered as under the recorded clock', async () => {
    writeArchive(dir, values, questions)
    const from = await warehouse.now()
    await load('wall')
    const history = await ask(HISTORY)
    expect(history.map((row) => row.revision)).toEqual([1, 2, 1, 2, 1, 1])
    for (const row of history) expect(toMicros(row.published_at)).toBeGreaterThanOrEqual(from - 1000)
  })

  test('the order of the lines and wrong labels change nothing', async () => {
    writeArchive(dir, values, questions)
    await load()
    const expected = await ask(HISTORY)
    await warehouse.close()
    warehouse = await openWarehouse({ root: join(folder, `warehouse-shuffled-${test_number}`), create: true })
    writeArchive(dir, values.map((line) => line.replace(/new$/, 'revised')).toReversed(), questions.toReversed())
    await load()
    expect(await ask(HISTORY)).toEqual(expected)
  })

  test.each(['wall', 'recorded'] as const)('%s clock: two imports at once end in the rows of one', async (clock) => {
    writeArchive(dir, values, questions)
    const other = await openWarehouse({ root: warehouse.root })
    const options = { archive: 'forecastbench', dir, clock } as const
    const reports = await Promise.all([load(clock), importArchive({ ...options, warehouse: other })])
    await other.close()
    expect(await rowCounts()).toEqual([3, 2, 6, 0, 2])
    expect(reports[0].commits + reports[1].commits).toBe(clock === 'wall' ? 5 : 9)
  })

  test('progress counts rows up to all of them', async () => {
    writeArchive(dir, values, questions)
    const seen: number[] = []
    const on_progress = ({ done, total }: { done: number; total: number }) => seen.push(done, total)
    await importArchive({ archive: 'forecastbench', dir, clock: 'recorded', warehouse, on_progress })
    expect(seen.slice(-2)).toEqual([15, 15])
  })

  test('an aborted import leaves what it had committed and is completed by the next', async () => {
    writeArchive(dir, values, questions)
    const stop = new AbortController()
    const on_progress = ({ done }: { done: number }) => done >= 6 && stop.abort()
    const options = { archive: 'forecastbench', dir, clock: 'recorded', warehouse } as const
    await expect(importArchive({ ...options, signal: stop.signal, on_progress })).rejects.toThrow()
    const report = await load()
    expect(report.records_duplicate).toBeGreaterThan(0)
    expect(report.records_new + report.records_revised + report.records_duplicate).toBe(6)
    expect(await rowCounts()).toEqual([3, 2, 6, 0, 2])
  })
})

describe('late and conflicting rows', () => {
  test('a late row is stored and numbered but never becomes current', async () => {
    writeArchive(dir, rows(['s', 'm', 1, '02T02:00', '0.5'], ['s', 'm', 1, '04T02:00', '0.7']))
    await load()
    writeArchive(dir, rows(['s', 'm', 1, '03T02:00', '0.6']))
    expect(await load('wall')).toMatchObject({ records_new: 0, records_revised: 1 })
    expect(await ask('select value, revision from market_observation')).toEqual([{ value: '0.700000000', revision: 2 }])
    expect((await ask(HISTORY)).at(-1)).toMatchObject({
      value: '0.600000000',
      revision: 3,
      supersedes: false,
      reason: null,
    })
    expect(await ask('select value from market_observation', '2026-01-05T00:00:00Z')).toEqual([
      { value: '0.700000000' },
    ])
  })

  test('two values for one key: the later line is quarantined, in the file and against the warehouse', async () => {
    writeArchive(
      dir,
      rows(['s', 'm', 1, '02T02:00', '0.5'], ['s', 'm', 1, '02T02:00', '0.50'], ['s', 'm', 1, '02T02:00', '0.6']),
    )
    const file = 'market_values_bitemporal.csv'
    expect(await load()).toMatchObject({
      records_new: 1,
      records_duplicate: 1,
      quarantine: [{ file, line: 4, reason: 'CONFLICTING_VALUE' }],
    })
    writeArchive(dir, rows(['s', 'm', 1, '02T02:00', '0.5', 'F'], ['s', 'm', 1, '02T02:00', '0.5']))
    expect(await load()).toMatchObject({
      records_duplicate: 1,
      quarantine: [{ file, line: 2, reason: 'CONFLICTING_VALUE' }],
    })
    expect(await rowCounts()).toEqual([0, 0, 1, 0, 0])
  })

  test('a value that differs beyond the stored nine decimals is another value', async () => {
    writeArchive(dir, rows(['s', 'm', 1, '02T02:00', '0.12345678911'], ['s', 'm', 1, '02T02:00', '0.12345678912']))
    expect(await load()).toMatchObject({ records_new: 1, records_quarantined: 1 })
  })

  test('a payout that is taken back withdraws the resolution', async () => {
    writeArchive(dir, rows(['s', 'm', 1, '02T02:00', '1', 'F'], ['s', 'm', 1, '03T02:00', '0.9']))
    await load()
    const resolution = 'select finality, revision, len(payouts) as payouts, resolved_at from market_resolution'
    expect(await ask(resolution)).toEqual([{ finality: 'withdrawn', revision: 2, payouts: 0, resolved_at: null }])
    expect(await ask('select correction_reason as reason from market_observation')).toEqual([
      { reason: 'RESOLUTION_WITHDRAWN' },
    ])
    writeArchive(dir, rows(['s', 'm', 1, '04T02:00', '0', 'F']))
    await load()
    expect(await ask(resolution)).toMatchObject([{ finality: 'final', revision: 3, payouts: 2 }])
  })

  test('a payout that arrives late states its resolution and that it was withdrawn since', async () => {
    writeArchive(dir, rows(['s', 'm', 1, '04T02:00', '0.9']))
    await load('wall')
    writeArchive(dir, rows(['s', 'm', 1, '02T02:00', '1', 'F']))
    await load('wall')
    const history = 'select finality, revision, received_at from market_resolution_history order by revision'
    expect(await ask(history)).toEqual([
      { finality: 'final', revision: 1, received_at: '2026-01-02T02:00:00Z' },
      { finality: 'withdrawn', revision: 2, received_at: '2026-01-04T02:00:00Z' },
    ])
  })
})

describe('the recorded clock is refused', () => {
  const refused = { code: 'VALIDATION_CLOCK_REFUSED' }

  test.each(['02T02:00', '03T02:00'])('for a new row published at %s, before or at the head', async (published) => {
    writeArchive(dir, rows(['s', 'm', 1, '03T02:00', '0.5']))
    await load()
    const before = await rowCounts()
    writeArchive(dir, rows(['s', 'other', 1, published, '0.5'], ['s', 'other', 1, '04T02:00', '0.6']))
    await expect(load()).rejects.toMatchObject(refused)
    expect(await rowCounts()).toEqual(before)
    expect(await load('wall')).toMatchObject({ records_new: 1, records_revised: 1 })
  })

  test('for a new row at or before a seal, and taken right after it', async () => {
    writeArchive(dir, rows(['s', 'm', 1, '03T02:00', '0.5']))
    await load()
    await ask('select 1', '2026-01-10T00:00:00Z')
    writeArchive(dir, rows(['s', 'm', 1, '03T02:00', '0.5'], ['s', 'm', 2, '10T00:00', '0.5']))
    await expect(load()).rejects.toMatchObject(refused)
    writeArchive(dir, rows(['s', 'm', 1, '03T02:00', '0.5'], ['s', 'm', 2, '10T00:00:01', '0.5']))
    expect(await load()).toMatchObject({ records_new: 1, records_duplicate: 1 })
  })

  test('before any table is written: a refused reference record stores no value', async () => {
    writeArchive(dir, [], [questionLine('s', 'm', '2026-01-05T00:00:00Z')])
    await load()
    writeArchive(dir, rows(['s', 'm', 1, '06T02:00', '0.5']), [questionLine('s', 'n', '2026-01-04T00:00:00Z')])
    await expect(load()).rejects.toMatchObject(refused)
    expect(await rowCounts()).toEqual([1, 1, 0, 0, 0])
  })
})

describe('bad input', () => {
  test('malformed records are counted and named; the rest is stored', async () => {
    const good = rows(['s', 'm', 1, '02T02:00', '0.5'], ['s', 'n', 1, '02T02:00', '0.5'])
    const bad = [...rows(['s', 'm', 2, '03T02:00', '1e-3'], ['s', 'm', 2, '03T02:00', '1.5']), 's,c,too,short', '"']
    const questions = [questionLine('s', 'm', '2026-01-01T00:00:00Z'), '{"id": ', '[]', 'null', '{}']
    writeArchive(dir, [good[0]!, ...bad, good[1]!], questions)
    const report = await load()
    expect(report).toMatchObject({ records_read: 10, records_new: 2, records_quarantined: 8, reference_records: 2 })
    expect(report.quarantine.map(({ line, reason }) => [line, reason])).toEqual([
      [3, 'BAD_VALUE'],
      [4, 'VALUE_OUT_OF_RANGE'],
      [5, 'WRONG_COLUMN_COUNT'],
      [6, 'BAD_QUOTES'],
      [2, 'BAD_JSON'],
      [3, 'BAD_JSON'],
      [4, 'BAD_JSON'],
      [5, 'MISSING_FIELD'],
    ])
  })

  const VALUES = 'market_values_bitemporal.csv'
  const QUESTIONS = 'market_questions.jsonl'
  const breakings: [string, string, (dir: string, whole: Buffer) => void][] = [
    ['no values file', 'VALIDATION_INPUT_UNREADABLE', (d) => rmSync(join(d, VALUES))],
    ['no questions file', 'VALIDATION_INPUT_UNREADABLE', (d) => rmSync(join(d, QUESTIONS))],
    ['no folder', 'VALIDATION_INPUT_UNREADABLE', (d) => rmSync(d, { recursive: true })],
    ['an empty values file', 'VALIDATION_ARCHIVE_INVALID', (d) => writeFileSync(join(d, VALUES), '')],
    ['an empty gzip file', 'VALIDATION_ARCHIVE_INVALID', (d) => writeFileSync(join(d, `${VALUES}.gz`), '')],
    [
      'no header',
      'VALIDATION_ARCHIVE_INVALID',
      (d) => writeFileSync(join(d, VALUES), valueLine(['s', 'm', 1, '02T02:00', '1'])),
    ],
    [
      'a cut values file',
      'VALIDATION_ARCHIVE_INVALID',
      (d, whole) => writeFileSync(join(d, `${VALUES}.gz`), whole.subarray(0, -5)),
    ],
    [
      'a cut questions file',
      'VALIDATION_ARCHIVE_INVALID',
      (d, whole) => writeFileSync(join(d, `${QUESTIONS}.gz`), whole.subarray(0, 30)),
    ],
  ]
  test.each(breakings)('%s: %s, and nothing is stored', async (_, code, spoil) => {
    const lines = rows(['s', 'm', 1, '02T02:00', '0.5'])
    writeArchive(dir, lines, [questionLine('s', 'm', '2026-01-01T00:00:00Z')])
    spoil(dir, gzipSync(`${lines.join('\n')}\n`.repeat(100)))
    await expect(load('wall')).rejects.toMatchObject({ code, exit_code: 2 })
    expect(await rowCounts()).toEqual(NO_ROWS)
  })

  test('an unknown kind of archive is a wrong usage', async () => {
    const options = { archive: 'toString', dir, clock: 'wall', warehouse } as const
    await expect(importArchive(options)).rejects.toMatchObject({ code: 'VALIDATION_USAGE_INVALID' })
  })
})

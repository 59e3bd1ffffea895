import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { importArchive } from '../../../operations/import/import-archive.ts'
import { openMemoryDatabase } from '../../../warehouse/duckdb/memory-database.ts'
import { openReadSession } from '../../../warehouse/read/session.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const folder = tempFolder()
let number = 0
let dir: string
let warehouse: Warehouse

beforeEach(async () => {
  number += 1
  dir = join(folder, String(number))
  mkdirSync(join(dir, 'in'), { recursive: true })
  warehouse = await openWarehouse({ root: join(dir, 'warehouse'), create: true })
})
afterEach(() => warehouse.close())

const MAP = {
  columns: { source_market_id: 'contract', source_at: 'ts', bid: 'yes_bid', ask: 'yes_ask' },
  constants: { venue_id: 'v', outcome: 'YES' },
}

async function load(mapping: object, lines: readonly string[] | null, name = 'prices.csv', zero_means_missing = false) {
  const file = join(dir, 'map.yaml')
  writeFileSync(file, stringify(mapping))
  if (lines !== null) writeFileSync(join(dir, 'in', name), `${lines.join('\n')}\n`)
  const options = { mapping: file, warehouse, zero_means_missing }
  return importArchive({ archive: 'quotes', dir: join(dir, 'in'), clock: 'recorded', ...options })
}

async function rows(columns: string, table = 'market_quote'): Promise<Row[]> {
  const session = await openReadSession(warehouse, { as_of: null })
  try {
    return await session.query(`select ${columns} from ${table} order by source_market_id, source_at`)
  } finally {
    await session.close()
  }
}

test('cents at local times: bid and ask, exact, with their texts; other rows say why they are not taken', async () => {
  const report = await load(
    { ...MAP, unit: 'cents', missing: ['NA', '0'], time: { format: 'local', zone: 'America/New_York' } },
    [
      'yes_bid,ts,extra,contract,yes_ask',
      '45,2026-01-01 12:00:00.5,x,A,47.5',
      'NA,2026-01-01 12:05:00,x,A,0',
      '46,2025-11-02 01:30:00,x,A,48', // twice: the clocks go back
      '46,2025-03-09 02:30:00,x,A,48', // never: they go forward
      '146,2026-01-01 12:06:00,x,A,48',
      '0,2026-07-01T12:00,x,B,99',
    ],
  )
  expect(report.input).toEqual({ read: 6, imported: 2, duplicate: 0, redacted: 0, ignored: 1, quarantined: 3 })
  expect(report.quarantine.map(({ line, reason }) => [line, reason])).toEqual([
    [4, 'AMBIGUOUS_TIME'],
    [5, 'BAD_DATE'],
    [6, 'VALUE_OUT_OF_RANGE'],
  ])
  expect(report.ignored).toMatchObject([{ rule: 'NOTHING_STATED', count: 1, line: 3 }])
  expect(await rows('source_market_id, source_at, received_at, bid, ask, last_trade, raw_value')).toMatchObject([
    {
      source_market_id: 'A',
      source_at: '2026-01-01T17:00:00.500Z',
      bid: '0.450000000',
      ask: '0.475000000',
      raw_value: 'bid=45 ask=47.5',
    },
    { source_market_id: 'B', source_at: '2026-07-01T16:00:00Z', bid: null, ask: '0.990000000', raw_value: 'ask=99' },
  ])
  const again = await load(
    { ...MAP, unit: 'cents', missing: ['NA', '0'], time: { format: 'local', zone: 'America/New_York' } },
    null,
  )
  expect(again.input).toMatchObject({ imported: 0, duplicate: 2 })
})

test('bars: the close counts at the end of the bar, never before; a bar that contradicts itself is rejected', async () => {
  const columns = { source_market_id: 'm', source_at: 't', open: 'o', high: 'h', low: 'l', close: 'c', volume_24h: 'v' }
  const report = await load(
    { columns, constants: MAP.constants, time: { format: 'epoch_seconds' }, bar: { stamp: 'start', length: 'PT1H' } },
    ['t,m,o,h,l,c,v', '1767225600,A,0.5,0.7,0.4,0.6,12.5', '1767229200,A,0.5,0.7,0.4,0.8,1'],
  )
  expect(report.quarantine).toMatchObject([{ line: 3, reason: 'FIELDS_DISAGREE' }])
  expect(await rows('source_at, last_trade, last_trade_at, bid')).toEqual([
    { source_at: '2026-01-01T01:00:00Z', last_trade: '0.600000000', last_trade_at: '2026-01-01T01:00:00Z', bid: null },
  ])
  expect(await rows('source_at, volume_24h, open_interest', 'market_metric')).toEqual([
    { source_at: '2026-01-01T01:00:00Z', volume_24h: '12.500000', open_interest: null },
  ])
})

test('bars of odds: the highest odds are the lowest probability', async () => {
  const columns = { source_market_id: 'm', source_at: 't', open: 'o', high: 'h', low: 'l', close: 'c' }
  const mapping = { columns, constants: MAP.constants, unit: 'decimal_odds', bar: { stamp: 'end' } }
  const report = await load(mapping, ['t,m,o,h,l,c', '2026-01-01T00:00:00Z,A,2,4,1.6,2.5'])
  expect(report.quarantine).toEqual([])
  expect(await rows('last_trade, raw_value')).toEqual([
    { last_trade: '0.400000000', raw_value: 'open=2 high=4 low=1.6 close=2.5' },
  ])
})

test('days of a zone end with the day, also where a day has 25 hours', async () => {
  const mapping = {
    columns: { source_market_id: 'm', source_at: 'day', close: 'c' },
    constants: MAP.constants,
    unit: 'percent',
    time: { format: 'day', zone: 'Europe/Berlin' },
    bar: { stamp: 'end', close: 'reported_probability' },
  }
  await load(mapping, ['day,m,c', '2025-10-26,A,61.5%', '2025-10-27,A,.7'])
  expect(await rows('source_at, reported_probability, raw_value')).toEqual([
    { source_at: '2025-10-26T23:00:00Z', reported_probability: '0.615000000', raw_value: '61.5%' },
    { source_at: '2025-10-27T23:00:00Z', reported_probability: '0.007000000', raw_value: '.7' },
  ])
})

test.each([
  ['decimal_odds', '3', '0.333333333'],
  ['decimal_odds', '1.50', '0.666666667'],
  ['american_odds', '+150', '0.400000000'],
  ['american_odds', '-150', '0.600000000'],
  ['probability', '1e-7', '0.000000100'],
  ['probability', '0.12345678950', '0.123456790'],
  ['probability', '0.12345678850', '0.123456788'],
])('%s %s is %s, half even, and its text is kept', async (unit, text, expected) => {
  const columns = { source_market_id: 'm', source_at: 't', reported_probability: 'p' }
  await load({ columns, constants: MAP.constants, unit }, ['t,m,p', `2026-01-01T00:00:00Z,A,${text}`])
  expect(await rows('reported_probability, raw_value')).toEqual([{ reported_probability: expected, raw_value: text }])
})

test('Parquet gives the rows that CSV gives, whatever the types of its columns', async () => {
  const { connection, close } = await openMemoryDatabase()
  const values = `(timestamp '2026-01-01 00:00:00.25', 'A', 'Up', 0.45::decimal(4,2), 0.1::double + 0.2::double, 7::bigint),
    (timestamp '2026-01-01 00:00:01', 'B', 'Down', null, 0.000001::double, null)`
  await connection.run(
    `copy (select * from (values ${values}) t(ts, contract, side, yes_bid, yes_ask, depth)) to '${join(dir, 'in', 'p.parquet')}' (format parquet)`,
  )
  close()
  const mapping = {
    columns: { ...MAP.columns, outcome: 'side', bid_depth: 'depth' },
    constants: { venue_id: 'v' },
    outcomes: ['UP', 'DOWN'],
    labels: { Up: 'UP', Down: 'DOWN' },
    time: { format: 'local', zone: 'UTC' },
  }
  const report = await load(mapping, null)
  expect(report.quarantine).toEqual([])
  expect(await rows('source_market_id, source_at, bid, ask, bid_depth, raw_value')).toEqual([
    {
      source_market_id: 'A',
      source_at: '2026-01-01T00:00:00.250Z',
      bid: '0.450000000',
      ask: '0.300000000',
      bid_depth: '7.000000',
      raw_value: 'bid=0.45 ask=0.30000000000000004',
    },
    {
      source_market_id: 'B',
      source_at: '2026-01-01T00:00:01Z',
      bid: null,
      ask: '0.000001000',
      bid_depth: null,
      raw_value: null,
    },
  ])
  const [market] = await rows(
    'outcome_type, list_transform(outcomes, o -> o.label) as labels, venue_mapping.source_market_id as source_market_id, null as source_at',
    '(select * from market)',
  )
  expect(market).toMatchObject({ outcome_type: 'categorical', labels: ['UP', 'DOWN'] })
})

test('a number that means missing is compared as a number, in CSV and in every type of Parquet, and only in prices and sizes', async () => {
  const mapping = {
    columns: { ...MAP.columns, bid_depth: 'depth', title: 'event' },
    constants: MAP.constants,
    missing: ['0', '-1'],
  }
  const { connection, close } = await openMemoryDatabase()
  const values = `(timestamptz '2026-01-01 00:00:00+00', 'A', '0.0', 0::double, 0.4::double, 0::decimal(8,4)),
    (timestamptz '2026-01-01 00:00:01+00', 'A', '0.0', -1::double, 0::double, null)`
  const file = join(dir, 'in', 'p.parquet')
  await connection.run(
    `copy (select * from (values ${values}) t(ts, contract, event, yes_bid, yes_ask, depth)) to '${file}' (format parquet)`,
  )
  close()
  const report = await load(mapping, [
    'ts,contract,event,yes_bid,yes_ask,depth',
    '2026-01-01T00:00:00Z,B,0.0,0.00,0.4,0.000',
    '2026-01-01T00:00:01Z,B,0.0,-1.0,0e-3,',
  ])
  expect(report.problems).toEqual([])
  expect(report.ignored).toMatchObject([{ rule: 'NOTHING_STATED', count: 2 }])
  const quote = { bid: null, ask: '0.400000000', bid_depth: null, source_at: '2026-01-01T00:00:00Z' }
  expect(await rows('source_market_id, source_at, bid, ask, bid_depth')).toEqual([
    { source_market_id: 'A', ...quote },
    { source_market_id: 'B', ...quote },
  ])
  const titles = await rows('title, 1 as source_market_id, 1 as source_at', '(select title from market)')
  expect(titles.map(({ title }) => title)).toEqual(['0.0', '0.0'])
})

test('with --zero-means-missing a mapped row whose only price is 0 gives no quote', async () => {
  const rows_of = ['ts,contract,yes_bid,yes_ask', '2026-01-01T00:00:00Z,A,0.3,0.4', '2026-01-01T00:00:01Z,A,0,0.0']
  const report = await load(MAP, rows_of, 'prices.csv', true)
  expect(report.input).toMatchObject({ read: 2, imported: 1, ignored: 1 })
  expect(report.ignored).toMatchObject([{ rule: 'ZERO_PRICE', count: 1, line: 3 }])
  expect(await rows('bid, ask, source_market_id, source_at')).toHaveLength(1)
})

test('a value below the stored precision is no zero', async () => {
  const mapping = {
    columns: { source_market_id: 'contract', source_at: 'ts', reported_probability: 'p' },
    constants: MAP.constants,
  }
  const lines = [
    'ts,contract,p',
    '2026-01-01T00:00:00Z,A,0.0000000004',
    '2026-01-01T00:00:01Z,A,1e-30',
    '2026-01-01T00:00:02Z,A,0.0',
  ]
  const report = await load(mapping, lines, 'prices.csv', true)
  expect(report.ignored).toMatchObject([{ rule: 'ZERO_PRICE', count: 1, line: 4 }])
  expect(await rows('raw_value, source_market_id, source_at')).toMatchObject([
    { raw_value: '0.0000000004' },
    { raw_value: '1e-30' },
  ])
})

test('nested columns of Parquet are no columns of a mapping, and no reason to refuse the others', async () => {
  const mapping = {
    columns: { source_market_id: 'm', source_at: 't', reported_probability: 'p' },
    constants: MAP.constants,
  }
  const { connection, close } = await openMemoryDatabase()
  const select = "select 'A' as m, '2026-01-01T00:00:00Z' as t, '0.25' as p, {p: '0.5', q: '1'} as s"
  await connection.run(`copy (${select}) to '${join(dir, 'in', 'n.parquet')}' (format parquet)`)
  close()
  expect((await load(mapping, null)).input).toMatchObject({ read: 1, imported: 1 })
  expect(await rows('reported_probability, source_market_id, source_at')).toMatchObject([
    { reported_probability: '0.250000000' },
  ])
  await expect(load({ ...mapping, columns: { ...mapping.columns, reported_probability: 'q' } }, null)).rejects.toThrow(
    'columns.reported_probability is "q"; allowed: a column of n.parquet: "m", "t", "p", "s"',
  )
})

test('a Parquet file that is cut is named, and nothing is stored', async () => {
  writeFileSync(join(dir, 'in', 'p.parquet'), 'PAR1 and nothing more')
  await expect(load(MAP, null)).rejects.toMatchObject({
    code: 'VALIDATION_ARCHIVE_INVALID',
    message: expect.stringMatching(/^p\.parquet is corrupt: .*; allowed: a complete Parquet file/),
  })
})

test('markets.jsonl beside the files describes their markets; a row of another market is rejected', async () => {
  const market = { received_at: '2026-01-01T00:00:00Z', venue_id: 'v', source_market_id: 'A', title: 'Will it?' }
  writeFileSync(join(dir, 'in', 'markets.jsonl'), `${JSON.stringify(market)}\n`)
  writeFileSync(join(dir, 'in', 'notes.txt'), 'hello')
  const report = await load(MAP, [
    'ts,contract,yes_bid,yes_ask',
    '2026-01-01T00:00:00Z,A,0.4,0.5',
    '2026-01-01T00:00:00Z,B,0.4,0.5',
  ])
  expect(report.input).toMatchObject({ read: 4, imported: 2, ignored: 1, quarantined: 1 })
  expect(report.quarantine).toMatchObject([{ line: 3, reason: 'UNKNOWN_MARKET' }])
})

const WRONG: readonly (readonly [object, string])[] = [
  [
    { ...MAP, columns: { ...MAP.columns, bid: 'yes_bd' } },
    'columns.bid is "yes_bd"; allowed: a column of prices.csv: "ts", "contract", "yes_bid", "yes_ask"',
  ],
  [{ ...MAP, unit: 'pence' }, 'unit is "pence"; allowed: probability, percent, cents, decimal_odds, american_odds'],
  [
    { ...MAP, constants: { venue_id: 'v' } },
    'columns.outcome is missing; allowed: a column of the file, or constants.outcome',
  ],
  [{ ...MAP, time: { format: 'local' } }, 'time.zone is missing; allowed: the IANA name of a time zone'],
  [{ ...MAP, time: { format: 'local', zone: 'New York' } }, 'time.zone is "New York"; allowed: the IANA name'],
  [{ ...MAP, constants: { venue_id: 'v', outcome: true } }, 'constants.outcome is true; allowed: a text; quote YES'],
  [
    { ...MAP, constants: { venue_id: 'v', outcome: 'UP' } },
    'constants.outcome is "UP"; allowed: one of the outcomes YES, NO',
  ],
  [{ ...MAP, columns: { ...MAP.columns, close: 'c' } }, 'bar is missing; allowed: {stamp: start or end'],
  [{ ...MAP, colums: {} }, 'colums is {}; allowed: the fields columns, constants'],
]
test.each(WRONG.map(([mapping, message]) => ({ mapping, message })))(
  'a wrong mapping: $message',
  async ({ mapping, message }) => {
    const loading = load(mapping, ['ts,contract,yes_bid,yes_ask', '2026-01-01T00:00:00Z,A,0.4,0.5'])
    await expect(loading).rejects.toMatchObject({
      code: 'VALIDATION_DEFINITION_INVALID',
      message: expect.stringContaining(`map.yaml: ${message}`),
    })
    expect(await rows('bid')).toEqual([])
  },
)

test('a table with a mark, semicolons and CRLF that is compressed is read once, beside one with tabs', async () => {
  const plain = '\ufeffts;contract;yes_bid;yes_ask\r\n2026-01-01T00:00:00Z;A;0.45;0.47\r\n'
  writeFileSync(join(dir, 'in', 'prices.csv'), plain)
  writeFileSync(join(dir, 'in', 'prices.csv.bz2'), Buffer.from(PACKED_PRICES, 'base64'))
  const report = await load(MAP, ['ts\tcontract\tyes_bid\tyes_ask', '2026-01-01T00:01:00Z\tA\t0.45\t0.48'], 'more.tsv')
  expect(report.input_files.map(({ file, imported, ignored }) => [file, imported, ignored])).toEqual([
    ['more.tsv', 1, 0],
    ['prices.csv', 0, 1],
    ['prices.csv.bz2', 1, 0],
  ])
  expect(report.ignored).toMatchObject([{ rule: 'SECOND_COPY', file: 'prices.csv' }])
  expect(await rows('bid, ask')).toEqual([
    { bid: '0.450000000', ask: '0.470000000' },
    { bid: '0.450000000', ask: '0.480000000' },
  ])
})

test('a refused row says which column holds what, and which unit its epoch is of', async () => {
  const epochs = { ...MAP, time: { format: 'epoch_milliseconds' } }
  const report = await load(epochs, [
    'ts,contract,yes_bid,yes_ask',
    '1767225600,A,0.45,0.47',
    '1767225600000,,0.45,0.47',
    '1767225600000,A,x,0.47',
    '1767225600000,A,0.45,0.47',
  ])
  expect(report.problems.map(({ reason, line, advice }) => [line, reason, advice.split(':')[0]])).toEqual([
    [2, 'BAD_DATE', 'column ts (source_at) holds "1767225600"'],
    [3, 'MISSING_FIELD', 'column contract (source_market_id) is empty'],
    [4, 'BAD_VALUE', 'column yes_bid (bid) holds "x"'],
  ])
  expect(report.problems[0]!.advice).toContain('as epoch_seconds it would be one')
  expect(await rows('bid')).toEqual([{ bid: '0.450000000' }])
})

test('a size of 0 needs no price, another one does; an empty file and a file of another kind end nothing', async () => {
  writeFileSync(join(dir, 'in', 'empty.csv'), '')
  writeFileSync(join(dir, 'in', 'other.jsonl'), '{}')
  const sized = { ...MAP, columns: { ...MAP.columns, bid_depth: 'bid_size' } }
  const report = await load(sized, [
    'ts,contract,yes_bid,yes_ask,bid_size',
    '2026-01-01T00:00:00Z,A,,0.47,0.0',
    '2026-01-01T00:01:00Z,A,,0.48,3',
  ])
  expect(report.problems).toMatchObject([
    { line: 3, advice: 'column bid_size (bid_depth) holds "3": a size needs the price of its side, which is missing' },
  ])
  expect(report.ignored.map(({ rule, file }) => `${rule} ${file}`).sort()).toEqual([
    'EMPTY_FILE empty.csv',
    'OTHER_FILE other.jsonl',
  ])
  expect(await rows('ask')).toEqual([{ ask: '0.470000000' }])
})

/** The plain table of that test, compressed by bzip2. */
const PACKED_PRICES =
  'QlpoOTFBWSZTWdbeOz4AACDfiQASAAN3mCAABBC+KZwgAAiAAKAAVESZNGBDAACDVPUPUeo9DUBoMQEOFVEDw0BiHHUFJwfaVgZspRnBkMT3Bx7oOr6WUFwMTGkhvdPxdyRThQkNbeOz4A=='

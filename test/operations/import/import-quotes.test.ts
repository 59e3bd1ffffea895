import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { auditWarehouse } from '../../../operations/audit/audit-warehouse.ts'
import { QUOTE_COLUMNS, TRADE_COLUMNS } from '../../../pipelines/venues/quotes-archive.ts'
import { importWorld } from '../../support/import-world.ts'

const world = importWorld()
const { ask } = world
const load = (clock: 'wall' | 'recorded' = 'recorded') => world.load({ archive: 'quotes', clock })

const at = (time: string) => `2026-01-01T${time}Z`
const instrument = { venue_id: 'v', source_market_id: 'm' }
const market = (received: string, more: object = {}) =>
  JSON.stringify({ received_at: at(received), ...instrument, title: 'Will it?', ...more })

type Values = Readonly<Record<string, string>>
const csv = (columns: readonly string[], rows: readonly Values[]) =>
  [columns, ...rows.map((row) => columns.map((column) => row[column] ?? ''))]
    .map((fields) => `${fields.join()}\n`)
    .join('')
const quote = (received: string, source: string, more: Values): Values => ({
  received_at: at(received),
  source_at: at(source),
  ...instrument,
  outcome: 'YES',
  ...more,
})

type Files = { markets: string[]; quotes: Values[]; trades?: Values[]; resolutions?: object[] }

function write(files: Files, dir = world.dir): void {
  writeFileSync(join(dir, 'markets.jsonl'), files.markets.join('\n'))
  writeFileSync(join(dir, 'quotes.csv.gz'), gzipSync(csv(QUOTE_COLUMNS, files.quotes)))
  if (files.trades) writeFileSync(join(dir, 'trades.csv'), csv(TRADE_COLUMNS, files.trades))
  if (files.resolutions) {
    writeFileSync(join(dir, 'resolutions.jsonl'), files.resolutions.map((line) => `${JSON.stringify(line)}\n`).join(''))
  }
}

const trade = (received: string, id: string, more: Values = {}): Values => ({
  ...quote(received, '12:00:00', { price: '0.6', quantity: '10', aggressor_side: 'SELL', source_trade_id: id }),
  ...more,
})
const resolution = (received: string, finality: string, payouts: object | null, source = '15:00:00') => ({
  ...instrument,
  received_at: at(received),
  source_at: at(source),
  finality,
  payouts,
  dispute_window_ends_at: finality === 'proposed' ? at('18:00:00') : null,
})

const WHOLE = {
  markets: [
    market('09:00:00', { closes_at: at('14:00:00'), source_series_id: 's' }),
    market('14:00:02', {
      closes_at: at('14:00:00'),
      status: 'closed',
      status_at: at('14:00:00'),
      source_series_id: 's',
    }),
  ],
  quotes: [
    quote('12:00:01', '12:00:00', {
      bid: '0.62',
      ask: '0.64',
      bid_depth: '900',
      ask_depth: '300',
      source_sequence: '5',
    }),
    quote('12:01:01.25', '12:01:00', {
      last_trade: '0.63',
      last_trade_at: at('11:59:59'),
      confirmed_at: at('12:01:01.25'),
    }),
    quote('12:05:00', '12:00:00', { bid: '0.61', ask: '0.64', bid_depth: '900', ask_depth: '300' }),
    quote('12:06:00', '12:01:00', { last_trade: '0.63', last_trade_at: at('11:59:59'), confirmed_at: at('12:06:00') }),
  ],
  trades: [
    trade('12:00:01', 't1'),
    trade('12:00:01', 't2', { quantity: '5' }),
    trade('12:30:00', 't2', { quantity: '5', correction_kind: 'void' }),
  ],
  resolutions: [
    resolution('15:00:01', 'proposed', { YES: '1', NO: '0' }),
    resolution('16:00:00', 'disputed', null),
    resolution('20:00:00', 'final', { YES: '1', NO: '0' }),
  ],
}

test('books, trades, statuses and resolutions are stored with their chains', async () => {
  write(WHOLE)
  expect(await load()).toMatchObject({
    files: ['markets.jsonl', 'quotes.csv.gz', 'trades.csv', 'resolutions.jsonl'],
    records_read: 10,
    records_new: 5,
    records_revised: 4,
    records_quarantined: 0,
    reference_records: 3,
  })
  const quotes = `select bid, ask_depth, last_trade, confirmed_at, revision, correction_reason from market_quote order by source_at`
  expect(await ask(quotes, at('12:02:00'))).toEqual([
    {
      bid: '0.620000000',
      ask_depth: '300.000000',
      last_trade: null,
      confirmed_at: null,
      revision: 1,
      correction_reason: null,
    },
    {
      bid: null,
      ask_depth: null,
      last_trade: '0.630000000',
      confirmed_at: at('12:01:01.250'),
      revision: 1,
      correction_reason: null,
    },
  ])
  expect(await ask(quotes)).toMatchObject([
    { bid: '0.610000000', revision: 2, correction_reason: 'SOURCE_CORRECTION' },
    { confirmed_at: at('12:06:00'), revision: 1, correction_reason: null },
  ])
  const market = 'select status, source_at, correction_reason, schedule.closes_at from market'
  const closed = { source_at: at('14:00:00'), correction_reason: 'STATUS_CHANGED', closes_at: at('14:00:00') }
  expect(await ask(`${market}_history order by revision desc limit 1`)).toEqual([{ status: 'closed', ...closed }])
  expect(await ask(market)).toEqual([{ status: 'resolved', ...closed }])
  const trades = 'select source_trade_id as id, correction_kind, correction_reason from public_trade order by 1'
  expect(await ask(trades)).toEqual([
    { id: 't1', correction_kind: null, correction_reason: null },
    { id: 't2', correction_kind: 'void', correction_reason: 'TRADE_VOIDED' },
  ])
  const finality =
    'select finality, dispute_window_ends_at as ends, len(winning_outcome_ids) as winners from market_resolution'
  expect(await ask(finality, at('15:30:00'))).toEqual([{ finality: 'proposed', ends: at('18:00:00'), winners: 1 }])
  expect(await ask(finality, at('17:00:00'))).toEqual([{ finality: 'disputed', ends: null, winners: 0 }])
  expect(await ask(finality)).toEqual([{ finality: 'final', ends: null, winners: 1 }])
})

test.each(['wall', 'recorded'] as const)('%s clock: a second import adds nothing', async (clock) => {
  write(WHOLE)
  await load(clock)
  const nothing = { records_new: 0, records_revised: 0, records_duplicate: 10, reference_records: 0, commits: 0 }
  expect(await load(clock)).toMatchObject(nothing)
})

test('quotes about instants around a stored one are new, and one about it is its revision', async () => {
  const imported = async (quotes: Values[]) => {
    write({ markets: [market('10:00:00')], quotes })
    return load('wall')
  }
  await imported([quote('12:00:01', '12:00:00', { bid: '0.5' })])
  const around = [quote('13:00:01', '11:00:00', { bid: '0.4' }), quote('13:00:01', '13:00:00', { bid: '0.6' })]
  expect(await imported(around)).toMatchObject({ records_new: 2, records_revised: 0, records_duplicate: 0 })
  const with_stored = [...around, quote('13:00:02', '12:00:00', { bid: '0.55' })]
  expect(await imported(with_stored)).toMatchObject({ records_new: 0, records_revised: 1, records_duplicate: 2 })
})

test('recorded instants within one millisecond keep their microseconds and their order', async () => {
  const values = ['12:00:00.000100', '12:00:00.000200', '12:00:00.000201'].map((received, n) =>
    quote(received, '12:00:00', { reported_probability: `0.${n + 1}` }),
  )
  write({ markets: [market('09:00:00')], quotes: values })
  await load()
  expect(await ask('select value, revision, published_at from market_observation_history order by revision')).toEqual([
    { value: '0.100000000', revision: 1, published_at: at('12:00:00.000100') },
    { value: '0.200000000', revision: 2, published_at: at('12:00:00.000200') },
    { value: '0.300000000', revision: 3, published_at: at('12:00:00.000201') },
  ])
  expect(await ask('select value from market_observation', at('12:00:00.000200'))).toEqual([{ value: '0.200000000' }])
})

test('a correction that moves a trade to another instant finds the trade', async () => {
  write({ markets: [market('09:00:00')], quotes: [], trades: [trade('12:00:01', 't1')] })
  await load()
  const moved = { source_at: at('11:59:00'), correction_kind: 'correction' }
  write({ markets: [market('09:00:00')], quotes: [], trades: [trade('13:00:00', 't1', moved)] })
  expect(await load()).toMatchObject({ records_new: 0, records_revised: 1 })
  expect(await ask('select revision, source_at, correction_reason from public_trade')).toEqual([
    { revision: 2, source_at: at('11:59:00'), correction_reason: 'SOURCE_CORRECTION' },
  ])
})

describe('bad input', () => {
  test('conflicts are told by the values: a crossed book is one, another sequence is not', async () => {
    const row = { bid: '0.5', ask: '0.6' }
    write({
      markets: [market('09:00:00')],
      quotes: [
        quote('12:00:01', '12:00:00', { ...row, source_sequence: '1' }),
        quote('12:00:01', '12:00:00', { ...row, source_sequence: '2' }),
        quote('12:00:01', '12:00:00', { ...row, bid: '0.7' }),
        quote('12:00:01', '12:00:00', { outcome: 'NO', bid: '0.7', ask: '0.6' }),
      ],
    })
    expect(await load()).toMatchObject({
      records_new: 2,
      records_duplicate: 1,
      quarantine: [{ file: 'quotes.csv.gz', line: 4, reason: 'CONFLICTING_VALUE' }],
    })
  })

  test('a quote of a market that the archive does not describe is quarantined', async () => {
    write({ markets: [], quotes: [quote('12:00:01', '12:00:00', { bid: '0.5' })] })
    expect(await load()).toMatchObject({ records_new: 0, quarantine: [{ line: 2, reason: 'UNKNOWN_MARKET' }] })
  })

  test('a trades file without its header stores nothing', async () => {
    write(WHOLE)
    world.put('trades.csv', 'price\n0.5\n')
    await expect(load()).rejects.toMatchObject({ code: 'VALIDATION_ARCHIVE_INVALID' })
    expect((await world.warehouse.log('market').snapshot()).rows).toBe(0)
  })
})

test('two imports of one chain at once: one of them is planned again, as if they had come one after the other', async () => {
  const imports = ['10:00:00', '11:00:00'].map((received, ordinal) => {
    const dir = join(world.dir, String(ordinal))
    mkdirSync(dir)
    const outcomes = { outcomes: ['YES', 'NO'], outcome_type: 'binary' }
    const quotes = [quote(received, '09:00:00', { bid: `0.4${ordinal}`, ask: '0.60' })]
    write({ markets: [market(received, outcomes)], quotes }, dir)
    return world.load({ archive: 'quotes', dir })
  })
  const reports = await Promise.all(imports)
  for (const { input } of reports)
    expect(input.read).toBe(input.imported + input.duplicate + input.ignored + input.quarantined)
  const chain = await ask('select revision, supersedes_id is null as first from market_quote_history order by revision')
  const in_turn = [
    { revision: 1, first: true },
    { revision: 2, first: false },
  ]
  const late_first = [
    { revision: 1, first: true },
    { revision: 2, first: true },
  ]
  expect([in_turn, late_first]).toContainEqual(chain)
  expect(await auditWarehouse(world)).toMatchObject({ violations: [] })
})

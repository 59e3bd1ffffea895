import { once } from 'node:events'
import { readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { auditWarehouse } from '../../../operations/audit/audit-warehouse.ts'
import { importWorld } from '../../support/import-world.ts'
import { recordedData } from '../../support/recorded-data.ts'

/** Recordings as others lay them down, from files to the tables and the report. */

const world = importWorld()
const { put, ask } = world
const load = (archive: string, zero_means_missing = false) => world.load({ archive, zero_means_missing })

const CONDITION = `0x${'ab'.repeat(32)}`
const TOKENS = ['71321045679252212594626385532706912750332728571942532289631379312455583992563', '5211']
const GAMMA = {
  ...{ id: '501', conditionId: CONDITION, question: 'Will it rain?', slug: 'rain', active: true, closed: false },
  ...{ outcomes: '["Yes", "No"]', clobTokenIds: JSON.stringify(TOKENS), updatedAt: '2026-01-05T09:00:00Z' },
}
const TRADE = {
  ...{ proxyWallet: '0x1234', name: 'Somebody', side: 'BUY', asset: TOKENS[0], conditionId: CONDITION, size: 10 },
  ...{ timestamp: 1767607200, transactionHash: '0xaa' },
}

describe('Polymarket', () => {
  test('a price of 10 decimals keeps its text beside 9 digits, and the report says what was redacted', async () => {
    put('market.json', GAMMA)
    put('trades.json', [
      { ...TRADE, price: 0.2972581967 },
      { ...TRADE, transactionHash: '0xbb', price: 0.31 },
    ])
    const report = await load('polymarket')
    expect(report.quarantine).toEqual([])
    expect(await ask('select price, raw_price from public_trade order by price')).toEqual([
      { price: '0.297258197', raw_price: '0.2972581967' },
      { price: '0.310000000', raw_price: null },
    ])
    expect(report.redactions).toEqual([{ rule: 'ACCOUNT_FIELDS', count: 1, file: 'trades.json', line: 1 }])
    expect(await ask("select 1 as found from venue_payload where body like '%Somebody%'")).toEqual([])
    const again = await load('polymarket')
    expect(again.input).toMatchObject({ read: report.input.read, imported: 0, quarantined: 0 })
  })

  test('new_market describes a market, a resolution waits for it, and a change without a book gives the stated prices', async () => {
    const at = 1767607200000
    const about = { market: CONDITION, timestamp: String(at) }
    const lines = [
      {
        ...about,
        event_type: 'market_resolved',
        winning_asset_id: TOKENS[0],
        winning_outcome: 'Yes',
        timestamp: String(at + 1),
      },
      {
        ...about,
        event_type: 'new_market',
        question: 'Will it rain?',
        slug: 'rain',
        assets_ids: TOKENS,
        outcomes: ['Yes', 'No'],
      },
      {
        ...{ ...about, event_type: 'price_change', timestamp: String(at + 2) },
        price_changes: [
          { asset_id: TOKENS[0], price: '0.4', size: '5', side: 'BUY', best_bid: '0.4', best_ask: '0.6' },
        ],
      },
    ]
    put('market_channel.ndjson', lines.map((line) => JSON.stringify(line)).join('\n'))
    const report = await load('polymarket')
    expect(report.quarantine).toEqual([])
    expect(await ask('select title from market')).toEqual([{ title: 'Will it rain?' }])
    expect(await ask('select finality from market_resolution')).toEqual([{ finality: 'final' }])
    expect(await ask('select bid, ask, bid_depth from market_quote where bid is not null')).toEqual([
      { bid: '0.400000000', ask: '0.600000000', bid_depth: null },
    ])
    expect(report.input).toMatchObject({ read: 3, imported: 3 })
  })

  test('a resolution whose market nobody describes is quarantined', async () => {
    put('x.json', {
      ...{ event_type: 'market_resolved', market: CONDITION, timestamp: '1767607200000' },
      winning_asset_id: TOKENS[0],
    })
    const { problems, input } = await load('polymarket')
    expect(problems.map(({ reason }) => reason)).toEqual(['UNKNOWN_MARKET'])
    expect([input.read, input.quarantined]).toEqual([1, 1])
    expect(await ask('select * from market_resolution')).toEqual([])
  })
})

test('day files imported one by one: the whole folder completes them, and earlier answers stay', async () => {
  const at = (second: number) => String(1767607200000 + second * 1000)
  const about = { market: CONDITION, asset_id: TOKENS[0] }
  const levels = { bids: [{ price: '0.4', size: '5' }], asks: [{ price: '0.6', size: '7' }] }
  const book = (second: number) => ({ event_type: 'book', ...about, timestamp: at(second), ...levels })
  const trade = { event_type: 'last_trade_price', ...about, price: '0.5', size: '2', side: 'BUY', timestamp: at(2) }
  const lines = (...messages: object[]) => messages.map((message) => JSON.stringify(message)).join('\n')
  const [all, current] = ['market_quote_history', 'market_quote'].map(
    (view) => `select * from ${view} where bid is not null order by source_at, revision`,
  )
  put('market.json', GAMMA)
  put('two.ndjson', lines(book(9)))
  await load('polymarket')
  const before = await ask(all!)
  const known_at = before.at(-1)!.published_at as string
  expect(before).toMatchObject([{ bid: '0.400000000', last_trade: null, revision: 1 }])

  put('one.ndjson', lines(book(1), trade))
  const report = await load('polymarket')
  expect(report).toMatchObject({ records_revised: 1, records_quarantined: 0 })
  const { record_id, received_at } = before[0]!
  const after = await ask(current!)
  expect(after).toMatchObject([
    { revision: 1, last_trade: null },
    { received_at, revision: 2, last_trade: '0.500000000', supersedes_id: record_id, correction_reason: 'COMPLETED' },
  ])
  expect(after[1]!.record_id).not.toBe(record_id)
  expect(await ask(all!, known_at)).toEqual(before)
  expect((await ask(current!, known_at)).map(({ record_id }) => record_id)).toEqual([record_id])
  const stored = await ask(all!)
  expect(await load('polymarket')).toMatchObject({ records_new: 0, records_revised: 0, records_quarantined: 0 })
  expect(await ask(all!)).toEqual(stored)
  expect((await auditWarehouse({ warehouse: world.warehouse })).violations).toEqual([])
})

test('GDACS: a drought that ends two minutes after the feed was written is kept as written and flagged', async () => {
  const item = (id: string, to: string) =>
    `<item><title>Drought</title><guid>DR${id}</guid><pubDate>Mon, 05 Jan 2026 10:00:00 GMT</pubDate>
    <gdacs:eventtype>DR</gdacs:eventtype><gdacs:eventid>${id}</gdacs:eventid><gdacs:episodeid>1</gdacs:episodeid>
    <gdacs:alertlevel>Orange</gdacs:alertlevel><gdacs:alertscore>2</gdacs:alertscore>
    <gdacs:fromdate>Mon, 05 Jan 2026 01:00:00 GMT</gdacs:fromdate><gdacs:todate>${to}</gdacs:todate>
    <gdacs:datemodified>${to}</gdacs:datemodified></item>`
  put(
    'feed.xml',
    `<?xml version="1.0"?><rss version="2.0" xmlns:gdacs="http://www.gdacs.org"><channel><title>GDACS</title>
    <pubDate>Mon, 05 Jan 2026 10:00:00 GMT</pubDate>${item('1', 'Mon, 05 Jan 2026 10:02:00 GMT')}${item('2', 'Mon, 05 Jan 2026 11:00:00 GMT')}</channel></rss>`,
  )
  const report = await load('gdacs')
  expect(await ask('select source_event_id, ended_at, is_clock_ahead from hazard_alert')).toEqual([
    { source_event_id: 'DR1', ended_at: '2026-01-05T10:02:00Z', is_clock_ahead: true },
  ])
  expect(report.records_clock_ahead).toBe(1)
  expect(report.problems).toMatchObject([{ reason: 'SOURCE_AFTER_RECEIVED', count: 1 }])
})

describe('zeros of tables of records', () => {
  const market = { received_at: '2026-01-05T09:00:00Z', venue_id: 'v', source_market_id: 'm', title: 'M' }
  const head = 'received_at,source_at,venue_id,source_series_id,source_market_id,outcome'
  const quotes_head = `${head},bid,ask,bid_depth,ask_depth,last_trade,last_trade_at,reported_probability,source_sequence,confirmed_at\n`
  const row = (second: number, values: string) =>
    `2026-01-05T10:00:0${second}Z,2026-01-05T10:00:0${second}Z,v,,m,YES,${values}`
  beforeEach(() => {
    put('markets.jsonl', market)
    put(
      'quotes.csv',
      `${quotes_head}${row(0, '0,0.4,0,5,0.0,2026-01-05T10:00:00Z,,,')}\n${row(1, '0.3,0.4,1,5,,,,,')}\n`,
    )
    put(
      'trades.csv',
      `${head},price,quantity,aggressor_side,source_trade_id,source_sequence,correction_kind\n` +
        `${row(2, '0,5,,a,,')}\n${row(3, '0.5,5,,b,,')}\n`,
    )
  })
  const quotes = () =>
    ask('select bid, ask, bid_depth, ask_depth, last_trade, last_trade_at from market_quote order by source_at limit 1')

  test('off: they are values, counted with the first of them', async () => {
    const { zero_values, input } = await load('quotes')
    expect(zero_values).toEqual({ count: 3, read_as_missing: 0, first: { file: 'quotes.csv', line: 2 } })
    expect(await quotes()).toMatchObject([{ bid: '0.000000000', last_trade: '0.000000000' }])
    expect(input).toMatchObject({ read: 5, imported: 5 })
  })

  test('on: they are missing, with what belongs to them, and a trade without a price is ignored', async () => {
    const report = await load('quotes', true)
    expect(report.zero_values).toEqual({ count: 3, read_as_missing: 3, first: { file: 'quotes.csv', line: 2 } })
    expect(await quotes()).toEqual([
      { bid: null, ask: '0.400000000', bid_depth: null, ask_depth: '5.000000', last_trade: null, last_trade_at: null },
    ])
    expect(await ask('select source_trade_id from public_trade')).toEqual([{ source_trade_id: 'b' }])
    expect(report.input).toMatchObject({ read: 5, imported: 4, ignored: 1 })
    expect(report.ignored).toEqual([{ rule: 'ZERO_PRICE', count: 1, file: 'trades.csv', line: 2 }])
  })

  test.each([
    ['a last trade', '0.2,0.4,1,5,,,,,', ',,,,0.0,2026-01-05T10:00:01Z,,,', 1],
    ['a reported probability', ',,,,,,0.3,,', ',,,,,,0,,', 1],
    ['both sides of a book', '0.2,0.4,1,5,,,,,', '0,0,0,0,,,,,', 2],
  ])('on: %s of 0 alone is ignored and takes no place of the quote before', async (_name, before, zero, count) => {
    rmSync(join(world.dir, 'trades.csv'))
    put('quotes.csv', `${quotes_head}${row(0, before)}\n${row(1, zero)}\n${row(2, ',,,,,,,,')}\n`)
    const report = await load('quotes', true)
    expect(report.zero_values).toMatchObject({ count, read_as_missing: count })
    expect(report.input).toMatchObject({ read: 4, imported: 3, ignored: 1 })
    expect(report.ignored).toEqual([{ rule: 'ZERO_PRICE', count: 1, file: 'quotes.csv', line: 3 }])
    // A row without any price is the statement of an empty book.
    expect(await ask('select second(source_at::timestamp) as second from market_quote order by 1')).toHaveLength(2)
  })

  test('an archive without such fields refuses the option', async () => {
    await expect(load('betfair', true)).rejects.toMatchObject({ code: 'VALIDATION_USAGE_INVALID' })
  })
})

test('a link to nothing and a socket are refused by name: what is in a folder is never left out of the report', async () => {
  put('market.json', GAMMA)
  symlinkSync(join(world.dir, 'gone.json'), join(world.dir, 'dangling.json'))
  await expect(load('polymarket')).rejects.toMatchObject({
    code: 'VALIDATION_INPUT_UNREADABLE',
    message: expect.stringMatching(/dangling\.json is a link to nothing; allowed: files and folders/),
  })
  rmSync(join(world.dir, 'dangling.json'))
  const server = createServer().listen(join(world.dir, 'socket'))
  await once(server, 'listening')
  await expect(load('polymarket')).rejects.toThrow(/socket is no file; allowed: files and folders/)
  server.close()
  await once(server, 'close')
  symlinkSync(join(world.dir, 'market.json'), join(world.dir, 'again.json'))
  expect((await load('polymarket')).input).toMatchObject({ imported: 1, duplicate: 1, quarantined: 0 })
})

test('all markets of PredictIt are known without naming the kind', async () => {
  const market = readFileSync(join(recordedData('predictit_api'), 'market_2721.json'), 'utf8')
  put('all.json', `{"markets":[${market}]}`)
  const named = await world.load({ archive: 'payloads' })
  expect(named).toMatchObject({ records_quarantined: 0, input: { quarantined: 0 } })
  expect(await ask('select distinct venue_id from market_quote')).toEqual([{ venue_id: 'predictit' }])
})

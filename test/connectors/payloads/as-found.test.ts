import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { openPayloadArchive } from '../../../connectors/archives/payloads/open-payload-archive.ts'
import type { PayloadKind } from '../../../connectors/archives/payloads/payload-kinds.ts'
import { adviceOn } from '../../../pipelines/venues/quarantine.ts'
import { VENUE_READERS } from '../../../pipelines/venues/venue-readers.ts'
import { formatMicros } from '../../../primitives/instants.ts'
import { recordedData } from '../../support/recorded-data.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { NOW } from '../../support/venue-payload.ts'

/** Files as recorders of others lay them down: each is read, or refused with a reason that says what to do. */

const folder = tempFolder()
let number = 0

/**
 * What the files give: receipts, outcomes of their records, counts of records by kind, reasons of what was refused, and what to do
 * with each.
 */
async function found(kind: Exclude<PayloadKind, 'payloads'>, files: Readonly<Record<string, string | Uint8Array>>) {
  number += 1
  const dir = join(folder, String(number))
  mkdirSync(dir)
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true })
    writeFileSync(join(dir, name), content)
  }
  const archive = await openPayloadArchive(kind, dir, NOW)
  const reader = VENUE_READERS[kind].create_reader(NOW)
  const refused = archive.quarantine.map(({ reason }) => reason)
  const advice = archive.quarantine.map(adviceOn)
  const [received, outcomes, counts] = [new Set<string>(), [] as string[], {} as Record<string, number>]
  for await (const { payloads, quarantine } of archive.batches()) {
    refused.push(...quarantine.map(({ reason }) => reason))
    advice.push(...quarantine.map(adviceOn))
    for (const payload of payloads) {
      received.add(formatMicros(payload.received_at))
      const { outcomes: of_payload = [], quarantine: parts = [], ...records } = reader.read(payload)
      outcomes.push(...of_payload)
      refused.push(...parts.map(({ reason }) => reason))
      for (const [name, list] of Object.entries(records)) counts[name] = (counts[name] ?? 0) + list.length
    }
  }
  return { received: [...received], outcomes, counts, refused, advice }
}
const lines = (...items: readonly (string | object)[]) =>
  items.map((item) => `${typeof item === 'string' ? item : JSON.stringify(item)}\n`).join('')
const AT = '2026-01-05T10:00:00Z'
const LATER = '2026-01-05T10:00:01Z'
const SECONDS = Date.parse(AT) / 1000

const TOKEN = '7'.repeat(77)
const CONDITION = `0x${'ab'.repeat(32)}`
const GAMMA = JSON.stringify({
  ...{
    id: '501',
    conditionId: CONDITION,
    question: 'Rain?',
    slug: 'rain',
    active: true,
    closed: false,
    outcomes: '["Yes", "No"]',
  },
  ...{ clobTokenIds: `["${TOKEN}", "${'8'.repeat(77)}"]`, updatedAt: '2026-01-05T09:00:00Z' },
})
const BOOK = {
  ...{ event_type: 'book', market: CONDITION, asset_id: TOKEN, timestamp: String(SECONDS * 1000), hash: 'h' },
  ...{ bids: [{ price: '0.4', size: '5' }], asks: [{ price: '0.6', size: '5' }] },
}
const POLY_TRADE = {
  ...{ proxyWallet: '0x1', name: 'Somebody', side: 'BUY', asset: TOKEN, conditionId: CONDITION, size: 10, price: 0.4 },
  ...{ timestamp: SECONDS, transactionHash: '0xaa' },
}
const BOOK_OF_KALSHI = { orderbook: { yes: [[40, 10]], no: [[55, 10]] } }
const KALSHI_TICKER = {
  type: 'ticker',
  sid: 1,
  msg: { market_ticker: 'KXA-1', yes_bid: 40, yes_ask: 45, price: 41, ts: SECONDS },
}
const KALSHI_TRADE = {
  ...{ trade_id: 'a', ticker: 'KXA-1', count: 3, yes_price: 41, no_price: 59, taker_side: 'yes', created_time: AT },
}
const BET = {
  ...{
    id: 'b',
    contractId: 'c',
    outcome: 'YES',
    amount: 10,
    shares: 20,
    probBefore: 0.4,
    probAfter: 0.5,
    isFilled: true,
  },
  ...{ createdTime: SECONDS * 1000, fills: [], isRedemption: false },
}
const QUAKE = JSON.parse(
  readFileSync(join(recordedData('usgs_geojson'), 'significant_month_2014-03-24.geojson'), 'utf8'),
).features[0]
const FEED = `<?xml version="1.0"?><rss version="2.0"><channel><pubDate>Mon, 05 Jan 2026 09:59:00 GMT</pubDate></channel></rss>`

const LATER_MS = String((SECONDS + 1) * 1000)
const ASKED = {
  request: { method: 'GET', url: 'https://clob.polymarket.com/ws' },
  ...{ response: { status: 200, headers: {}, body: JSON.stringify(BOOK) }, ts: SECONDS + 1 },
}
/** An entry of a browser's record of requests: an answer that took 250 ms. */
const harEntry = (url: string, mimeType: string, text: string) => ({
  ...{ startedDateTime: AT, time: 249.5, request: { method: 'GET', url, headers: [] } },
  response: { status: 200, headers: [], content: { size: text.length, mimeType, text } },
})

describe('files that are read', () => {
  test.each([
    ['behind a time and a blank', `${LATER} ${JSON.stringify(BOOK)}\n`],
    ['behind seconds and a tab', `${SECONDS + 1}.000\t${JSON.stringify(BOOK)}\n`],
    ['behind a time in brackets', `[${LATER}] ${JSON.stringify(BOOK)}\n`],
    [
      'behind a time and a level, as loggers write',
      `${LATER.replace('Z', ',000Z')} INFO recv: ${JSON.stringify(BOOK)}\n`,
    ],
    ['in a wrapper with an unusual name of the receipt', lines({ recv_ns: (SECONDS + 1) * 1e9, data: BOOK })],
    ['as a text in a wrapper of request and response', lines(ASKED)],
    ['in a pair with its time, line by line', lines([SECONDS + 1, BOOK])],
    ['in a list of pairs', JSON.stringify([[LATER, JSON.stringify(BOOK)]])],
    ['in a list of wrappers in a field', JSON.stringify({ venue: 'x', messages: [{ ts: SECONDS + 1, data: BOOK }] })],
    [
      'in a list of frames, with a mark and CRLF',
      `\ufeff[\r\n[${JSON.stringify({ ...BOOK, timestamp: LATER_MS })}]\r\n]`,
    ],
    ['in a list of texts', JSON.stringify([JSON.stringify({ ...BOOK, timestamp: LATER_MS })])],
    ['as a text on a line', `${JSON.stringify(JSON.stringify({ ...BOOK, timestamp: LATER_MS }))}\n`],
  ])('a message %s', async (_how, content) => {
    const { received, outcomes, refused } = await found('polymarket', { 'market.json': GAMMA, 'log.txt': content })
    expect([refused, outcomes, received.at(-1)]).toEqual([[], ['taken', 'taken'], LATER])
  })

  test('order books line by line, in a file that is named after the market', async () => {
    const book = { orderbook: { yes: [[30, 100]], no: [[65, 44]] } }
    const name = `orderbook_${KALSHI_TICKER.msg.market_ticker}.jsonl`
    const text = `${LATER} ${JSON.stringify(book)}\n`
    const { refused, outcomes, counts } = await found('kalshi', { [name]: text })
    expect([refused, outcomes, counts.books]).toEqual([[], ['taken'], 2])
  })

  test('a document without a time was received with those of its folder, whatever other folders hold', async () => {
    const at = (millis: number) => JSON.stringify({ ...JSON.parse(GAMMA), updatedAt: new Date(millis).toISOString() })
    const market = JSON.parse(at(SECONDS * 1000))
    const books = {
      'a/untimed.json': JSON.stringify([{ ...market, updatedAt: undefined }]),
      'a/market.json': at(SECONDS * 1000),
    }
    const alone = await found('polymarket', books)
    const beside = await found('polymarket', { ...books, 'b/market.json': at(SECONDS * 1000 + 60_000) })
    expect([alone.refused, alone.received]).toEqual([[], [AT]])
    expect(beside.received).toEqual([AT, '2026-01-05T10:01:00Z'])
  })

  test('a document with a mark, as editors write', async () => {
    const { refused, outcomes } = await found('polymarket', { 'market.json': `\ufeff${JSON.stringify(GAMMA)}` })
    expect([refused, outcomes]).toEqual([[], ['taken']])
  })

  test('what the recorder sent comes with the first message that has a time', async () => {
    const sent = { assets_ids: [TOKEN], type: 'market' }
    const { outcomes, refused } = await found('polymarket', { 'market.json': GAMMA, 'ws.jsonl': lines(sent, BOOK) })
    expect([refused, outcomes]).toEqual([[], ['taken', 'CONNECTION', 'taken']])
    const command = { id: 1, cmd: 'subscribe', params: { channels: ['ticker'] } }
    expect((await found('kalshi', { 'ws.jsonl': lines(command, KALSHI_TICKER) })).outcomes).toEqual([
      'CONNECTION',
      'taken',
    ])
  })

  test('one record of a list on a line, accounts taken out', async () => {
    const poly = await found('polymarket', { 'market.json': GAMMA, 'trades.ndjson': lines(POLY_TRADE) })
    expect([poly.refused, poly.counts.trades]).toEqual([[], 1])
    expect((await found('kalshi', { 'trades.ndjson': lines(KALSHI_TRADE) })).counts).toEqual({ trades: 1 })
    expect((await found('manifold', { 'bets.ndjson': lines(BET) })).counts).toMatchObject({ trades: 1, quotes: 1 })
    expect((await found('usgs', { 'quakes.ndjson': lines(QUAKE) })).counts).toEqual({ hazards: 1 })
    expect((await found('usgs', { 'quakes.json': JSON.stringify([QUAKE]) })).counts).toEqual({ hazards: 1 })
  })

  test('a single trade is kept without the account that it names', () => {
    const payload = {
      ...{ venue_id: 'polymarket', endpoint: 'GET /trades', request: null, received_at: NOW, file: 'x' },
      text: JSON.stringify(POLY_TRADE),
    }
    const kept = VENUE_READERS.polymarket.keep(payload)
    expect(kept.redactions).toEqual(['ACCOUNT_FIELDS'])
    expect(kept.payload.text).not.toMatch(/proxyWallet|Somebody/)
    expect(JSON.parse(kept.payload.text)).toMatchObject({ asset: TOKEN, price: '0.4' })
  })

  test('a receipt and a market that stand in the answer itself', async () => {
    const first = { ts: SECONDS, ticker: 'KXA-1', ...BOOK_OF_KALSHI }
    const second = { timestamp: LATER, market_ticker: 'KXA-1', ...BOOK_OF_KALSHI }
    const { received, counts, refused } = await found('kalshi', { 'books.jsonl': lines(first, second) })
    expect([refused, received, counts.books]).toEqual([[], [AT, LATER], 4])
  })

  test('a feed in a wrapper was received when the wrapper says so', async () => {
    const wrapped = { fetched_at: AT, url: '/xml/rss.xml', body: FEED }
    expect((await found('gdacs', { 'a.json': JSON.stringify(wrapped), 'b.jsonl': lines(wrapped) })).received).toEqual([
      AT,
    ])
    expect((await found('gdacs', { rss: FEED })).received).toEqual(['2026-01-05T09:59:00Z'])
  })
})

test('the record of a browser (HAR): answers and messages with their receipts; other parts of the page are one problem', async () => {
  const base = 'https://api.elections.kalshi.com/trade-api/v2'
  const socket = {
    ...harEntry('wss://x', 'x-unknown', ''),
    _webSocketMessages: [{ type: 'receive', time: SECONDS + 2.5, opcode: 1, data: JSON.stringify(KALSHI_TICKER) }],
  }
  const entries = [
    harEntry(`${base}/markets/KXA-1/orderbook`, 'application/json', JSON.stringify(BOOK_OF_KALSHI)),
    harEntry('https://kalshi.com/a.css', 'text/css', 'body { color: red }'),
    harEntry('https://kalshi.com/a.js', 'text/javascript', 'let a = 1'),
    socket,
  ]
  const { received, counts, refused, advice } = await found('kalshi', {
    'kalshi.har': JSON.stringify({ log: { version: '1.2', entries } }, null, 2),
  })
  expect(received).toEqual(['2026-01-05T10:00:00.250Z', '2026-01-05T10:00:02.500Z'])
  expect(counts.books).toBe(2)
  expect(refused).toEqual(['UNKNOWN_SHAPE', 'UNKNOWN_SHAPE', 'UNKNOWN_SHAPE'])
  expect(advice[0]).toContain('text/css')
})

describe('files that are refused', () => {
  const tar = Buffer.alloc(1024)
  tar.write('1.1.bz2')
  tar.write('ustar', 257)
  test.each([
    ['zip', Buffer.from('PK\u0003\u0004 {"op":"mcm"}\n'), 'PACKED_FILE'],
    ['tar', tar, 'PACKED_FILE'],
    ['tar.gz', gzipSync(tar), 'PACKED_FILE'],
    ['zst', Buffer.from('28b52ffd00', 'hex'), 'PACKED_FILE'],
    ['parquet', Buffer.from('PAR1xxxxPAR1'), 'TABLE_FILE'],
    ['db', Buffer.from('SQLite format 3\0xx'), 'TABLE_FILE'],
    ['csv', 'time,price\n1767607200,0.4\n', 'TABLE_FILE'],
    ['tsv', 'time\tprice\n1767607200\t0.4\n', 'TABLE_FILE'],
    ['txt', 'notes of a day\n', 'UNKNOWN_SHAPE'],
    [
      'json',
      JSON.stringify([{ marketId: '1.1', isMarketDataDelayed: false, status: 'OPEN', runners: [] }]),
      'UNKNOWN_SHAPE',
    ],
  ])('.%s is one problem with a reason of its own', async (ending, content, reason) => {
    expect(await found('betfair', { [`x.${ending}`]: content })).toMatchObject({ outcomes: [], refused: [reason] })
  })

  test('a comment of Manifold is no bet', async () => {
    const comment = [{ id: 'c', contractId: 'x', text: 'hello', createdTime: SECONDS * 1000 }]
    expect((await found('manifold', { 'comments.json': JSON.stringify(comment) })).refused).toEqual(['UNKNOWN_SHAPE'])
  })

  const page = '<!DOCTYPE html><html><body>502 Bad Gateway</body></html>'
  const html = JSON.stringify({ fetched_at: AT, url: '/markets', body: page })
  test.each([
    ['error.json', page, 'WEB_PAGE', 'request the data again'],
    ['error.jsonl', page, 'WEB_PAGE', 'request the data again'],
    ['wrapped.json', html, 'WEB_PAGE', 'request the data again'],
    ['a.json', '{"error":"not found"}', 'ERROR_ANSWER', '"not found"'],
    ['b.json', '{"message":"Contract not found"}', 'ERROR_ANSWER', '"Contract not found"'],
    ['c.json', '{"error":{"code":"not_found","message":"no such market"}}', 'ERROR_ANSWER', '"no such market"'],
    ['d.json', '{"code":429,"msg":"slow down","status":"error"}', 'ERROR_ANSWER', '"slow down"'],
    ['e.json', lines({ ts: SECONDS, status: 404, body: { error: 'gone' } }), 'ERROR_ANSWER', '"gone"'],
    ['market.json', GAMMA, 'OTHER_VENUE', 'import it as `polymarket`'],
    ['book.json', JSON.stringify(BOOK_OF_KALSHI), 'NO_RECEIPT', '20260117T000005Z.json'],
    [
      'half.json',
      '{"ticker":"KXA-1","yes_bid":40}',
      'UNKNOWN_SHAPE',
      'nearest is `GET /markets/trades`, known by `trade_id` and `ticker`',
    ],
    ['other.json', '{"a":1,"b":2}', 'UNKNOWN_SHAPE', 'the fields "a, b", which is no answer of kalshi'],
    ['prices.json', '[[1768600000,0.51],[1768600060,0.52]]', 'UNKNOWN_SHAPE', '`quotes --mapping FILE`'],
    ['cut.json', '{"markets":[{"ticker":"KXA', 'BAD_JSON', 'ends too early'],
    ['cut2.json', '{"markets":[{"ticker":"KXA"', 'BAD_JSON', 'ends too early'],
    ['all.json', '{\n"a": 1\n}\n{\n"a": 2\n}\n', 'BAD_JSON', 'write each value on a line of its own'],
    ['broken.json', '{"a": 1, b: 2}', 'BAD_JSON', 'get it again, or leave it out'],
    ['app.log', `2026-01-05 10:00:00,1 - INFO - ${lines(KALSHI_TICKER)}`, 'UNKNOWN_SHAPE', 'with its zone'],
    ['prices.csv', '\ufefftime;price\r\n1767607200;0,4\r\n', 'TABLE_FILE', 'the columns "time, price"'],
    ['utf16.json', Buffer.from('\ufeff{"a":1}', 'utf16le'), 'BAD_ENCODING', 'iconv -f UTF-16'],
    ['latin1.json', Buffer.from('{"title":"Caf\u00e9"}', 'latin1'), 'BAD_ENCODING', 'iconv'],
    ['prices.xlsx', Buffer.from('PK\u0003\u0004......[Content_Types].xml'), 'TABLE_FILE', 'Excel'],
    ['x.zst', Buffer.from('28b52ffd0000', 'hex'), 'PACKED_FILE', 'a zstd file: unpack it'],
    ['x.bin', Buffer.from([1, 2, 0, 3]), 'UNKNOWN_SHAPE', 'neither text'],
    ['nan.json', '{"price": NaN}', 'BAD_JSON', 'which JSON does not have'],
    [
      'map.geojson',
      '{"type":"FeatureCollection","features":[{"properties":{"alertlevel":"Orange","eventid":1}}]}',
      'UNKNOWN_SHAPE',
      'import its RSS feed',
    ],
    ['posts.json', '{"count":1,"results":[{"id":1,"title":"x"}]}', 'UNKNOWN_SHAPE', 'a page of `results`'],
    ['feed.xml', '<rss><channel><item>', 'UNKNOWN_SHAPE', 'ends before </rss>'],
  ])('%s says what it is and what to do, in a sentence', async (name, content, reason, what) => {
    const { refused, advice } = await found('kalshi', { [name]: content })
    expect(new Set(refused)).toEqual(new Set([reason]))
    expect(advice[0]).toContain(what)
    expect(advice[0]).not.toMatch(/\n|undefined/)
  })
})

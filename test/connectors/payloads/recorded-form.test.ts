import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { openPayloadArchive } from '../../../connectors/archives/payloads/open-payload-archive.ts'
import type { QuarantineItem } from '../../../pipelines/venues/quarantine.ts'
import type { VenuePayload } from '../../../pipelines/venues/record.ts'
import { formatMicros, toMicros } from '../../../primitives/instants.ts'
import { tempFolder } from '../../support/temp-folder.ts'

/** Recordings made by hand in the shapes of the venue's documentation. */

const NOW = toMicros('2026-06-01T00:00:00Z')
const MARKET = `0x${'ab'.repeat(32)}`
const AT = '2026-01-17T00:00:05.123Z'
const MS = Date.parse(AT)
const BOOK = { event_type: 'book', asset_id: '11', market: MARKET, bids: [], asks: [], timestamp: String(MS - 1000) }
const GAMMA = { id: '5', conditionId: MARKET, question: 'Q?', outcomes: '["Yes", "No"]', clobTokenIds: '["11", "12"]' }
const folder = tempFolder()
let number = 0

async function read(name: string, content: string | Buffer) {
  number += 1
  const dir = join(folder, String(number))
  mkdirSync(dir)
  writeFileSync(join(dir, name), content)
  const archive = await openPayloadArchive('polymarket', dir, NOW)
  const payloads: VenuePayload[] = []
  const quarantine: QuarantineItem[] = [...archive.quarantine]
  for await (const batch of archive.batches()) {
    payloads.push(...batch.payloads)
    quarantine.push(...batch.quarantine)
  }
  return { payloads, quarantine, ignored: archive.ignored }
}

const book = JSON.stringify(BOOK)
const SECONDS = `${Math.floor(MS / 1000)}.123`

test.each([
  ['a wrapper in seconds', 'a.ndjson', `{"ts":${SECONDS},"message":${book}}\n`],
  ['a wrapper in milliseconds', 'a', `{"recv_ts":${MS},"data":${book}}\n{"recv_ts":${MS},"data":${book}}\n`],
  [
    'a wrapper in nanoseconds, CRLF',
    'a.log',
    `{"ts_wall_ns":${MS}000000,"payload":${book}}\r\n{"ts":${MS},"msg":${book}}\r\n`,
  ],
  ['a message as text', 'a.jsonl', `${JSON.stringify({ received_at: AT, raw: book })}\n`],
  ['a list of wrappers, with a mark', 'a.json', `\ufeff[{"received_at":"${AT}","message":${book}}]`],
  ['pretty-printed', 'a.txt', JSON.stringify({ received_at: AT, body: BOOK }, null, 2)],
  ['compressed without saying so', 'a.dat', gzipSync(`{"ts":${MS},"frame":[${book}]}\n`)],
])('%s: the message, word for word, received then', async (_what, name, content) => {
  const { payloads, quarantine } = await read(name, content)
  expect(quarantine).toEqual([])
  expect(payloads.length).toBeGreaterThan(0)
  for (const { endpoint, received_at, text } of payloads) {
    expect([endpoint, formatMicros(received_at)]).toEqual(['ws market', formatMicros(toMicros(AT))])
    expect(JSON.parse(text)).toEqual(text.startsWith('[') ? [BOOK] : BOOK)
  }
})

test.each([
  ['one market', { ...GAMMA, updatedAt: AT }, 'GET /markets/{id}'],
  ['a list', [{ ...GAMMA, updatedAt: AT }], 'GET /markets'],
  ['a page', { data: [{ ...GAMMA, updatedAt: AT }] }, 'GET /markets'],
  ['one event', { id: '9', title: 'E', updatedAt: AT, markets: [GAMMA] }, 'GET /events/{id}'],
  [
    'a market of CLOB',
    { condition_id: MARKET, tokens: [], accepting_order_timestamp: AT },
    'GET /markets/{condition_id}',
  ],
])('%s is known by its fields, received at its latest instant', async (_what, body, endpoint) => {
  const { payloads, quarantine } = await read('whatever', JSON.stringify(body))
  expect(quarantine).toEqual([])
  expect(payloads).toMatchObject([{ endpoint, received_at: toMicros(AT), text: JSON.stringify(body) }])
})

test('a torn last line, a line of another stream and an empty file are counted', async () => {
  const torn = await read('a.jsonl', `${book}\n{"source":"prices","x":1}\n${book.slice(0, 30)}`)
  expect(torn.payloads).toHaveLength(1)
  expect(torn.quarantine.map(({ line, reason }) => [line, reason])).toEqual([
    [2, 'UNKNOWN_SHAPE'],
    [3, 'BAD_JSON'],
  ])
  expect((await read('b.json', ' \n')).ignored).toEqual([{ file: 'b.json', rule: 'EMPTY_FILE' }])
})

test('a message of the user channel is kept without its text', async () => {
  const { payloads } = await read('a.json', JSON.stringify({ ts: MS, message: { event_type: 'order', owner: 'me' } }))
  expect(payloads).toMatchObject([{ endpoint: 'ws user', text: '' }])
})

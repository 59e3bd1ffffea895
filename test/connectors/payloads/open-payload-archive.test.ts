import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeEach, describe, expect, test } from 'vitest'
import { openPayloadArchive } from '../../../connectors/archives/payloads/open-payload-archive.ts'
import type { PayloadKind } from '../../../connectors/archives/payloads/payload-kinds.ts'
import type { QuarantineItem } from '../../../pipelines/venues/quarantine.ts'
import type { VenuePayload } from '../../../pipelines/venues/record.ts'
import { formatMicros, toMicros } from '../../../primitives/instants.ts'
import { payloadLine, writeArchiveFile, writePayloads } from '../../support/payload-folder.ts'
import { recordedData } from '../../support/recorded-data.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const NOW = toMicros('2026-06-01T00:00:00Z')
const folder = tempFolder()
let dir = ''
let number = 0
beforeEach(() => {
  number += 1
  dir = join(folder, String(number))
  mkdirSync(dir)
})

async function read(kind: PayloadKind, from = dir) {
  const archive = await openPayloadArchive(kind, from, NOW)
  const payloads: VenuePayload[] = []
  const quarantine: QuarantineItem[] = [...archive.quarantine]
  for await (const batch of archive.batches()) {
    payloads.push(...batch.payloads)
    quarantine.push(...batch.quarantine)
  }
  return { files: archive.files, payloads, quarantine }
}

const at = (time: string) => `2026-01-05T${time}Z`
const line = (time: string, body = '{}') => ({ endpoint: 'GET /events', received_at: at(time), body })
const reasons = (items: readonly QuarantineItem[]) => items.map(({ file, line, reason }) => [file, line, reason])

describe('our own form', () => {
  test('payloads of several files come in the order of receipt, word for word', async () => {
    writePayloads(dir, 'b.payloads.jsonl', [line('10:00:01', '{"x": 1e2 }'), line('10:00:04')])
    writePayloads(dir, 'day/a.payloads.jsonl.gz', [line('10:00:02', '"\\u0000 \n'), line('10:00:03')])
    const { files, payloads, quarantine } = await read('kalshi')
    expect(files).toEqual(['b.payloads.jsonl', 'day/a.payloads.jsonl.gz'])
    expect(payloads.map(({ file }) => file)).toEqual([
      'b.payloads.jsonl:1',
      'day/a.payloads.jsonl.gz:1',
      'day/a.payloads.jsonl.gz:2',
      'b.payloads.jsonl:2',
    ])
    expect(payloads.slice(0, 2).map(({ text }) => text)).toEqual(['{"x": 1e2 }', '"\\u0000 \n'])
    expect(quarantine).toEqual([])
  })

  test('a line that is no payload is quarantined with its number; the others are read', async () => {
    const good = payloadLine(line('10:00:00'))
    const lines = [
      good,
      '{',
      payloadLine({ ...line('10:00:01'), venue_id: 'manifold' }),
      payloadLine({ ...line('10:00:01'), received_at: '2026-06-01T00:00:00.000001Z' }),
      payloadLine({ ...line('10:00:01'), received_at: '1999-12-31T23:59:59Z' }),
      payloadLine({ ...line('10:00:01'), received_at: '2026-01-05 10:00' }),
      good.replace('"body":"{}"', '"body":{}'),
      good.replace(',"body":"{}"', ''),
      good.replace('"endpoint":"GET /events",', ''),
      good,
    ]
    writeFileSync(join(dir, 'x.payloads.jsonl'), lines.join('\n'))
    const { payloads, quarantine } = await read('kalshi')
    expect(payloads.map(({ file }) => file)).toEqual(['x.payloads.jsonl:1', 'x.payloads.jsonl:10'])
    expect(reasons(quarantine)).toEqual(
      [
        'BAD_JSON',
        'BAD_FLAG',
        'RECEIVED_IN_FUTURE',
        'BAD_DATE',
        'BAD_DATE',
        'BAD_TEXT',
        'MISSING_FIELD',
        'MISSING_FIELD',
      ].map((reason, n) => ['x.payloads.jsonl', n + 2, reason]),
    )
  })

  test('payloads of any venue stand in an archive of kind payloads', async () => {
    writePayloads(dir, 'x.payloads.jsonl', [line('10:00:00'), { ...line('10:00:01'), venue_id: 'gdacs' }])
    expect((await read('payloads')).payloads.map(({ venue_id }) => venue_id)).toEqual(['kalshi', 'gdacs'])
  })

  test('accounts are left out of what is kept', async () => {
    const trade = { proxyWallet: '0xabc', name: 'Somebody', side: 'BUY', asset: '1', price: 0.5, size: 1, timestamp: 1 }
    writePayloads(dir, 'x.payloads.jsonl', [
      { venue_id: 'polymarket', endpoint: 'GET /trades', received_at: at('10:00:00'), body: [trade] },
    ])
    const { payloads } = await read('polymarket')
    expect(payloads[0]!.text).toContain('"side":"BUY"')
    expect(payloads[0]!.text).not.toMatch(/0xabc|Somebody/)
  })
})

describe('files', () => {
  test('what is no data is passed over; of a plain and a compressed file the compressed one is read', async () => {
    writePayloads(dir, 'x.payloads.jsonl', [line('10:00:00')])
    writePayloads(dir, 'x.payloads.jsonl.gz', [line('10:00:01')])
    for (const name of ['README.md', 'LICENSE.upstream.txt', 'NOTICE.txt', 'SHA256SUMS', '.DS_Store', '.git/x.json']) {
      writeArchiveFile(dir, name, 'text')
    }
    expect(await read('kalshi')).toMatchObject({ files: ['x.payloads.jsonl.gz'], quarantine: [] })
  })

  test('a file of no form known is one quarantined item', async () => {
    writePayloads(dir, 'x.payloads.jsonl', [line('10:00:00')])
    writeArchiveFile(dir, 'prices.parquet', 'PAR1')
    writeArchiveFile(dir, 'other.json', '{"a":1}')
    writeArchiveFile(dir, 'broken.json', '{"_metadata":')
    const { quarantine } = await read('kalshi')
    expect(reasons(quarantine).sort()).toEqual([
      ['broken.json', 1, 'BAD_JSON'],
      ['other.json', 1, 'UNKNOWN_SHAPE'],
      ['prices.parquet', 1, 'TABLE_FILE'],
    ])
  })

  test('a document that is not UTF-8 is quarantined', async () => {
    writePayloads(dir, 'x.payloads.jsonl', [line('10:00:00')])
    writeFileSync(join(dir, 'y.json'), Buffer.from([0x7b, 0xff, 0x7d]))
    expect(reasons((await read('kalshi')).quarantine)).toEqual([['y.json', 1, 'BAD_ENCODING']])
  })

  test.each([
    ['a file of lines', 'x.payloads.jsonl.gz'],
    ['a document', 'x.json.gz'],
    ['a file of no form known', 'x.bin.gz'],
  ])('%s that is cut ends the import before it begins', async (_what, name) => {
    writePayloads(dir, 'a.payloads.jsonl', [line('10:00:00')])
    const whole = gzipSync(`${payloadLine(line('10:00:00', 'x'.repeat(100_000)))}\n`)
    writeFileSync(join(dir, name), whole.subarray(0, whole.length - 9))
    await expect(read('kalshi')).rejects.toMatchObject({ code: 'VALIDATION_ARCHIVE_INVALID' })
  })

  test.each([
    ['a folder without payloads', () => dir],
    ['no folder', () => join(dir, 'none')],
  ])('%s: VALIDATION_INPUT_UNREADABLE', async (_what, where) => {
    await expect(read('kalshi', where())).rejects.toMatchObject({ code: 'VALIDATION_INPUT_UNREADABLE' })
  })
})

const RECORDED: readonly (readonly [PayloadKind, string, number, string, string])[] = [
  ['kalshi', 'kalshi_v2_recorded', 21, '2026-01-12T22:08:10.535294Z', '2026-01-15T20:56:44.412066Z'],
  ['manifold', 'manifold_docs', 3, '2022-05-30T15:21:17.078Z', '2022-08-02T23:34:09.648Z'],
  ['predictit', 'predictit_api', 1, '2019-11-13T02:23:42.105209Z', '2019-11-13T02:23:42.105209Z'],
  ['betfair', 'betfair_stream', 19_176, '2017-06-13T10:53:40.318Z', '2022-07-11T14:47:27.332Z'],
  ['gdacs', 'gdacs_rss', 3, '2019-12-30T00:22:19Z', '2019-12-30T01:35:11Z'],
  ['usgs', 'usgs_geojson', 1, '2014-03-24T12:18:56Z', '2014-03-24T12:18:56Z'],
]

describe('recordings of others', () => {
  test.each(RECORDED)('%s: %s holds %i payloads', async (kind, name, count, first, last) => {
    const { payloads, quarantine } = await read(kind, recordedData(name))
    expect(quarantine).toEqual([])
    expect(payloads).toHaveLength(count)
    expect(formatMicros(payloads[0]!.received_at)).toBe(first)
    expect(formatMicros(payloads.at(-1)!.received_at)).toBe(last)
  })

  test('kalshi: the payload is the text of `response`, and the request says which market', async () => {
    const from = recordedData('kalshi_v2_recorded')
    const { payloads } = await read('kalshi', from)
    const file = readFileSync(join(from, 'series_candlesticks_response.json'), 'utf8')
    const candles = payloads.find((payload) => payload.file === 'series_candlesticks_response.json')!
    expect(file).toContain(`"response": ${candles.text}`)
    expect(candles.request).toBe('/series/KXELONMARS/markets/KXELONMARS-99/candlesticks')
    expect(payloads.map(({ endpoint }) => endpoint)).toContain('GET /markets/{ticker}/orderbook')
  })

  test('betfair: a catalogue is received when the stream of its market begins, and read before it', async () => {
    const { payloads } = await read('betfair', recordedData('betfair_stream'))
    const place = payloads.findIndex(({ endpoint }) => endpoint === 'listMarketCatalogue')
    expect(formatMicros(payloads[place]!.received_at)).toBe('2022-04-19T18:24:33.420Z')
    expect(payloads[place + 1]!.file).toBe('1.197931750.jsonl.gz:1')
  })

  test('betfair: a catalogue without a stream cannot be dated', async () => {
    writeFileSync(join(dir, 'c.json'), '{"marketId":"1.2"}')
    expect(reasons((await read('betfair')).quarantine)).toEqual([['c.json', 1, 'NO_RECEIPT']])
  })

  test('gdacs: a feed that ends before its last tag is not taken', async () => {
    const whole = readFileSync(join(recordedData('gdacs_rss'), 'gdacs-1.xml'), 'utf8')
    writeFileSync(join(dir, 'cut.xml'), whole.slice(0, -200))
    writeFileSync(join(dir, 'whole.xml'), whole)
    const { payloads, quarantine } = await read('gdacs')
    expect(payloads.map(({ text }) => text === whole)).toEqual([true])
    expect(reasons(quarantine)).toEqual([['cut.xml', 1, 'UNKNOWN_SHAPE']])
  })
})

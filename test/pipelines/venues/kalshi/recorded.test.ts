import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { rawField } from '../../../../connectors/archives/payloads/raw-field.ts'
import { parseJsonText } from '../../../../pipelines/text/json-scan.ts'
import { objectOf } from '../../../../pipelines/text/json-text.ts'
import { KALSHI, kalshiEndpointOf, kalshiRequestOf } from '../../../../pipelines/venues/kalshi/endpoints.ts'
import { finestStep } from '../../../../pipelines/venues/kalshi/trading.ts'
import type { VenuePayload } from '../../../../pipelines/venues/record.ts'
import { MICROS_PER_DAY, microsOf, toMicros } from '../../../../primitives/instants.ts'
import { recordedData } from '../../../support/recorded-data.ts'
import { allOf, expectSound, reader } from './payloads.ts'

const folder = recordedData('kalshi_v2_recorded')
const files = readdirSync(folder).filter((file) => file.endsWith('.json'))

/** A recorded file as a payload: the response's own text, the metadata's time and request. */
function recorded(file: string): VenuePayload {
  const text = readFileSync(join(folder, file), 'utf8')
  const metadata = JSON.parse(rawField(text, '_metadata')!)
  const endpoint = kalshiEndpointOf(metadata.endpoint)!
  const received_at = microsOf(metadata.recorded_at)!
  const request = kalshiRequestOf(endpoint, metadata)
  return { venue_id: 'kalshi', endpoint, request, received_at, file, text: rawField(text, 'response')! }
}

const readFile = (file: string) => allOf(reader().read(recorded(file)))

describe('recorded responses of production, January 2026', () => {
  test('all 21 files are of a known endpoint and are read without quarantine', () => {
    const one = reader()
    const read = files.map((file) => {
      const payload = recorded(file)
      const records = allOf(one.read(payload))
      expectSound(records, payload.received_at)
      return [file, records.quarantine.length, records.quotes.length, records.trades.length, records.references.length]
    })
    expect(read).toHaveLength(21)
    expect(read.filter(([, ...counts]) => counts.some((count) => count !== 0))).toEqual([
      ['candlesticks_batch_response.json', 0, 180, 0, 0],
      ['event_candlesticks_response.json', 0, 180, 0, 0],
      ['event_single_response.json', 0, 2, 0, 1],
      ['series_candlesticks_response.json', 0, 180, 0, 0],
      ['trades_list_response.json', 0, 0, 5, 0],
    ])
  })

  test('no zero price leaves the reader on any of the files, nor one at 1', () => {
    const prices = files.flatMap((file) => {
      const { quotes, trades, books } = readFile(file)
      const levels = books.flatMap(({ bids, asks }) => [...bids, ...asks])
      const quoted = quotes.flatMap(({ book }) => [book!.bid, book!.ask, book!.last_trade])
      return [...quoted, ...[...trades, ...levels].map(({ price }) => price)].filter((price) => price !== null)
    })
    expect(prices.length).toBeGreaterThan(1_000)
    expect(prices.filter((price) => price.startsWith('1') || /^0\.0+$/.test(price))).toEqual([])
  })

  test.each([
    ['series_candlesticks_response.json', 22],
    ['candlesticks_batch_response.json', 22],
    // Recorded two days later.
    ['event_candlesticks_response.json', 20],
  ])('%s: 90 daily candles, of which %i have a null close that stays null', (file, count) => {
    const yes = readFile(file).quotes.filter(({ outcome }) => outcome === 'YES')
    expect(yes).toHaveLength(90)
    const raw = [...recorded(file).text.matchAll(/"price":\s*\{\s*"close":\s*(null|\d+)/g)].map(([, close]) => close)
    expect(raw.filter((close) => close === 'null')).toHaveLength(count)
    expect(yes.map(({ book }) => book!.last_trade)).toEqual(
      raw.map((close) => (close === 'null' ? null : `0.${close!.padStart(2, '0')}0000000`)),
    )
    expect(yes.filter(({ book }) => book!.bid === null || book!.ask === null)).toEqual([])
  })

  test('days end at midnight in New York, 04:00Z and later 05:00Z: one step has 90,000 s, and none is a UTC day', () => {
    const ends = readFile('series_candlesticks_response.json')
      .quotes.filter(({ outcome }) => outcome === 'YES')
      .map(({ source_at }) => source_at)
    const steps = ends.slice(1).map((end, n) => (end - ends[n]!) / 1_000_000)
    expect([...new Set(steps)].sort()).toEqual([86_400, 90_000])
    expect(steps.filter((step) => step === 90_000)).toHaveLength(1)
    expect([...new Set(ends.map((end) => (end % MICROS_PER_DAY) / 3_600_000_000))].sort()).toEqual([4, 5])
    // The venue's own days changed over one day after the clocks did: its end is taken as stated, never computed.
    const long = steps.indexOf(90_000)
    expect([ends[long], ends[long + 1]]).toEqual([toMicros('2025-11-03T04:00:00Z'), toMicros('2025-11-04T05:00:00Z')])
  })

  test('the same candles in three responses give the same quotes', () => {
    const values = (file: string) =>
      new Map(
        readFile(file).quotes.map((q) => [
          `${q.source_at} ${q.outcome}`,
          [q.book!.bid, q.book!.ask, q.book!.last_trade],
        ]),
      )
    const single = values('series_candlesticks_response.json')
    expect(values('candlesticks_batch_response.json')).toEqual(single)
    const event = values('event_candlesticks_response.json')
    const common = [...event].filter(([key]) => single.has(key))
    expect(common.length).toBeGreaterThan(170)
    for (const [key, value] of common) expect(single.get(key)).toEqual(value)
  })

  test('a market: texts, status, schedule with 2099, quotes of both outcomes; created_time of year 1 does not matter', () => {
    const { references, quotes, quarantine } = readFile('event_single_response.json')
    expect(quarantine).toEqual([])
    expect(references[0]).toMatchObject({
      source_market_id: 'KXELONMARS-99',
      source_event_id: 'KXELONMARS-99',
      source_series_id: null,
      title: 'Will Elon Musk visit Mars before Aug 1, 2099?',
      event_title: 'Will Elon Musk visit Mars in his lifetime?',
      category: 'World',
      status: 'open',
      outcomes: ['YES', 'NO'],
      closes_at: toMicros('2099-08-01T04:59:00Z'),
    })
    expect(quotes.map(({ outcome, book }) => [outcome, book!.bid, book!.ask, book!.last_trade])).toEqual([
      ['YES', '0.060000000', '0.070000000', '0.060000000'],
      ['NO', '0.930000000', '0.940000000', '0.940000000'],
    ])
    expect(quotes[0]!.book!.confirmed_at).toBe(toMicros('2026-01-12T22:08:10.758401Z'))
  })

  test('five trades at 6 cents, sold to by takers of NO, with microseconds', () => {
    const { trades } = readFile('trades_list_response.json')
    expect(
      trades.map(({ price, quantity, aggressor_side, outcome }) => [outcome, price, quantity, aggressor_side]),
    ).toEqual(Array(5).fill(['YES', '0.060000000', '1.000000', 'SELL']))
    expect(trades[1]!.source_at).toBe(toMicros('2026-01-12T14:59:36.373150Z'))
    expect(trades[0]!.source_trade_id).toBe('961535f3-d80f-5462-e91d-88d4fe6db285')
  })

  test('P12: combinations give no records and no quarantine: markets, their book, their events', () => {
    for (const file of ['markets_list', 'market_single', 'orderbook', 'events_multivariate_list']) {
      const { quarantine, quotes, references, books } = readFile(`${file}_response.json`)
      expect([file, quarantine, quotes, references, books]).toEqual([file, [], [], [], []])
    }
  })

  test('P1: the untouched markets of the recording, were they no combinations: 0/0/100/100 is no quote', () => {
    const payload = recorded('markets_list_response.json')
    const plain = payload.text.replaceAll('KXMVE', 'KXPLAIN').replace(/"mve_[a-z_]+"/g, '"unread"')
    const { quotes, references, quarantine } = allOf(reader().read({ ...payload, text: plain }))
    expect([references.length, quotes.length, quarantine.length]).toEqual([5, 10, 0])
    expect(quotes.flatMap(({ book }) => [book!.bid, book!.ask, book!.last_trade])).toEqual(Array(30).fill(null))
  })

  test('tick_size 1 in a deci_cent market is wrong: the finest step is 0.001', () => {
    const body = objectOf(parseJsonText(recorded('market_single_response.json').text))
    const market = objectOf(body.market)
    expect([market.tick_size, finestStep(market)]).toEqual(['1', '0.001'])
  })

  test('the response is taken from the file as its own text', () => {
    for (const file of files) {
      const whole = readFileSync(join(folder, file), 'utf8')
      const { text } = recorded(file)
      expect(whole).toContain(text)
      expect(JSON.parse(text)).toEqual(JSON.parse(whole).response)
    }
  })

  test('an event or series seen before names the category of a market whose payload has none', () => {
    const one = reader()
    one.read(recorded('events_list_response.json'))
    const market = { ...JSON.parse(recorded('event_single_response.json').text).markets[0] }
    const text = JSON.stringify({ market })
    const { references } = allOf(one.read({ ...recorded('event_single_response.json'), endpoint: KALSHI.market, text }))
    expect(references[0]).toMatchObject({
      category: 'World',
      event_title: 'Will Elon Musk visit Mars in his lifetime?',
    })
  })
})

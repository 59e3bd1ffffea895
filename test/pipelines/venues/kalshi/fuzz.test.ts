import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { rawField } from '../../../../connectors/archives/payloads/raw-field.ts'
import { KALSHI, kalshiEndpointOf, kalshiRequestOf } from '../../../../pipelines/venues/kalshi/endpoints.ts'
import { QUARANTINE_REASONS } from '../../../../pipelines/venues/quarantine.ts'
import type { VenuePayload } from '../../../../pipelines/venues/record.ts'
import { mutatePayload } from '../../../support/mutate-payload.ts'
import { pick, seededRandom } from '../../../support/random.ts'
import { recordedData } from '../../../support/recorded-data.ts'
import { SEED } from '../../../support/seed.ts'
import { sized } from '../../../support/sized.ts'
import { allOf, expectSound, MARKET, MARKET_WITHOUT_CENTS, payload, RECEIVED, reader, UNTOUCHED } from './payloads.ts'

const CASES = sized(500, 15_000)
/** Long lists are cut to this, so that a fault often meets a field that matters. */
const ITEMS_MAX = 3

const folder = recordedData('kalshi_v2_recorded')

/** The recorded responses with shortened lists, and the forms that were never recorded. */
const PAYLOADS: readonly (readonly VenuePayload[])[] = [...recordedPayloads(), ...writtenPayloads(), ...streams()]

function recordedPayloads(): VenuePayload[][] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'))
  return files.map((file) => {
    const text = readFileSync(join(folder, file), 'utf8')
    const metadata = JSON.parse(rawField(text, '_metadata')!)
    const endpoint = kalshiEndpointOf(metadata.endpoint)!
    // No number of these files changes when it is printed again.
    const body = shortened(JSON.parse(rawField(text, 'response')!))
    return [payload(endpoint, body, { request: kalshiRequestOf(endpoint, metadata) })]
  })
}

function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, ITEMS_MAX).map(shortened)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([field, inner]) => [field, shortened(inner)]))
}

function writtenPayloads(): VenuePayload[][] {
  const settled = { ...MARKET_WITHOUT_CENTS, ticker: 'KXB', status: 'finalized', settlement_ts: '2026-03-01T10:00:00Z' }
  const markets = [
    MARKET,
    { ...MARKET_WITHOUT_CENTS, ticker: 'KXA', yes_bid_size_fp: '12.50' },
    { ...UNTOUCHED, ticker: 'KXC' },
    { ...settled, result: 'scalar', settlement_value_dollars: '0.3500' },
    { ...settled, ticker: 'KXD', result: 'yes', settlement_value: 100 },
  ]
  const book = {
    yes_dollars: [
      ['0.0100', '100.00'],
      ['0.0300', '12.50'],
    ],
    no_dollars: [['0.9300', '40.00']],
  }
  const both = {
    ...book,
    yes: [
      [1, 100],
      [3, 12.5],
    ],
    no: [[93, 40]],
  }
  const trade = { trade_id: 't', ticker: 'KXA', created_time: '2026-01-12T15:00:20.897212Z', count_fp: '12.50' }
  const trades = [{ ...trade, yes_price_dollars: '0.0650', no_price_dollars: '0.9350', taker_outcome_side: 'yes' }]
  const close = { end_period_ts: 1_768_194_000, yes_bid: { close: '0.0800' }, yes_ask: { close: '0.1100' }, price: {} }
  const request = '/markets/KXA/orderbook'
  return [
    [payload(KALSHI.markets, { cursor: '', markets })],
    [payload(KALSHI.events, { events: [{ event_ticker: 'KXE', title: 'T', category: 'C', markets }] })],
    [payload(KALSHI.order_book, { orderbook: both }, { request })],
    [payload(KALSHI.order_book, { orderbook_fp: book }, { request })],
    [
      payload(KALSHI.order_books, {
        orderbooks: [
          { ticker: 'KXA', orderbook_fp: book },
          { ticker: 'KXB', orderbook_fp: {} },
        ],
      }),
    ],
    [payload(KALSHI.trades, { trades })],
    [payload(KALSHI.historical_candles, { ticker: 'KXA', candlesticks: [close] })],
    [payload(KALSHI.historical_cutoff, { market_settled_ts: '2025-12-05T00:00:00Z' })],
  ]
}

/** Messages of one connection: any of them may be hit, and all after it are read with what it left. */
function streams(): VenuePayload[][] {
  const ws = (frames: readonly object[]) =>
    frames.map((frame, n) => payload(KALSHI.ws, frame, { received_at: RECEIVED + n * 1_000_000 }))
  const levels = {
    yes_dollars_fp: [
      ['0.0800', '300.00'],
      ['0.2200', '333.00'],
    ],
    no_dollars_fp: [['0.5400', '20.00']],
  }
  const change = (seq: number, side: string, price_dollars: string, delta_fp: string) => ({
    type: 'orderbook_delta',
    sid: 1,
    seq,
    msg: { market_ticker: 'KXA', price_dollars, delta_fp, side, ts_ms: 1_772_000_000_000 + seq },
  })
  const books = [
    { type: 'subscribed', id: 1, msg: { channel: 'orderbook_delta', sid: 1 } },
    { type: 'orderbook_snapshot', sid: 1, seq: 1, msg: { market_ticker: 'KXA', ...levels } },
    change(2, 'yes', '0.2200', '-33.00'),
    change(3, 'no', '0.5600', '1.50'),
    { type: 'orderbook_snapshot', sid: 1, seq: 4, msg: { market_ticker: 'KXB', yes: [[8, 3]], no: [[54, 2]] } },
    change(5, 'yes', '0.2200', '-300.00'),
  ]
  const life = (event_type: string, msg: object) => ({
    type: 'market_lifecycle_v2',
    sid: 2,
    msg: { market_ticker: 'KXA', event_type, ...msg },
  })
  const lives = [
    life('created', { close_ts: 1_775_000_000, additional_metadata: { title: 'T', event_ticker: 'KXE' } }),
    life('activated', {}),
    {
      type: 'ticker',
      sid: 3,
      msg: {
        market_ticker: 'KXA',
        price_dollars: '0.480',
        yes_bid_dollars: '0.450',
        yes_ask_dollars: '0.530',
        ts: 1_772_000_000,
      },
    },
    {
      type: 'trade',
      sid: 4,
      seq: 1,
      msg: { trade_id: 't', market_ticker: 'KXA', yes_price: 55, no_price: 45, count: 10, taker_side: 'no' },
    },
    life('determined', { result: 'scalar', settlement_value: '0.3500', determination_ts: 1_772_000_000 }),
    life('settled', { settled_ts: 1_772_000_001 }),
  ]
  return [ws(books), ws(books), ws(lives), ws(lives)]
}

test(`${CASES} mutated payloads: nothing is thrown, no price outside (0, 1), no zero for missing, no implausible time`, () => {
  const random = seededRandom(SEED)
  let records = 0
  let refused = 0
  for (let n = 0; n < CASES; n += 1) {
    const sequence = pick(PAYLOADS, random)
    const hit = Math.floor(random() * sequence.length)
    const one = reader()
    for (const [place, whole] of sequence.entries()) {
      const sent = place === hit ? { ...whole, text: mutatePayload(whole.text, random) } : whole
      const given = allOf(one.read(sent))
      expectSound(given, sent.received_at)
      expect(
        given.quarantine.filter(({ reason, path }) => !(reason in QUARANTINE_REASONS) || path === undefined),
      ).toEqual([])
      refused += given.quarantine.length
      records += given.quotes.length + given.trades.length + given.resolutions.length
    }
    expectSound(one.finish!(), RECEIVED + sequence.length * 1_000_000)
  }
  // The faults neither spare nor destroy everything.
  expect(records).toBeGreaterThan(CASES)
  expect(refused).toBeGreaterThan(CASES / 10)
})

test('unmutated, the payloads that the faults are made of are read without quarantine', () => {
  for (const sequence of PAYLOADS) {
    const one = reader()
    expect(sequence.flatMap((sent) => allOf(one.read(sent)).quarantine)).toEqual([])
  }
})

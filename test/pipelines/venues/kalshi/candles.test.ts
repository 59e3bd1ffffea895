import { describe, expect, test } from 'vitest'
import { createIdentities } from '../../../../pipelines/revisions/identities.ts'
import { planRevisions } from '../../../../pipelines/revisions/plan-revisions.ts'
import { quoteRule } from '../../../../pipelines/revisions/quote-revisions.ts'
import { KALSHI } from '../../../../pipelines/venues/kalshi/endpoints.ts'
import type { QuoteRecord, VenueReader } from '../../../../pipelines/venues/record.ts'
import { toMicros } from '../../../../primitives/instants.ts'
import { allOf, payload, RECEIVED, read, reader, reasons } from './payloads.ts'

const END = toMicros('2026-02-01T05:00:00Z')
const CANDLE = {
  end_period_ts: END / 1_000_000,
  price: { close: null, previous: 11, previous_dollars: '0.1100' },
  yes_ask: { close: 11, close_dollars: '0.1100', open: 99 },
  yes_bid: { close: 8, close_dollars: '0.0800', open: 99 },
  volume: 0,
}
const single = (candle: object) => read(KALSHI.market_candles, { ticker: 'KXA-1', candlesticks: [candle] })
const facts = (candle: object) => single(candle).quotes.map(({ book }) => [book!.bid, book!.ask, book!.last_trade])

describe('a candle is a quote at the END of its period', () => {
  test('closes of bid and ask; a close of null stays null although `previous` has a price', () => {
    expect(single(CANDLE).quotes[0]).toMatchObject({ source_at: END, source_market_id: 'KXA-1', outcome: 'YES' })
    expect(facts(CANDLE)).toEqual([
      ['0.080000000', '0.110000000', null],
      ['0.890000000', '0.920000000', null],
    ])
    expect(single(CANDLE).quotes[0]!.book!.confirmed_at).toBeNull()
  })

  test('the close of the trades where there were any', () => {
    expect(facts({ ...CANDLE, price: { close: 9, close_dollars: '0.0900' } }).map(([, , last]) => last)).toEqual([
      '0.090000000',
      '0.910000000',
    ])
  })

  test('the later form has no nulls but absent fields', () => {
    const close = (close_dollars: string) => ({ close_dollars })
    expect(facts({ ...CANDLE, price: {}, yes_ask: close('0.1100'), yes_bid: close('0.0800') })).toEqual(facts(CANDLE))
  })

  test('an empty side is written as 0 or 1 dollar: missing, never zero', () => {
    const empty = {
      ...CANDLE,
      yes_bid: { close: 0, close_dollars: '0.0000' },
      yes_ask: { close: 100, close_dollars: '1.0000' },
    }
    expect(facts(empty)).toEqual([
      [null, null, null],
      [null, null, null],
    ])
  })

  test('historical candles write dollars under the plain names; cents there are out of range', () => {
    const historical = (close: string) => ({
      ...CANDLE,
      price: { close: null, previous: '0.1100' },
      yes_bid: { close },
      yes_ask: { close: '0.1100' },
    })
    const read_it = (close: string) =>
      read(KALSHI.historical_candles, { ticker: 'KXA-1', candlesticks: [historical(close)] })
    expect(read_it('0.0800').quotes.map(({ book }) => book!.bid)).toEqual(['0.080000000', '0.890000000'])
    expect(reasons(read_it('8'))).toEqual(['VALUE_OUT_OF_RANGE'])
  })
})

describe('candles of several periods that end together', () => {
  const traded = { ...CANDLE, price: { close: 9, close_dollars: '0.0900' } }
  const body = (candle: object) => ({ ticker: 'KXA-1', candlesticks: [candle] })
  const readBoth = (one: VenueReader, ...candles: object[]) =>
    candles.flatMap((candle, n) => {
      const received_at = RECEIVED + n * 1_000_000
      return allOf(one.read(payload(KALSHI.market_candles, body(candle), { received_at }))).quotes
    })
  const plan = (quotes: QuoteRecord[]) => {
    const rule = quoteRule(createIdentities())
    const decisions = planRevisions(quotes, quotes.map(rule.chainOf), new Map(), rule)
    return decisions.map((decision) => {
      if (typeof decision === 'string') return decision
      return 'confirms_id' in decision ? 'confirms' : decision.correction_reason
    })
  }

  test('an hour without a trade does not undo the trade of the day that it ends', () => {
    const quotes = readBoth(reader(), traded, CANDLE)
    expect(quotes.map(({ book }) => book!.last_trade)).toEqual([
      '0.090000000',
      '0.910000000',
      '0.090000000',
      '0.910000000',
    ])
    expect(plan(quotes)).toEqual([null, null, 'confirms', 'confirms'])
  })

  test('nor where the day was read by another import; the other way round the day completes the hour', () => {
    const later = { ...CANDLE, price: { close: null } }
    const apart = [...readBoth(reader(), traded), ...readBoth(reader(), later, later).slice(2)]
    expect(plan(apart)).toEqual([null, null, 'duplicate', 'duplicate'])
    expect(plan(readBoth(reader(), CANDLE, traded))).toEqual([null, null, 'COMPLETED', 'COMPLETED'])
    const empty = { ...CANDLE, yes_bid: { close: 0 }, yes_ask: { close: 100 } }
    expect(plan(readBoth(reader(), empty, { ...empty, price: traded.price }))).toEqual([
      null,
      null,
      'COMPLETED',
      'COMPLETED',
    ])
  })

  test('another side at the same end is a correction, and the trade stays', () => {
    const quotes = readBoth(reader(), traded, { ...CANDLE, yes_bid: { close: 7, close_dollars: '0.0700' } })
    expect(plan(quotes)).toEqual([null, null, 'SOURCE_CORRECTION', 'SOURCE_CORRECTION'])
    expect(quotes[2]!.book).toMatchObject({ bid: '0.070000000', last_trade: '0.090000000' })
  })
})

describe('batch and event', () => {
  test('each list belongs to its ticker; combinations are left out', () => {
    const batch = {
      markets: [
        { market_ticker: 'KXA-1', candlesticks: [CANDLE] },
        { market_ticker: 'KXMVE-1', candlesticks: [CANDLE] },
        { market_ticker: 'KXB-1', candlesticks: null },
      ],
    }
    expect(read(KALSHI.markets_candles, batch).quotes).toMatchObject([
      { source_market_id: 'KXA-1', outcome: 'YES', path: 'markets[0].candlesticks[0]' },
      { source_market_id: 'KXA-1', outcome: 'NO' },
    ])
    const event = { market_tickers: ['KXA-1', 'KXB-1'], market_candlesticks: [[CANDLE], [CANDLE]], adjusted_end_ts: 1 }
    expect(read(KALSHI.event_candles, event).quotes.map((q) => q.source_market_id)).toEqual([
      'KXA-1',
      'KXA-1',
      'KXB-1',
      'KXB-1',
    ])
  })

  test('candles that no ticker belongs to are refused', () => {
    const records = read(KALSHI.event_candles, { market_tickers: ['KXA-1'], market_candlesticks: [[CANDLE], [CANDLE]] })
    expect([records.quotes.length, records.quarantine[0]!.path, reasons(records)]).toEqual([
      2,
      'market_candlesticks[1]',
      ['MISSING_FIELD'],
    ])
  })
})

describe('refused', () => {
  test.each([
    ['cents against dollars', { ...CANDLE, yes_bid: { close: 9, close_dollars: '0.0800' } }, 'FIELDS_DISAGREE'],
    ['a period that has not ended', { ...CANDLE, end_period_ts: 1_772_460_000 }, 'SOURCE_AFTER_RECEIVED'],
    ['neither bid nor ask', { ...CANDLE, yes_bid: null, yes_ask: null }, 'MISSING_FIELD'],
    ['milliseconds far away', { ...CANDLE, end_period_ts: 253_402_300_800_000 }, 'BAD_DATE'],
    ['no end', { ...CANDLE, end_period_ts: null }, 'MISSING_FIELD'],
  ])('%s', (_, candle, reason) => {
    expect(reasons(single(candle))).toEqual([reason])
  })
})

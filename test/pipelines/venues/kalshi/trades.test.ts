import { describe, expect, test } from 'vitest'
import { KALSHI } from '../../../../pipelines/venues/kalshi/endpoints.ts'
import { formatMicros } from '../../../../primitives/instants.ts'
import { allOf, payload, RECEIVED, read, reader, reasons } from './payloads.ts'

const OLD = {
  trade_id: '961535f3-d80f-5462-e91d-88d4fe6db285',
  ticker: 'KXELONMARS-99',
  created_time: '2026-01-12T15:00:20.897212Z',
  count: 12,
  price: 0.06,
  taker_side: 'no',
  yes_price: 6,
  yes_price_dollars: '0.0600',
  no_price: 94,
  no_price_dollars: '0.9400',
}
const { ticker, trade_id, created_time } = OLD
const NEW = {
  ...{ ticker, trade_id, created_time },
  count_fp: '12.50',
  yes_price_dollars: '0.0650',
  no_price_dollars: '0.9350',
  taker_outcome_side: 'yes',
  taker_book_side: 'bid',
  is_block_trade: false,
}
const one = (trade: object) => read(KALSHI.trades, { cursor: '', trades: [trade] })
const facts = (trade: object) => one(trade).trades.map((t) => [t.outcome, t.price, t.quantity, t.aggressor_side])

describe('old and newer form', () => {
  test('a taker of NO sold YES; a taker of YES bought it', () => {
    expect(facts(OLD)).toEqual([['YES', '0.060000000', '12.000000', 'SELL']])
    expect(facts({ ...OLD, taker_side: 'yes' })).toEqual([['YES', '0.060000000', '12.000000', 'BUY']])
    expect(facts(NEW)).toEqual([['YES', '0.065000000', '12.500000', 'BUY']])
    expect(facts({ ...NEW, taker_outcome_side: 'no', taker_book_side: 'ask' })).toEqual([
      ['YES', '0.065000000', '12.500000', 'SELL'],
    ])
  })

  test('the taker is null where the venue does not name him; contradicting or unknown words are refused', () => {
    const { taker_outcome_side, taker_book_side, ...unnamed } = NEW
    expect(facts(unnamed)[0]![3]).toBeNull()
    expect(reasons(one({ ...NEW, taker_book_side: 'ask' }))).toEqual(['FIELDS_DISAGREE'])
    expect(reasons(one({ ...OLD, taker_side: 'maybe' }))).toEqual(['BAD_FLAG'])
  })

  test('`price` is a float duplicate: ignored, whatever it holds', () => {
    for (const price of [0.06, 0.060000000000000005, 'x', null]) expect(facts({ ...OLD, price })).toEqual(facts(OLD))
  })

  test('the price for NO alone gives the price for YES', () => {
    const { yes_price, yes_price_dollars, ...no_alone } = OLD
    expect(facts(no_alone)[0]![1]).toBe('0.060000000')
  })

  test('of cents that are a cent apart, as both are rounded, the price for YES counts as it is stated', () => {
    const { yes_price_dollars, no_price_dollars, ...cents } = OLD
    expect(facts({ ...cents, yes_price: 33, no_price: 68 })[0]![1]).toBe('0.330000000')
    expect(facts({ ...cents, yes_price: 33, no_price: 66 })[0]![1]).toBe('0.330000000')
    expect(reasons(one({ ...cents, yes_price: 33, no_price: 69 }))).toEqual(['FIELDS_DISAGREE'])
  })

  test('historical trades have the same form', () => {
    expect(read(KALSHI.historical_trades, { trades: [NEW] }).trades).toHaveLength(1)
  })

  test('P10: source time with seven digits, as it was to the microsecond', () => {
    const [trade] = one({ ...OLD, created_time: '2026-01-12T15:00:20.8972129Z' }).trades
    expect(formatMicros(trade!.source_at)).toBe('2026-01-12T15:00:20.897212Z')
  })
})

describe('refused', () => {
  test.each([
    ['yes and no that are not complements', { ...NEW, no_price_dollars: '0.9400' }, 'FIELDS_DISAGREE'],
    ['cents against dollars', { ...OLD, yes_price: 7 }, 'FIELDS_DISAGREE'],
    ['count against count_fp', { ...OLD, count_fp: '13.00' }, 'FIELDS_DISAGREE'],
    ['a price of 0', { ...NEW, yes_price_dollars: '0.0000', no_price_dollars: '1.0000' }, 'MISSING_FIELD'],
    ['0 contracts', { ...NEW, count_fp: '0.00' }, 'MISSING_FIELD'],
    ['negative contracts', { ...NEW, count_fp: '-1.00' }, 'VALUE_OUT_OF_RANGE'],
    ['no id', { ...NEW, trade_id: '' }, 'MISSING_FIELD'],
    ['year 1', { ...NEW, created_time: '0001-01-01T00:00:00Z' }, 'BAD_DATE'],
    ['after its receipt', { ...NEW, created_time: '2026-03-02T12:00:00.000001Z' }, 'SOURCE_AFTER_RECEIVED'],
  ])('%s', (_, trade, reason) => {
    expect(reasons(one(trade))).toEqual([reason])
  })

  test('a fraction of a contract beside its whole count agrees', () => {
    expect(facts({ ...NEW, count: 12 })).toEqual(facts(NEW))
    expect(facts({ ...NEW, count: 13 })).toEqual(facts(NEW))
    expect(reasons(one({ ...NEW, count: 14 }))).toEqual(['FIELDS_DISAGREE'])
  })
})

describe('P13: dedup by trade_id', () => {
  test('overlapping pages and the websocket repeat a trade: it is given once', () => {
    const same = reader()
    const page = payload(KALSHI.trades, { trades: [NEW, { ...NEW, trade_id: 't2' }] })
    expect(allOf(same.read(page)).trades).toHaveLength(2)
    expect(allOf(same.read(page)).trades).toHaveLength(0)
    const message = { type: 'trade', sid: 3, seq: 9, msg: { ...NEW, market_ticker: NEW.ticker, ts: 1_768_230_020 } }
    expect(allOf(same.read(payload(KALSHI.ws_trade, message))).trades).toHaveLength(0)
  })

  test('the same id with other values is a correction and passes', () => {
    const same = reader()
    const counts = ['12.50', '12.50', '13.00', '13.00'].map(
      (count_fp) => allOf(same.read(payload(KALSHI.trades, { trades: [{ ...NEW, count_fp }] }))).trades.length,
    )
    expect(counts).toEqual([1, 0, 1, 0])
  })

  test('P12: trades of combinations are left out', () => {
    expect(read(KALSHI.trades, { trades: [{ ...NEW, ticker: 'KXMVE-1' }, NEW] }).trades).toMatchObject([
      { source_market_id: 'KXELONMARS-99', received_at: RECEIVED, path: 'trades[1]' },
    ])
  })
})

import { describe, expect, test } from 'vitest'
import { rememberingReaders } from '../../../pipelines/text/fields.ts'
import {
  type KnownOutcomes,
  marketKey,
  parseQuoteRow,
  parseTradeRow,
  QUOTE_COLUMNS,
  TRADE_COLUMNS,
} from '../../../pipelines/venues/quotes-archive.ts'
import { parseMarketLine, parseResolutionLine } from '../../../pipelines/venues/quotes-archive-lines.ts'
import { toMicros } from '../../../primitives/instants.ts'

const NOW = toMicros('2026-06-01T00:00:00Z')
const OUTCOMES: KnownOutcomes = new Map([
  [marketKey('v', 'm'), ['YES', 'NO']],
  [marketKey('v', 'three'), ['RED', 'GREEN', 'BLUE']],
])
const ARCHIVE = { outcomes: OUTCOMES, read: rememberingReaders(), now: NOW }
const origin = { file: 'f', line: 2, text: 'row' }

const QUOTE: Record<(typeof QUOTE_COLUMNS)[number], string> = {
  received_at: '2026-01-01T00:00:01.5Z',
  source_at: '2026-01-01T00:00:01Z',
  venue_id: 'v',
  source_series_id: '',
  source_market_id: 'm',
  outcome: 'YES',
  bid: '0.62',
  ask: '0.64',
  bid_depth: '900',
  ask_depth: '300.5',
  last_trade: '0.63',
  last_trade_at: '2026-01-01T00:00:00Z',
  reported_probability: '',
  source_sequence: '17',
  confirmed_at: '2026-01-01T00:00:01.5Z',
}
const quote = (changes: Partial<typeof QUOTE>) =>
  parseQuoteRow({ ...origin, fields: QUOTE_COLUMNS.map((c) => ({ ...QUOTE, ...changes })[c]) }, ARCHIVE)

describe('quotes.csv', () => {
  test('a row, worked', () => {
    expect(quote({})).toEqual({
      record: {
        file: 'f',
        line: 2,
        venue_id: 'v',
        source_series_id: null,
        source_market_id: 'm',
        outcome: 'YES',
        source_at: toMicros('2026-01-01T00:00:01Z'),
        received_at: toMicros('2026-01-01T00:00:01.5Z'),
        reported_probability: null,
        raw_value: null,
        is_final: false,
        text: 'row',
        book: {
          bid: '0.620000000',
          ask: '0.640000000',
          bid_depth: '900.000000',
          ask_depth: '300.500000',
          last_trade: '0.630000000',
          last_trade_at: toMicros('2026-01-01T00:00:00Z'),
          source_sequence: 17,
          confirmed_at: toMicros('2026-01-01T00:00:01.5Z'),
        },
      },
    })
  })

  test('what the venue did not show is null, never zero; a crossed book is kept for the mark rules to refuse', () => {
    const empty = {
      bid: '',
      ask: '',
      bid_depth: '',
      ask_depth: '',
      last_trade: '',
      last_trade_at: '',
      source_sequence: '',
    }
    expect(quote(empty)).toMatchObject({ record: { book: { bid: null, ask_depth: null, last_trade_at: null } } })
    expect(quote({ bid: '0.7' })).toMatchObject({ record: { book: { bid: '0.700000000', ask: '0.640000000' } } })
    expect(quote({ reported_probability: '0.12345678951' })).toMatchObject({
      record: { reported_probability: '0.123456790', raw_value: '0.12345678951' },
    })
  })

  test.each([
    [{ bid: '0.1234567891' }, 'BAD_VALUE'],
    [{ bid: '1e-2' }, 'BAD_VALUE'],
    [{ ask: '1.01' }, 'VALUE_OUT_OF_RANGE'],
    [{ bid: '-0.01' }, 'VALUE_OUT_OF_RANGE'],
    [{ bid_depth: '-1' }, 'VALUE_OUT_OF_RANGE'],
    [{ bid_depth: '0.0000001' }, 'BAD_VALUE'],
    [{ bid_depth: '1000000000000' }, 'BAD_VALUE'],
    [{ bid: '' }, 'MISSING_FIELD'],
    [{ last_trade_at: '' }, 'MISSING_FIELD'],
    [{ last_trade: '' }, 'MISSING_FIELD'],
    [{ last_trade_at: '2026-01-01T00:00:02Z' }, 'SOURCE_AFTER_RECEIVED'],
    [{ confirmed_at: '2026-01-01T00:00:02Z' }, 'SOURCE_AFTER_RECEIVED'],
    [{ confirmed_at: '2026-01-01T00:00:00Z' }, 'BAD_DATE'],
    [{ source_sequence: '1.5' }, 'BAD_VALUE'],
    [{ outcome: 'MAYBE' }, 'UNKNOWN_OUTCOME'],
    [{ source_market_id: 'other' }, 'UNKNOWN_MARKET'],
    [{ source_at: '2026-01-01T00:00:03Z' }, 'SOURCE_AFTER_RECEIVED'],
    [{ received_at: '2026-06-01T00:00:01Z' }, 'RECEIVED_IN_FUTURE'],
  ])('%j is %s', (changes, reason) => {
    expect(quote(changes)).toMatchObject({ reason })
  })

  test('the largest quantity that the column holds is taken', () => {
    expect(quote({ bid_depth: '999999999999.999999' })).toHaveProperty('record')
  })
})

const TRADE: Record<(typeof TRADE_COLUMNS)[number], string> = {
  received_at: '2026-01-01T00:00:01Z',
  source_at: '2026-01-01T00:00:00Z',
  venue_id: 'v',
  source_series_id: 's',
  source_market_id: 'm',
  outcome: 'NO',
  price: '0.4',
  quantity: '12',
  aggressor_side: 'BUY',
  source_trade_id: 't-1',
  source_sequence: '',
  correction_kind: '',
}
const trade = (changes: Partial<typeof TRADE>) =>
  parseTradeRow({ ...origin, fields: TRADE_COLUMNS.map((c) => ({ ...TRADE, ...changes })[c]) }, ARCHIVE)

describe('trades.csv', () => {
  test.each([
    [{}, { price: '0.400000000', quantity: '12.000000', aggressor_side: 'BUY', correction_kind: null }],
    [
      { aggressor_side: '', correction_kind: 'void' },
      { aggressor_side: null, correction_kind: 'void' },
    ],
    [
      { quantity: '0', correction_kind: 'void' },
      { quantity: '0.000000', correction_kind: 'void' },
    ],
  ])('%j', (changes, record) => {
    expect(trade(changes)).toMatchObject({ record })
  })

  test.each([
    [{ price: '' }, 'MISSING_FIELD'],
    [{ quantity: '' }, 'MISSING_FIELD'],
    [{ quantity: '0' }, 'VALUE_OUT_OF_RANGE'],
    [{ source_trade_id: '' }, 'MISSING_FIELD'],
    [{ aggressor_side: 'buy' }, 'BAD_FLAG'],
    [{ correction_kind: 'bust' }, 'BAD_FLAG'],
  ])('%j is %s', (changes, reason) => {
    expect(trade(changes)).toMatchObject({ reason })
  })
})

describe('markets.jsonl', () => {
  const LINE = { received_at: '2026-01-01T00:00:00Z', venue_id: 'v', source_market_id: 'm', title: 'Will it?' }
  const market = (changes: object) => parseMarketLine(origin, { ...LINE, ...changes }, NOW)

  test('a status has its own instant, without one the line is about its receipt', () => {
    expect(market({})).toMatchObject({
      record: { status: null, outcome_type: 'binary', outcomes: ['YES', 'NO'], source_at: toMicros(LINE.received_at) },
    })
    expect(market({ status: 'closed', status_at: '2025-12-31T23:00:00Z' })).toMatchObject({
      record: { status: 'closed', source_at: toMicros('2025-12-31T23:00:00Z') },
    })
    expect(market({ outcomes: ['RED', 'GREEN'] })).toMatchObject({ record: { outcome_type: 'categorical' } })
  })

  test.each([
    [{ status: 'halted', status_at: '2025-12-31T23:00:00Z' }, 'BAD_FLAG'],
    [{ status: 'closed' }, 'MISSING_FIELD'],
    [{ status: 'closed', status_at: '2026-01-01T00:00:01Z' }, 'SOURCE_AFTER_RECEIVED'],
    [{ outcomes: ['YES'] }, 'BAD_TEXT'],
    [{ outcomes: ['A', 'A'] }, 'BAD_TEXT'],
    [{ outcomes: ['A', 5] }, 'BAD_TEXT'],
    [{ outcomes: 'YES' }, 'BAD_TEXT'],
    [{ title: '' }, 'MISSING_FIELD'],
    [{ closes_at: 'soon' }, 'BAD_DATE'],
  ])('%j is %s', (changes, reason) => {
    expect(market(changes)).toMatchObject({ reason })
  })
})

describe('resolutions.jsonl', () => {
  const LINE = {
    received_at: '2026-01-02T00:00:00Z',
    source_at: '2026-01-01T00:00:00Z',
    venue_id: 'v',
    source_market_id: 'm',
    finality: 'final',
    payouts: { NO: '0', YES: '1' } as unknown,
  }
  const resolution = (changes: Partial<typeof LINE>) =>
    parseResolutionLine(origin, { ...LINE, ...changes }, OUTCOMES, NOW)

  test('payouts are listed in the order of the outcomes', () => {
    expect(resolution({})).toMatchObject({
      record: {
        finality: 'final',
        payouts: [
          { outcome: 'YES', payout: '1.000000000' },
          { outcome: 'NO', payout: '0.000000000' },
        ],
      },
    })
    expect(resolution({ finality: 'disputed', payouts: null })).toMatchObject({ record: { payouts: [] } })
    expect(resolution({ source_market_id: 'three', payouts: { RED: '0.5', GREEN: '0.5', BLUE: '0' } })).toHaveProperty(
      'record',
    )
  })

  test.each([
    [{ payouts: { YES: '1' } }, 'MISSING_FIELD'],
    [{ payouts: null }, 'MISSING_FIELD'],
    [{ payouts: { YES: '1', NO: '0.1' } }, 'PAYOUTS_NOT_ONE'],
    [{ payouts: { YES: 1, NO: 0 } }, 'BAD_VALUE'],
    [{ payouts: { YES: '1', NO: '0', MAYBE: '0' } }, 'UNKNOWN_OUTCOME'],
    [{ payouts: ['1', '0'] }, 'BAD_TEXT'],
    [{ finality: 'done' }, 'BAD_FLAG'],
    [{ source_market_id: 'other' }, 'UNKNOWN_MARKET'],
    [{ source_at: '2026-01-03T00:00:00Z' }, 'SOURCE_AFTER_RECEIVED'],
  ])('%j is %s', (changes, reason) => {
    expect(resolution(changes)).toMatchObject({ reason })
  })
})

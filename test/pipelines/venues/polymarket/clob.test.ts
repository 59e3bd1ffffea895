import { describe, expect, test } from 'vitest'
import { toMicros } from '../../../../primitives/instants.ts'
import {
  AT,
  CONDITION,
  clobBook,
  DOWN_TOKEN,
  knowingReader,
  NO_TOKEN,
  newReader,
  OTHER_CONDITION,
  refusals,
  YES_TOKEN,
} from './support/payloads.ts'

describe('GET /book and POST /books', () => {
  test('real captures list the best level last: always sort; the quote has the best prices with their depths', () => {
    const { books, quotes, quarantine } = knowingReader()('GET /book', clobBook())
    expect(quarantine).toEqual([])
    const common = {
      file: 'recorded.jsonl',
      line: 1,
      path: '$',
      venue_id: 'polymarket',
      source_series_id: null,
      source_market_id: CONDITION,
      outcome: 'YES',
      source_at: toMicros('2026-10-01T11:59:59.123Z'),
      received_at: AT,
    }
    expect(books).toEqual([
      {
        ...common,
        source_sequence: null,
        price_unit: 'probability',
        bids: [
          { price: '0.301000000', quantity: '25.333333' },
          { price: '0.300000000', quantity: '57.500000' },
          { price: '0.001000000', quantity: '1000.000000' },
        ],
        asks: [
          { price: '0.305000000', quantity: '99.170000' },
          { price: '0.310000000', quantity: '12.000000' },
          { price: '0.999000000', quantity: '4800.000000' },
        ],
        asks_derived: false,
        overround: null,
      },
    ])
    expect(quotes).toEqual([
      {
        ...common,
        reported_probability: null,
        raw_value: null,
        is_final: false,
        text: '',
        book: {
          bid: '0.301000000',
          ask: '0.305000000',
          bid_depth: '25.333333',
          ask_depth: '99.170000',
          last_trade: '0.304000000',
          last_trade_at: null,
          source_sequence: null,
          confirmed_at: AT,
        },
      },
    ])
  })

  test('hand-written books list the best level first, or in no order: the book is the same', () => {
    const { bids, asks } = clobBook() as { bids: unknown[]; asks: unknown[] }
    const read = (changes: object) => knowingReader()('GET /book', clobBook({ ...changes })).books
    const expected = read({})
    expect(read({ bids: bids.toReversed(), asks: asks.toReversed() })).toEqual(expected)
    expect(read({ bids: [bids[1], bids[0], bids[2]], asks: [asks[2], asks[0], asks[1]] })).toEqual(expected)
  })

  test('a side may be [] and last_trade_price "": missing is null, never 0', () => {
    const { books, quotes, quarantine } = knowingReader()('GET /book', clobBook({ asks: [], last_trade_price: '' }))
    expect([quarantine, books[0]?.asks]).toEqual([[], []])
    expect(quotes[0]?.book).toMatchObject({ bid: '0.301000000', ask: null, ask_depth: null, last_trade: null })
    const empty = knowingReader()('GET /book', clobBook({ bids: [], asks: [], last_trade_price: '0' }))
    expect([empty.books.length, empty.quotes[0]?.book?.bid, empty.quotes[0]?.book?.last_trade]).toEqual([1, null, null])
  })

  test('an absent side is no book', () => {
    expect(refusals(knowingReader()('GET /book', clobBook({ asks: undefined })))).toEqual(['$ MISSING_FIELD'])
    expect(refusals(knowingReader()('GET /book', clobBook({ bids: null })))).toEqual(['$ MISSING_FIELD'])
    expect(refusals(knowingReader()('GET /book', { error: 'No orderbook exists for the requested token id' }))).toEqual(
      ['$ UNKNOWN_SHAPE'],
    )
  })

  test('books are per token: each outcome has its own, none is derived', () => {
    const no = clobBook({ asset_id: NO_TOKEN, bids: [{ price: '0.695', size: '99.17' }], asks: [] })
    const { books } = knowingReader()('POST /books', [clobBook(), no])
    expect(books.map((b) => [b.path, b.line, b.outcome, b.asks_derived])).toEqual([
      ['$[0]', 1, 'YES', false],
      ['$[1]', 2, 'NO', false],
    ])
  })

  test('one bad book is quarantined, not its siblings', () => {
    const broken = [
      clobBook({ asset_id: '12345' }),
      clobBook({ asset_id: DOWN_TOKEN }),
      clobBook({ timestamp: '1790855999' }),
      clobBook({ timestamp: '1790856000501' }),
      clobBook({ bids: [{ price: '1.01', size: '1' }] }),
      clobBook({ bids: [{ price: '0', size: '1' }] }),
      clobBook({ bids: [{ price: '0.5', size: '-1' }] }),
      clobBook({
        bids: [
          { price: '0.5', size: '1' },
          { price: '0.50', size: '2' },
        ],
      }),
      clobBook({ bids: [['0.5', '1']] }),
      clobBook(),
    ]
    const found = knowingReader()('POST /books', broken)
    expect(refusals(found)).toEqual([
      '$[0] UNKNOWN_OUTCOME',
      '$[1] FIELDS_DISAGREE',
      '$[2] BAD_DATE',
      '$[3] SOURCE_AFTER_RECEIVED',
      '$[4] VALUE_OUT_OF_RANGE',
      '$[5] MISSING_FIELD',
      '$[6] VALUE_OUT_OF_RANGE',
      '$[7] FIELDS_DISAGREE',
      '$[8] UNKNOWN_SHAPE',
    ])
    expect(found.books.map(({ path }) => path)).toEqual(['$[9]'])
  })

  test('a level of size 0 is dropped; a repeated level counts once; ".48" is 0.48', () => {
    const bids = [
      { price: '0.5', size: '0' },
      { price: '.48', size: '30' },
      { price: '.480', size: '30.0' },
    ]
    const { books } = knowingReader()('GET /book', clobBook({ bids }))
    expect(books[0]?.bids).toEqual([{ price: '0.480000000', quantity: '30.000000' }])
  })

  test('P2: asks that cost more than 1 together and a crossed book are kept as they are', () => {
    const crossed = clobBook({ bids: [{ price: '0.6', size: '1' }], asks: [{ price: '0.5', size: '2' }] })
    expect(knowingReader()('GET /book', crossed).quotes[0]?.book).toMatchObject({
      bid: '0.600000000',
      ask: '0.500000000',
    })
    const dear = [
      clobBook({ asks: [{ price: '0.9', size: '1' }] }),
      clobBook({ asset_id: NO_TOKEN, asks: [{ price: '0.95', size: '1' }] }),
    ]
    const { quotes } = knowingReader()('POST /books', dear)
    expect(quotes.map((q) => q.book?.ask)).toEqual(['0.900000000', '0.950000000'])
  })

  test('a book without a time is of its receipt', () => {
    expect(knowingReader()('GET /book', clobBook({ timestamp: '' })).books[0]?.source_at).toBe(AT)
  })

  test('P17: the same book read later is confirmed then, its own time unmoved', () => {
    const fed = knowingReader()
    const [first] = fed('GET /book', clobBook()).quotes
    const [later] = fed('GET /book', clobBook(), { received_at: AT + 60_000_000 }).quotes
    expect(later?.source_at).toBe(first?.source_at)
    expect(later?.book?.confirmed_at).toBe(AT + 60_000_000)
  })
})

describe('GET /prices-history', () => {
  const history = (points: unknown, request: string | null = `/prices-history?market=${YES_TOKEN}&fidelity=60`) =>
    knowingReader()('GET /prices-history', { history: points }, { request })

  test('t is epoch seconds, 2 to 27 s after the hour; p is a midpoint, which may be half a tick (P8, P11)', () => {
    const { quotes, quarantine } = history([
      { t: 1790852402, p: 0.0005 },
      { t: 1790856000, p: 0.3035 },
    ])
    expect(quarantine).toEqual([])
    expect(quotes[0]).toEqual({
      file: 'recorded.jsonl',
      line: 1,
      path: 'history[0]',
      venue_id: 'polymarket',
      source_series_id: null,
      source_market_id: CONDITION,
      outcome: 'YES',
      source_at: toMicros('2026-10-01T11:00:02Z'),
      received_at: AT,
      reported_probability: '0.000500000',
      raw_value: '0.0005',
      is_final: false,
      text: '',
      book: null,
    })
    expect(quotes[1]?.source_at).toBe(toMicros('2026-10-01T12:00:00Z'))
  })

  test('P9: the raw text is kept, with all its digits', () => {
    const text = '{"history":[{"t":1790852402,"p":0.45530000000000004},{"t":1790852403,"p":5e-05}]}'
    const { quotes } = knowingReader()('GET /prices-history', text, { request: `/prices-history?market=${YES_TOKEN}` })
    expect(quotes.map((q) => [q.reported_probability, q.raw_value])).toEqual([
      ['0.455300000', '0.45530000000000004'],
      ['0.000050000', '5e-05'],
    ])
  })

  test('P14: several closed markets return an empty history, which is no error', () => {
    expect(history([])).toMatchObject({ quotes: [], quarantine: [] })
  })

  test('P15: a last point of 0.9975 is no payout', () => {
    expect(history([{ t: 1790852402, p: 0.9975 }])).toMatchObject({ quotes: [{ is_final: false }], resolutions: [] })
  })

  test('the answer names no token, so the request must, and it must be a known one', () => {
    const points = [{ t: 1790852402, p: 0.5 }]
    expect(refusals(history(points, null))).toEqual(['$ MISSING_FIELD'])
    expect(refusals(history(points, '/prices-history?startTs=5'))).toEqual(['$ MISSING_FIELD'])
    expect(refusals(history(points, '/prices-history?market=12'))).toEqual(['$ UNKNOWN_OUTCOME'])
    expect(
      history(points, `https://clob.example/prices-history?fidelity=60&market=${DOWN_TOKEN}`).quotes[0],
    ).toMatchObject({
      source_market_id: OTHER_CONDITION,
      outcome: 'Down',
    })
  })

  test('points in milliseconds, without a value, at 0, outside [0, 1] or of the future are refused one by one', () => {
    const found = history([
      { t: 1790852402000, p: 0.5 },
      { t: 1790852402 },
      { t: 1790852402, p: 0 },
      { t: 1790852402, p: 1.5 },
      { t: 1790852402, p: 'NaN' },
      { t: 1790856001, p: 0.5 },
      { t: 1790852402, p: 0.5 },
    ])
    expect(refusals(found)).toEqual([
      'history[0] BAD_DATE',
      'history[1] MISSING_FIELD',
      'history[2] MISSING_FIELD',
      'history[3] VALUE_OUT_OF_RANGE',
      'history[4] BAD_VALUE',
      'history[5] SOURCE_AFTER_RECEIVED',
    ])
    expect(found.quotes).toHaveLength(1)
    expect(refusals(history({ a: 1 }))).toEqual(['$ UNKNOWN_SHAPE'])
    expect(refusals(newReader()('GET /prices-history', [], { request: null }))).toEqual(['$ UNKNOWN_SHAPE'])
  })
})

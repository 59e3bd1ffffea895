import { describe, expect, test } from 'vitest'
import { KALSHI } from '../../../../pipelines/venues/kalshi/endpoints.ts'
import { expectSound, RECEIVED, read, reasons, sides } from './payloads.ts'

const REQUEST = { request: '/trade-api/v2/markets/KXA-1/orderbook?depth=0' }
const one = (body: object, changes: object = REQUEST) => read(KALSHI.order_book, body, changes)

/** 3 and 1 cents bid for YES, 93 and 90 for NO, in no order. */
const DOLLARS = {
  yes_dollars: [
    ['0.0100', '100.00'],
    ['0.0300', '12.50'],
  ],
  no_dollars: [
    ['0.9000', '7.00'],
    ['0.9300', '40.00'],
  ],
}
const CENTS = {
  yes: [
    [1, 100],
    [3, 12.5],
  ],
  no: [
    [90, 7],
    [93, 40],
  ],
}

const YES_BOOK = {
  outcome: 'YES',
  bids: [
    { price: '0.030000000', quantity: '12.500000' },
    { price: '0.010000000', quantity: '100.000000' },
  ],
  asks: [
    { price: '0.070000000', quantity: '40.000000' },
    { price: '0.100000000', quantity: '7.000000' },
  ],
  asks_derived: true,
  price_unit: 'probability',
  overround: null,
}

describe('only bids for yes and no: the asks of one are one minus the bids of the other', () => {
  test.each([
    ['old form, cents and dollars', { orderbook: { ...CENTS, ...DOLLARS } }],
    ['old form, cents alone', { orderbook: CENTS }],
    ['old form, dollars alone', { orderbook: DOLLARS }],
    ['newer form', { orderbook_fp: DOLLARS }],
    ['newer form beside a withdrawn old one', { orderbook: null, orderbook_fp: DOLLARS }],
  ])('%s', (_, body) => {
    const records = one(body)
    expectSound(records, RECEIVED)
    expect(records.books).toMatchObject([
      { ...YES_BOOK, source_market_id: 'KXA-1', source_at: RECEIVED },
      {
        outcome: 'NO',
        bids: [
          { price: '0.930000000', quantity: '40.000000' },
          { price: '0.900000000', quantity: '7.000000' },
        ],
        asks: [
          { price: '0.970000000', quantity: '12.500000' },
          { price: '0.990000000', quantity: '100.000000' },
        ],
      },
    ])
    expect(records.quotes.map(({ book }) => [book!.bid, book!.bid_depth, book!.ask, book!.ask_depth])).toEqual([
      ['0.030000000', '12.500000', '0.070000000', '40.000000'],
      ['0.930000000', '40.000000', '0.970000000', '12.500000'],
    ])
    expect(records.quotes[0]!.book).toMatchObject({ confirmed_at: RECEIVED, last_trade: null, source_sequence: null })
  })

  test.each([
    ['null', { orderbook: { yes: null, no: null, yes_dollars: null, no_dollars: null } }],
    ['absent', { orderbook: {} }],
    ['a list of none', { orderbook_fp: { yes_dollars: [], no_dollars: [] } }],
  ])('an empty side is %s: an empty book, and nobody quotes', (_, body) => {
    const { books, quotes } = one(body)
    expect(books.map(({ bids, asks }) => [...bids, ...asks])).toEqual([[], []])
    expect(sides({ quotes })).toEqual([
      ['YES', null, null],
      ['NO', null, null],
    ])
  })

  test('P2: one side alone has no complement on the other', () => {
    expect(sides(one({ orderbook_fp: { yes_dollars: DOLLARS.yes_dollars, no_dollars: null } }))).toEqual([
      ['YES', '0.030000000', null],
      ['NO', null, '0.970000000'],
    ])
  })

  test('the batch gives one book after another, combinations left out', () => {
    const items = [
      { ticker: 'KXA-1', orderbook_fp: DOLLARS },
      { ticker: 'KXMVE-1', orderbook_fp: 'nonsense' },
      { ticker: 'KXB-1', orderbook_fp: 'nonsense' },
      { ticker: 'KXC-1', orderbook_fp: {} },
    ]
    const { books, quarantine } = read(KALSHI.order_books, { orderbooks: items })
    expect(books.map(({ source_market_id, outcome }) => [source_market_id, outcome])).toEqual([
      ['KXA-1', 'YES'],
      ['KXA-1', 'NO'],
      ['KXC-1', 'YES'],
      ['KXC-1', 'NO'],
    ])
    expect(quarantine).toEqual([{ file: 'f.json', line: 3, path: 'orderbooks[2]', reason: 'UNKNOWN_SHAPE' }])
  })
})

describe('refused', () => {
  test('a book whose request is not known names no market', () => {
    for (const request of [null, '/markets', '/markets//orderbook', '/events/KXA/orderbook']) {
      expect(reasons(one({ orderbook: CENTS }, { request }))).toEqual(['MISSING_FIELD'])
    }
  })

  test('cents that hold other contracts or another best price than the dollars', () => {
    expect(reasons(one({ orderbook: { ...DOLLARS, yes: [[3, 12.5]] } }))).toEqual(['FIELDS_DISAGREE'])
    expect(
      reasons(
        one({
          orderbook: {
            ...DOLLARS,
            yes: [
              [1, 100],
              [4, 12.5],
            ],
          },
        }),
      ),
    ).toEqual(['FIELDS_DISAGREE'])
    expect(reasons(one({ orderbook: { ...DOLLARS, yes: [] } }))).toEqual(['FIELDS_DISAGREE'])
  })

  test('cents of a finer grid hold the same contracts at rounded prices', () => {
    const yes_dollars = [
      ['0.0310', '5.00'],
      ['0.0350', '6.00'],
    ]
    expect(reasons(one({ orderbook: { yes_dollars, yes: [[3, 11]] } }))).toEqual([])
  })

  test.each([
    [
      'a price twice',
      [
        ['0.03', '1'],
        ['0.0300', '2'],
      ],
      'FIELDS_DISAGREE',
    ],
    ['a price at 0', [['0.0000', '1']], 'MISSING_FIELD'],
    ['a price at 1', [['1.0000', '1']], 'MISSING_FIELD'],
    ['a price above 1', [['1.0001', '1']], 'VALUE_OUT_OF_RANGE'],
    ['a negative quantity', [['0.03', '-1']], 'VALUE_OUT_OF_RANGE'],
    ['a level without a quantity', [['0.03']], 'MISSING_FIELD'],
    ['a level that is none', ['0.03'], 'UNKNOWN_SHAPE'],
    ['an exponent', [['3e-2', '1']], 'BAD_VALUE'],
  ])('%s', (_, yes_dollars, reason) => {
    expect(reasons(one({ orderbook_fp: { yes_dollars } }))).toEqual([reason])
  })

  test('a level of 0 contracts is no level', () => {
    expect(one({ orderbook_fp: { yes_dollars: [['0.03', '0.00']] } }).books[0]!.bids).toEqual([])
  })
})

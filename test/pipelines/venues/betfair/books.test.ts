import { describe, expect, test } from 'vitest'
import type { BookRecord, VenueRecords } from '../../../../pipelines/venues/record.ts'
import { change, definition, image, line, readAll, START } from './messages.ts'

/** Each book as outcome, second, bids and asks, prices and sizes without needless zeros. */
function briefly({ books }: Required<Omit<VenueRecords, 'outcomes' | 'changed' | 'zeros'>>) {
  const levels = (side: BookRecord['bids']) => side.map(({ price, quantity }) => [Number(price), Number(quantity)])
  return books.map(({ outcome, source_at, bids, asks }) => {
    return [outcome, (source_at - START) / 1e6, levels(bids), levels(asks)]
  })
}

const FIRST = [
  [
    '11',
    0,
    [
      [2, 10],
      [1.5, 20],
    ],
    [[2.1, 5]],
  ],
  ['12', 0, [[4, 3]], [[4.2, 5.5]]],
  ['13', 0, [[5, 1]], []],
]

describe('a book of odds', () => {
  test('has what is available to back as bids, the highest odds best, and to lay as asks, the lowest best', () => {
    const records = readAll([image(0)])
    expect(briefly(records)).toEqual(FIRST)
    expect(records.books[0]).toEqual({
      file: 'stream.jsonl',
      line: 1,
      path: 'mc[0]',
      venue_id: 'betfair',
      source_series_id: null,
      source_market_id: '1.1',
      outcome: '11',
      source_at: START,
      received_at: START,
      source_sequence: null,
      price_unit: 'decimal_odds',
      bids: [
        { price: '2.000000000', quantity: '10.000000' },
        { price: '1.500000000', quantity: '20.000000' },
      ],
      asks: [{ price: '2.100000000', quantity: '5.000000' }],
      asks_derived: false,
      overround: '-0.050000000',
    })
  })

  test('size 0 deletes a level, another size is its new total', () => {
    const rc = [
      {
        id: 11,
        atb: [
          [2, 0],
          [1.5, 7],
          [1.9, 1],
        ],
        atl: [[2.1, 0]],
      },
    ]
    const records = readAll([image(0), change(1, { rc })])
    expect(briefly(records)[0]).toEqual([
      '11',
      1,
      [
        [1.9, 1],
        [1.5, 7],
      ],
      [],
    ])
  })

  test('img replaces the books of all runners, also of those that it does not name', () => {
    const records = readAll([image(0), change(60, { img: true, rc: [{ id: 12, atb: [[3, 1]] }] })])
    expect(briefly(records).slice(3)).toEqual([
      ['11', 60, [], []],
      ['12', 60, [[3, 1]], []],
      ['13', 60, [], []],
    ])
  })

  test('an image without levels begins with empty books', () => {
    const records = readAll([image(0, { rc: [] }), change(1, { rc: [{ id: 11, atb: [[2, 1]] }] })])
    expect(briefly(records)).toEqual([
      ['11', 1, [[2, 1]], []],
      ['12', 1, [], []],
      ['13', 1, [], []],
    ])
  })

  test('last price, traded volume and ladders cut to a depth are no levels', () => {
    const rc = [{ id: 11, ltp: 1.01, tv: 9, trd: [[1.01, 9]], bdatb: [[0, 1.01, 9]], batl: [[0, 1.01, 9]] }]
    expect(briefly(readAll([image(0), change(1, { rc, tv: 9, con: true })]))[0]!.slice(2)).toEqual(FIRST[0]!.slice(2))
  })

  test('a stream of last prices has no books, which is not empty ones, but quotes of the last trades', () => {
    const records = readAll([image(0, { rc: [{ id: 11, ltp: 2 }] }), change(70, { rc: [{ id: 11, ltp: 3 }] })])
    expect([records.books, records.quarantine]).toEqual([[], []])
    const traded = records.quotes.map(({ outcome, book }) => [outcome, book!.last_trade, book!.last_trade_at])
    // An image repeats the last trade, whose time it does not say.
    expect(traded).toEqual([
      ['11', '0.500000000', null],
      ['11', '0.333333333', START + 70e6],
    ])
  })
})

describe('handicaps', () => {
  test('a runner with a handicap is an outcome of its own', () => {
    const runners = [
      { id: 11, hc: -0.5, status: 'ACTIVE' },
      { id: 11, hc: 0.0, status: 'ACTIVE' },
    ]
    const rc = [
      { id: 11, hc: -0.5, atb: [[2, 1]] },
      { id: 11, hc: 0, atb: [[3, 1]] },
    ]
    const records = readAll([image(0, { marketDefinition: definition({ runners }), rc })])
    expect(briefly(records).map(([outcome, , bids]) => [outcome, bids])).toEqual([
      ['11 -0.5', [[2, 1]]],
      ['11', [[3, 1]]],
    ])
  })
})

describe('minutes', () => {
  const rc = (size: number) => [{ id: 11, atb: [[2, size]] }]

  test('at most one book a runner and UTC minute: its last state; a message about one runner confirms the others', () => {
    const records = readAll([0, 30, 59.999, 60, 61].map((at, n) => (n === 0 ? image(0) : change(at, { rc: rc(n) }))))
    expect(briefly(records).map(([outcome, at, bids]) => [outcome, at, (bids as number[][])[0]])).toEqual([
      ['11', 59.999, [2, 2]],
      ['12', 59.999, [4, 3]],
      ['13', 59.999, [5, 1]],
      ['11', 61, [2, 4]],
      ['12', 61, [4, 3]],
      ['13', 61, [5, 1]],
    ])
  })

  test('no state waits behind a minute that another market ended, and none is lost at the end', () => {
    const other = change(61, { id: '1.2', img: true, marketDefinition: definition(), rc: rc(1) })
    const reader = [image(0), other]
    expect(readAll(reader).books.map((book) => book.source_market_id)).toEqual([
      ...Array(3).fill('1.1'),
      ...Array(3).fill('1.2'),
    ])
  })

  test('P11: pt may stand still, clk may be null; messages apply as they come', () => {
    const body = { op: 'mcm', clk: null, pt: START / 1000, mc: [{ id: '1.1', rc: rc(77) }] }
    const records = readAll([image(0), line(0, body)])
    expect(records.quarantine).toEqual([])
    expect(records.books[0]!.bids[0]!.quantity).toBe('77.000000')
  })

  test('a heartbeat and messages about the connection say nothing of any market', () => {
    const beats = [
      { op: 'mcm', ct: 'HEARTBEAT', pt: START / 1000 + 90_000, clk: 'A' },
      { op: 'connection' },
      { op: 'status' },
    ]
    const records = readAll([image(0), ...beats.map((body) => line(90, body))])
    expect(records.quarantine).toEqual([])
    expect(briefly(records)).toEqual(FIRST)
  })

  test('a closed market gives its last books at once', () => {
    const closed = { marketDefinition: definition({ status: 'CLOSED' }) }
    const records = readAll([image(0), change(30, closed), change(31, { rc: rc(1) })])
    expect(briefly(records).map(([outcome, at]) => [outcome, at])).toEqual([
      ['11', 30],
      ['12', 30],
      ['13', 30],
    ])
    expect(records.quarantine).toEqual([{ file: 'stream.jsonl', line: 1, path: 'mc[0].rc[0]', reason: 'NO_BASE_BOOK' }])
  })
})

describe('overround and probabilities', () => {
  test('odds are converted only with the overround published: one part of the sum for every runner', () => {
    const { books, quotes } = readAll([image(0)])
    expect(books.map(({ overround }) => overround)).toEqual(Array(3).fill('-0.050000000'))
    // 0.5, 0.25, 0.2 of 0.95
    expect(quotes.map(({ outcome, reported_probability }) => [outcome, reported_probability])).toEqual([
      ['11', '0.526315789'],
      ['12', '0.263157895'],
      ['13', '0.210526316'],
    ])
    expect(quotes[0]).toMatchObject({ source_at: START, raw_value: null, book: null, is_final: false, text: '' })
  })

  test.each([
    ['a runner cannot be backed', {}, [{ id: 13, atb: [[5, 0]] }]],
    ['more than one runner wins', { marketDefinition: definition({ numberOfWinners: 2 }) }, []],
    ['runners may be added', { marketDefinition: definition({ complete: false }) }, []],
    ['the prices are no odds on one winner', { marketDefinition: definition({ bettingType: 'LINE' }) }, []],
    ['the definition cannot be read', { marketDefinition: definition({ status: 'OPENED' }) }, []],
  ])('where %s there is neither', (_case, over, rc) => {
    const { books, quotes } = readAll([image(0), change(1, { ...over, rc })])
    expect(books.map(({ overround }) => overround)).toEqual([null, null, null])
    expect(quotes).toEqual([])
  })

  test('P16: a suspended or closed market keeps its odds and overround, but they are no probabilities', () => {
    for (const status of ['SUSPENDED', 'CLOSED', 'INACTIVE']) {
      const { books, quotes } = readAll([image(0), change(1, { marketDefinition: definition({ status }) })])
      expect(books.map(({ overround }) => overround)).toEqual(Array(3).fill('-0.050000000'))
      expect(quotes).toEqual([])
    }
  })

  test('a removed runner is no outcome any more: no book, not in the overround', () => {
    const marketDefinition = definition({}, { 11: 'ACTIVE', 12: 'ACTIVE', 13: 'REMOVED' })
    const { books, quotes } = readAll([image(0), change(1, { marketDefinition })])
    expect(books.map(({ outcome, overround }) => [outcome, overround])).toEqual([
      ['11', '-0.250000000'],
      ['12', '-0.250000000'],
    ])
    expect(quotes.map(({ reported_probability }) => reported_probability)).toEqual(['0.666666667', '0.333333333'])
  })
})

describe('lost changes are reported, not guessed', () => {
  const bad = (id: number) =>
    change(1, {
      rc: [
        { id, atb: [[2, -1]] },
        { id: 12, atb: [[4, 9]] },
      ],
    })
  const reasons = (records: Required<Omit<VenueRecords, 'outcomes' | 'changed' | 'zeros'>>) =>
    records.quarantine.map(({ path, reason }) => `${path} ${reason}`)

  test('a change without an image before it', () => {
    const records = readAll([
      change(0, {
        marketDefinition: definition(),
        rc: [
          { id: 11, atb: [[2, 1]] },
          { id: 12, ltp: 2 },
        ],
      }),
    ])
    expect(reasons(records)).toEqual(['mc[0].rc[0] NO_BASE_BOOK'])
    expect(records.books).toEqual([])
  })

  test('a change that cannot be read: the runner has no book until the next image, the others go on', () => {
    const later = change(60, { rc: [{ id: 11, atb: [[2, 1]] }] })
    const records = readAll([image(0), bad(11), later, image(120)])
    expect(reasons(records)).toEqual(['mc[0].rc[0] VALUE_OUT_OF_RANGE', 'mc[0].rc[0] NO_BASE_BOOK'])
    expect(briefly(records).map(([outcome, at, bids]) => [outcome, at, (bids as number[][])[0]])).toEqual([
      ['12', 1, [4, 9]],
      ['13', 1, [5, 1]],
      ['12', 60, [4, 9]],
      ['13', 60, [5, 1]],
      ['11', 120, [2, 10]],
      ['12', 120, [4, 3]],
      ['13', 120, [5, 1]],
    ])
    expect(records.books.slice(0, 4).map(({ overround }) => overround)).toEqual(Array(4).fill(null))
  })

  test('a change of a runner that no definition names', () => {
    expect(reasons(readAll([image(0), change(1, { rc: [{ id: 99, atb: [[2, 1]] }] })]))).toEqual([
      'mc[0].rc[0] UNKNOWN_OUTCOME',
    ])
  })

  const AT = START / 1000
  test.each([
    ['what it is about', { op: 'mcm', pt: AT, mc: [{ rc: [] }] }, 'mc[0] MISSING_FIELD'],
    ['anything that can be read', '{"op":"mcm",', '$ BAD_JSON'],
    ['its kind', { op: 'ocm', pt: AT }, '$ UNKNOWN_SHAPE'],
    ['its time', { op: 'mcm', mc: [] }, '$ MISSING_FIELD'],
    ['a real time', { op: 'mcm', pt: 1, mc: [] }, '$ BAD_DATE'],
    ['a time before its receipt', { op: 'mcm', pt: AT + 9_999, mc: [] }, '$ SOURCE_AFTER_RECEIVED'],
    ['which markets changed', { op: 'mcm', pt: AT, mc: {} }, '$ UNKNOWN_SHAPE'],
  ])('a message that does not say %s: no book is known until the next image', (_case, body, reason) => {
    const records = readAll([image(0), line(1, body), change(60, { rc: [{ id: 11, ltp: 2 }] }), image(120)])
    expect(reasons(records)).toEqual([reason])
    expect(briefly(records).map(([outcome, at]) => [outcome, at])).toEqual([
      ...['11', '12', '13'].map((outcome) => [outcome, 0]),
      ...['11', '12', '13'].map((outcome) => [outcome, 120]),
    ])
  })

  test('a message from the future', () => {
    const records = readAll([image(0), change(60, { rc: [{ id: 11, ltp: 2 }] })], START + 1)
    expect(reasons(records)).toEqual(['$ RECEIVED_IN_FUTURE'])
  })

  test.each([
    ['odds below 1.01', [1, 5], 'VALUE_OUT_OF_RANGE'],
    ['odds above 1000', [1000.1, 5], 'VALUE_OUT_OF_RANGE'],
    ['odds that are negative', [-2, 5], 'VALUE_OUT_OF_RANGE'],
    ['no odds', [null, 5], 'MISSING_FIELD'],
    ['no size', [2, ''], 'MISSING_FIELD'],
    ['a size of other digits', [2, 0.0000001], 'BAD_VALUE'],
    ['a size that is a list', [2, []], 'BAD_VALUE'],
    ['three numbers', [0, 2, 5], 'UNKNOWN_SHAPE'],
    ['one number', [2], 'UNKNOWN_SHAPE'],
    ['no list', 2, 'UNKNOWN_SHAPE'],
  ])('a level with %s', (_case, level, reason) => {
    const records = readAll([image(0), change(1, { rc: [{ id: 11, atl: [[3, 1], level] }] })])
    expect(reasons(records)).toEqual([`mc[0].rc[0] ${reason}`])
    expect(records.books.map(({ outcome }) => outcome)).toEqual(['12', '13'])
  })

  test('a market of several in one message, without touching its siblings', () => {
    const good = { id: '1.1', rc: [{ id: 11, atb: [[2, 44]] }] }
    const body = { op: 'mcm', pt: START / 1000 + 1000, mc: [{ id: '1.2', rc: 5 }, good] }
    const records = readAll([image(0), line(1, body)])
    expect(reasons(records)).toEqual(['mc[0] UNKNOWN_SHAPE'])
    expect(records.books[0]).toMatchObject({ line: 2, path: 'mc[1]', source_market_id: '1.1' })
    expect(records.books[0]!.bids[0]!.quantity).toBe('44.000000')
  })

  test('an endpoint that is not read', () => {
    expect(reasons(readAll([{ ...image(0), endpoint: 'listEvents' }]))).toEqual(['$ UNKNOWN_SHAPE'])
  })
})

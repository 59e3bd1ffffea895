import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { OrderBook } from '../../../pipelines/market/order-book.ts'
import type { BookLevel } from '../../../pipelines/venues/record.ts'
import { Decimal } from '../../../primitives/decimal.ts'
import type { BookSide } from '../../../vocabulary/market.ts'
import { SEED } from '../../support/seed.ts'

const level = (price: string, quantity: string): BookLevel => ({ price, quantity })

describe('a whole book', () => {
  test('is given best first whatever its order, with 9 and 6 fraction digits', () => {
    const book = new OrderBook()
    book.replace([level('0.5', '1'), level('0.52', '2.5'), level('0.1', '3')], [level('0.9', '4'), level('0.53', '5')])
    expect(book.levels('bid')).toEqual([
      level('0.520000000', '2.500000'),
      level('0.500000000', '1.000000'),
      level('0.100000000', '3.000000'),
    ])
    expect(book.levels('ask')).toEqual([level('0.530000000', '5.000000'), level('0.900000000', '4.000000')])
    expect([book.best('bid'), book.best('ask')]).toEqual([book.levels('bid')[0], book.levels('ask')[0]])
  })

  test('an empty side has no best level, and a quantity of 0 is no level', () => {
    const book = new OrderBook()
    book.replace([], [level('0.5', '0'), level('0.6', '0.000000')])
    expect([book.best('bid'), book.best('ask'), book.levels('ask')]).toEqual([null, null, []])
  })

  test('of two levels at one price the later counts, also where it is 0', () => {
    const book = new OrderBook()
    book.replace([level('0.5', '1'), level('0.50', '2')], [level('0.6', '1'), level('0.600', '0')])
    expect([book.levels('bid'), book.levels('ask')]).toEqual([[level('0.500000000', '2.000000')], []])
  })

  test('takes the place of all levels before it', () => {
    const book = new OrderBook()
    book.replace([level('0.5', '1')], [level('0.6', '1')])
    book.replace([level('0.4', '1')], [])
    expect([book.levels('bid'), book.levels('ask')]).toEqual([[level('0.400000000', '1.000000')], []])
  })

  test('with a price that cannot be read changes nothing', () => {
    const book = new OrderBook()
    book.replace([level('0.5', '1')], [])
    expect(() => book.replace([], [level('0.6', '-1')])).toThrow('quantity is -1; allowed: 0 or more')
    expect(book.levels('bid')).toEqual([level('0.500000000', '1.000000')])
  })
})

describe('changes', () => {
  test('set states the new total; 0 removes', () => {
    const book = new OrderBook()
    book.replace([level('0.5', '1')], [])
    book.set('bid', '0.5', '7')
    book.set('bid', '0.51', '2')
    expect(book.levels('bid')).toEqual([level('0.510000000', '2.000000'), level('0.500000000', '7.000000')])
    book.set('bid', '0.51', '0')
    book.set('bid', '0.49', '0')
    expect(book.levels('bid')).toEqual([level('0.500000000', '7.000000')])
  })

  test.each([
    ['-0.999999', [level('0.500000000', '0.000001')]],
    ['-1', []],
    ['-1.000001', []],
    ['0.000001', [level('0.500000000', '1.000001')]],
  ])('add changes a level of 1 by %s; at or below 0 it is removed', (delta, expected) => {
    const book = new OrderBook()
    book.replace([], [level('0.5', '1')])
    book.add('ask', '0.5', delta)
    expect(book.levels('ask')).toEqual(expected)
  })

  test('a level that was removed below 0 starts again at 0', () => {
    const book = new OrderBook()
    book.add('ask', '0.5', '-5')
    book.add('ask', '0.5', '2')
    expect(book.best('ask')).toEqual(level('0.500000000', '2.000000'))
  })

  test.each([
    ['price', () => new OrderBook().set('bid', '-0.1', '1')],
    ['price', () => new OrderBook().set('bid', '0.1234567891', '1')],
    ['price', () => new OrderBook().add('bid', '1e-3', '1')],
    ['quantity', () => new OrderBook().set('bid', '0.1', '-1')],
    ['quantity', () => new OrderBook().set('bid', '0.1', '0.0000001')],
    ['delta', () => new OrderBook().add('bid', '0.1', 'x')],
  ])('a %s that is negative, too fine or no number is refused', (field, change) => {
    expect(change).toThrow(expect.objectContaining({ code: 'VALIDATION_DECIMAL_INVALID' }))
    expect(change).toThrow(`${field} is `)
  })
})

describe('a book is known', () => {
  test('from the first whole one until it is cleared; changes do not make it so', () => {
    const book = new OrderBook()
    book.set('bid', '0.5', '1')
    expect(book.known).toBe(false)
    book.replace([], [])
    expect(book.known).toBe(true)
    book.clear()
    book.set('bid', '0.5', '1')
    expect([book.known, book.levels('bid').length]).toEqual([false, 1])
  })
})

test('levels are a copy', () => {
  const book = new OrderBook()
  book.replace([level('0.5', '1')], [])
  book.levels('bid').pop()
  expect(book.levels('bid').length).toBe(1)
})

test('decimal odds are ordered by value: 9.8 below 10.5 below 990', () => {
  const book = new OrderBook()
  for (const price of ['10.5', '990', '9.8', '1.01']) book.set('ask', price, '13002')
  const prices = ['1.010000000', '9.800000000', '10.500000000', '990.000000000']
  expect(book.levels('ask').map(({ price }) => price)).toEqual(prices)
  expect(book.best('ask')).toEqual(level('1.010000000', '13002.000000'))
})

test('quantities beyond 2^53 scaled units stay exact', () => {
  const book = new OrderBook()
  book.set('bid', '0.5', '123456789012.123456')
  book.add('bid', '0.5', '0.000001')
  expect(book.best('bid')).toEqual(level('0.500000000', '123456789012.123457'))
})

/** The same book as decimals in plain maps, sorted when asked for. */
class NaiveBook {
  readonly #sides = { bid: new Map<string, Decimal>(), ask: new Map<string, Decimal>() }

  replace(bids: readonly BookLevel[], asks: readonly BookLevel[]): void {
    this.#sides.bid.clear()
    this.#sides.ask.clear()
    for (const { price, quantity } of bids) this.set('bid', price, quantity)
    for (const { price, quantity } of asks) this.set('ask', price, quantity)
  }

  set(side: BookSide, price: string, quantity: string): void {
    this.#sides[side].set(new Decimal(price).toFixed(9), new Decimal(quantity))
  }

  add(side: BookSide, price: string, delta: string): void {
    const sum = this.#sides[side].get(new Decimal(price).toFixed(9))?.plus(delta) ?? new Decimal(delta)
    this.set(side, price, Decimal.max(sum, 0).toFixed(6))
  }

  levels(side: BookSide): BookLevel[] {
    const rows = [...this.#sides[side]].filter(([, quantity]) => quantity.gt(0))
    rows.sort(([a], [b]) => (side === 'bid' ? -1 : 1) * new Decimal(a).cmp(b))
    return rows.map(([price, quantity]) => level(price, quantity.toFixed(6)))
  }
}

describe('any sequence of books and changes', () => {
  const side = fc.constantFrom<BookSide>('bid', 'ask')
  // Few prices, of different lengths and spellings, so that changes meet levels.
  const price = fc.oneof(
    fc.integer({ min: 0, max: 40 }).map((n) => `${Math.floor(n / 20)}.${String((n % 20) * 5).padStart(2, '0')}`),
    fc.constantFrom('1.01', '10', '10.5', '9.8', '1000', '0.123456789', '0.12345679', '0.5', '0.500'),
  )
  const quantity = fc.constantFrom('0', '1', '0.000001', '2.5', '13002', '999999999999.999999', '0.00')
  const delta = fc.constantFrom('1', '-1', '-0.000001', '2.5', '-2.5', '0', '-999999999999', '0.3')
  const levels = fc.array(fc.record({ price, quantity }), { maxLength: 12 })
  const step = fc.oneof(
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('replace' as const), bids: levels, asks: levels }) },
    { weight: 6, arbitrary: fc.record({ kind: fc.constant('set' as const), side, price, quantity }) },
    { weight: 6, arbitrary: fc.record({ kind: fc.constant('look' as const), side, price, other: price, quantity }) },
    { weight: 6, arbitrary: fc.record({ kind: fc.constant('add' as const), side, price, delta }) },
  )

  test('gives the levels of a naive map after every step', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const [book, naive] = [new OrderBook(), new NaiveBook()]
        for (const one of steps) {
          for (const each of [book, naive]) {
            if (one.kind === 'replace') each.replace(one.bids, one.asks)
            else if (one.kind === 'set') each.set(one.side, one.price, one.quantity)
            else if (one.kind === 'look') {
              book.at(one.side, one.price) // which must not change what is set next, there or elsewhere
              each.set(one.side, one.other, one.quantity)
              each.set(one.side, one.price, one.quantity)
            } else each.add(one.side, one.price, one.delta)
          }
          for (const s of ['bid', 'ask'] as const) {
            expect(book.levels(s)).toEqual(naive.levels(s))
            expect(book.best(s)).toEqual(naive.levels(s)[0] ?? null)
          }
        }
      }),
      { seed: SEED, numRuns: 400 },
    )
  })
})

test('the level at a price, in any writing of the price; null where nothing rests', () => {
  const book = new OrderBook()
  book.replace([{ price: '0.3', quantity: '5' }], [{ price: '0.4', quantity: '6' }])
  expect(book.at('bid', '0.30')).toEqual({ price: '0.300000000', quantity: '5.000000' })
  expect([book.at('ask', '0.3'), book.at('bid', '0.9'), new OrderBook().at('bid', '0.3')]).toEqual([null, null, null])
})

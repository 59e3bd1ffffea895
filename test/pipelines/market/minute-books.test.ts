import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LastOfMinute } from '../../../pipelines/market/last-of-minute.ts'
import { type BookState, MinuteBooks } from '../../../pipelines/market/minute-books.ts'
import { OrderBook } from '../../../pipelines/market/order-book.ts'
import type { BookRecord } from '../../../pipelines/venues/record.ts'
import { toMicros } from '../../../primitives/instants.ts'
import { SEED } from '../../support/seed.ts'

const NOON = toMicros('2026-03-01T12:00:00Z')
const SECOND = 1_000_000

function stateAt(seconds: number, book: OrderBook, outcome = 'YES'): BookState {
  return {
    file: 'frames.jsonl',
    line: 1,
    venue_id: 'kalshi',
    source_series_id: null,
    source_market_id: 'M',
    outcome,
    source_at: NOON + seconds * SECOND,
    received_at: NOON + seconds * SECOND + 5,
    source_sequence: seconds,
    price_unit: 'probability',
    asks_derived: false,
    overround: null,
    book,
  }
}

function bookOf(price: string): OrderBook {
  const book = new OrderBook()
  book.replace([{ price, quantity: '1' }], [])
  return book
}

describe('one-minute books', () => {
  test('a minute has the last state in it, with its own instants and sequence, when a later minute begins', () => {
    const minutes = new MinuteBooks()
    expect(minutes.add(stateAt(0, bookOf('0.1')))).toBeNull()
    expect(minutes.add(stateAt(59, bookOf('0.2')))).toBeNull()
    const { book, ...state } = stateAt(59, bookOf('0.2'))
    expect(minutes.add(stateAt(60, bookOf('0.3')))).toEqual({ ...state, bids: book.levels('bid'), asks: [] })
    expect(minutes.finish().map(({ bids }) => bids[0]!.price)).toEqual(['0.300000000'])
    expect(minutes.finish()).toEqual([])
  })

  test('a book that changes after it was given does not change the record', () => {
    const minutes = new MinuteBooks()
    const book = bookOf('0.1')
    minutes.add(stateAt(0, book))
    book.clear()
    expect(minutes.finish()[0]!.bids.length).toBe(1)
  })

  test('minutes without a state have no record (P4), and outcomes have minutes of their own', () => {
    const minutes = new MinuteBooks()
    minutes.add(stateAt(0, bookOf('0.1'), 'YES'))
    minutes.add(stateAt(1, bookOf('0.9'), 'NO'))
    expect(minutes.add(stateAt(3_600, bookOf('0.2'), 'YES'))!.source_at).toBe(NOON)
    expect(minutes.finish().map(({ outcome, source_sequence }) => [outcome, source_sequence])).toEqual([
      ['YES', 3_600],
      ['NO', 1],
    ])
  })

  test('of equal instants the later arrival counts; a state that is older than one before it is left out (P11)', () => {
    const minutes = new MinuteBooks()
    minutes.add(stateAt(70, bookOf('0.1')))
    minutes.add(stateAt(70, bookOf('0.2')))
    minutes.add(stateAt(65, bookOf('0.3')))
    minutes.add(stateAt(10, bookOf('0.4')))
    expect(minutes.finish().map(({ bids }) => bids[0]!.price)).toEqual(['0.200000000'])
  })

  test('any stream: one record an outcome and minute, the greatest instant of it, as sorting all of them gives', () => {
    const step = fc.record({ seconds: fc.integer({ min: 0, max: 400 }), outcome: fc.constantFrom('YES', 'NO') })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), fc.boolean(), (steps, is_sorted) => {
        const ordered = is_sorted ? [...steps].sort((a, b) => a.seconds - b.seconds) : steps
        const minutes = new MinuteBooks()
        const records = ordered.flatMap(({ seconds, outcome }, n) => {
          const line = { ...stateAt(seconds, bookOf('0.1'), outcome), line: n }
          return minutes.add(line) ?? []
        })
        const found = [...records, ...minutes.finish()].map(keyOf)
        expect(new Set(found.map(({ minute }) => minute)).size).toBe(found.length)
        if (!is_sorted) return
        const last = new Map(ordered.map(({ seconds, outcome }, line) => [minuteKey(outcome, seconds), line]))
        expect(new Map(found.map(({ minute, line }) => [minute, line]))).toEqual(last)
      }),
      { seed: SEED, numRuns: 300 },
    )
  })
})

const minuteKey = (outcome: string, seconds: number) => `${outcome} ${Math.floor(seconds / 60)}`

function keyOf({ outcome, source_at, line }: BookRecord) {
  return { minute: minuteKey(outcome, (source_at - NOON) / SECOND), line }
}

describe('a key that ends', () => {
  test('gives its open item and nothing after it', () => {
    const last = new LastOfMinute<{ source_at: number }>()
    last.add('a', { source_at: NOON })
    last.add('b', { source_at: NOON + 1 })
    expect([last.end('a'), last.end('a'), last.finish()]).toEqual([
      { source_at: NOON },
      null,
      [{ source_at: NOON + 1 }],
    ])
  })
})

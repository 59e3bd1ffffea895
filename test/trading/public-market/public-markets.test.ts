import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toMicros } from '../../../primitives/instants.ts'
import type { EngineEvent } from '../../../trading/engine/events.ts'
import { PublicMarkets } from '../../../trading/public-market/fold-events.ts'
import { newPublicMarket, type PublicLevel } from '../../../trading/public-market/public-market.ts'
import { setLevel } from '../../../trading/public-market/set-level.ts'
import type { Side } from '../../../vocabulary/order.ts'
import { LISTINGS, randomBatches } from './random-events.ts'
import { placesOf, twinOf, viewOf } from './twin.ts'

const AT = toMicros('2026-01-01T00:00:00Z')
const LISTING = {
  market_id: 'mkt_1',
  status: 'open',
  terms: { price_scale: 2, quantity_scale: 1 },
  outcomes: [
    { outcome_id: 'out_yes', label: 'Yes' },
    { outcome_id: 'out_no', label: 'No' },
  ],
  created_at: AT,
} as const

const level = fc.record({
  side: fc.constantFrom<Side>('BUY', 'SELL'),
  price: fc.integer({ min: 1, max: 30 }),
  quantity: fc.integer({ min: 0, max: 5 }),
  order_count: fc.integer({ min: 1, max: 3 }),
})
type Level = PublicLevel & { readonly side: Side }
const of_one_price = (levels: readonly Level[]) => [
  ...new Map(levels.map((entry) => [`${entry.side}${entry.price}`, entry])).values(),
]
const batches = fc.array(fc.array(level, { minLength: 1, maxLength: 6 }).map(of_one_price), { maxLength: 30 })

function market() {
  const markets = new PublicMarkets()
  markets.list(LISTING)
  let engine_sequence = 100
  const book = (entry: Level): EngineEvent => {
    engine_sequence += 1
    return { kind: 'book', engine_sequence, at: AT, market_id: 'mkt_1', outcome_id: 'out_yes', ...entry }
  }
  return { markets, book, own: markets.market('mkt_1')! }
}

describe('a book', () => {
  test('is what a map of its prices is, each side best first, whatever comes in whatever order', () => {
    fc.assert(
      fc.property(fc.array(level, { maxLength: 60 }), (levels) => {
        const { book } = newPublicMarket(LISTING).outcomes[0]!
        const model = new Map<string, Level>()
        for (const entry of levels) {
          setLevel(book, entry.side, entry)
          if (entry.quantity === 0) model.delete(`${entry.side}${entry.price}`)
          else model.set(`${entry.side}${entry.price}`, entry)
        }
        const side = (name: Side, order: 1 | -1) =>
          [...model.values()].filter((entry) => entry.side === name).sort((a, b) => order * (a.price - b.price))
        expect(book.bids).toEqual(side('BUY', -1))
        expect(book.asks).toEqual(side('SELL', 1))
      }),
    )
  })

  test('changes by whole batches: each is one change, numbered by its last event and by the one before', () => {
    fc.assert(
      fc.property(batches, (given) => {
        const { markets, book, own } = market()
        let before = 0
        for (const levels of given) {
          const events = levels.map(book)
          const { books } = markets.apply(AT, events)
          const last = events.at(-1)!.engine_sequence
          expect(books.map(({ seq, prev_seq }) => ({ seq, prev_seq }))).toEqual([{ seq: last, prev_seq: before }])
          expect(books[0]!.levels).toEqual(levels)
          before = last
        }
        expect(own.outcomes[0]!.book.sequence).toBe(before)
        expect(own.outcomes[1]!.book.sequence).toBe(0)
      }),
    )
  })

  test('of a new start is the one that was kept, with the numbers that follow', () => {
    fc.assert(
      fc.property(batches, fc.nat(30), (given, cut) => {
        const { markets, book, own } = market()
        const history = given.map((levels) => levels.map(book))
        for (const events of history) markets.apply(AT, events)
        const kept = own.outcomes[0]!.book
        const again = new PublicMarkets()
        again.list(LISTING)
        again.restore(history.slice(0, cut).flat().slice(-1))
        const changes = history.slice(cut).map((events) => again.apply(AT, events))
        const levels = [
          ...kept.bids.map((entry) => ({ ...entry, outcome_id: 'out_yes', side: 'BUY' as const })),
          ...kept.asks.map((entry) => ({ ...entry, outcome_id: 'out_yes', side: 'SELL' as const })),
        ]
        again.setBooks(levels)
        expect(again.market('mkt_1')!.outcomes[0]!.book).toEqual(kept)
        const chain = changes.flatMap(({ books }) => books)
        const last = history.slice(0, cut).flat().at(-1)?.engine_sequence ?? 0
        for (const [place, { prev_seq }] of chain.entries()) expect(prev_seq).toBe(chain[place - 1]?.seq ?? last)
      }),
    )
  })
})

describe('random events of an engine', () => {
  const listed = () => {
    const markets = new PublicMarkets()
    for (const listing of LISTINGS) markets.list(listing)
    return markets
  }
  const viewsOf = (markets: PublicMarkets) => markets.all().map(viewOf)

  test('leave the state that the whole history has when it is searched anew after each batch', () => {
    fc.assert(
      fc.property(randomBatches, (batches) => {
        const markets = listed()
        const history: EngineEvent[] = []
        for (const { at, events } of batches) {
          const { books, trades, markets: changed } = markets.apply(at, events)
          history.push(...events)
          expect(viewsOf(markets)).toEqual(LISTINGS.map((listing) => twinOf(listing, history)))
          const count = (...kinds: EngineEvent['kind'][]) => events.filter(({ kind }) => kinds.includes(kind)).length
          expect(books.flatMap(({ levels }) => levels)).toHaveLength(count('book'))
          expect(trades).toHaveLength(count('trade', 'trade_correction'))
          for (const { market, seq } of changed) expect(seq).toBe(market.sequence)
        }
      }),
    )
  })

  test('leave the same state after a start anywhere: from the newest events before, and the books', () => {
    fc.assert(
      fc.property(randomBatches, fc.nat(80), (batches, cut) => {
        const [before, after] = [batches.slice(0, cut), batches.slice(cut)]
        const history = before.flatMap(({ events }) => events)
        const markets = listed()
        markets.restore(placesOf(LISTINGS, history))
        markets.setBooks(
          LISTINGS.flatMap((listing) => twinOf(listing, history).outcomes).flatMap(({ outcome_id, book }) => [
            ...book.bids.map((entry) => ({ ...entry, outcome_id, side: 'BUY' as const })),
            ...book.asks.map((entry) => ({ ...entry, outcome_id, side: 'SELL' as const })),
          ]),
        )
        for (const { at, events } of after) markets.apply(at, events)
        const all = batches.flatMap(({ events }) => events)
        expect(viewsOf(markets)).toEqual(LISTINGS.map((listing) => twinOf(listing, all)))
      }),
    )
  })
})

import { type OwnLevel, newOwnMarket } from '../../../api/own-venue/own-market.ts'
import { OwnMarkets } from '../../../api/own-venue/own-markets.ts'
import { ownPriceOf } from '../../../api/own-venue/own-resources.ts'
import { setLevel } from '../../../api/own-venue/set-level.ts'
import * as fc from 'fast-check'
import { QUALITY_OF_STATUS } from '../../../pipelines/market/price-view.ts'
import { toMicros } from '../../../primitives/instants.ts'
import { type EngineEvent } from '../../../trading/engine/events.ts'
import { describe, expect, test } from 'vitest'
import { MARKET_STATUSES } from '../../../vocabulary/market.ts'
import { type Side } from '../../../vocabulary/order.ts'
import { type Row } from '../../../warehouse/schema.ts'

const AT = toMicros('2026-01-01T00:00:00Z')
const LISTING = {
  market_id: 'mkt_1',
  status: 'open',
  price_scale: 2,
  quantity_scale: 1,
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
type Level = OwnLevel & { readonly side: Side }
const of_one_price = (levels: readonly Level[]) => [
  ...new Map(levels.map((entry) => [`${entry.side}${entry.price}`, entry])).values(),
]
const batches = fc.array(fc.array(level, { minLength: 1, maxLength: 6 }).map(of_one_price), { maxLength: 30 })

function market() {
  const markets = new OwnMarkets()
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
        const { book } = newOwnMarket(LISTING).outcomes[0]!
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
        const again = new OwnMarkets()
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

describe('the price view', () => {
  const marks: Row[] = []
  const trade = (outcome_id: string, price: number): EngineEvent => ({
    kind: 'trade',
    engine_sequence: 200,
    at: AT,
    trade_id: 'trd_200',
    market_id: 'mkt_1',
    outcome_id,
    price,
    quantity: 10,
    aggressor_side: 'BUY',
  })

  test('is the touch of each own book and its last trade; no side is taken from the other outcome', () => {
    const { markets, book, own } = market()
    markets.apply(AT, [
      trade('out_yes', 52),
      book({ side: 'BUY', price: 51, quantity: 35, order_count: 2 }),
      book({ side: 'SELL', price: 54, quantity: 5, order_count: 1 }),
      book({ side: 'SELL', price: 60, quantity: 500, order_count: 1 }),
    ])
    const { price } = ownPriceOf(own, marks, AT, AT)
    expect(price.outcomes[0]).toMatchObject({
      best_bid: '0.510000000',
      best_ask: '0.540000000',
      midpoint: '0.525000000',
      spread: '0.030000000',
      last_trade: '0.520000000',
      bid_depth: '3.500000',
      ask_depth: '0.500000',
      derived: false,
      source_observation_ids: [],
    })
    expect(price.outcomes[1]).toMatchObject({ best_bid: null, best_ask: null, last_trade: null, derived: false })
    expect(price).toMatchObject({
      venue_id: 'tidemark',
      source_sequence: 103,
      market_status: 'open',
      quality_state: 'valid',
    })
  })

  test.each(MARKET_STATUSES)('of a market that is %s says what its prices are worth', (status) => {
    const { markets, own } = market()
    markets.apply(AT, [
      { kind: 'market', engine_sequence: 300, at: AT, market_id: 'mkt_1', status, reason: 'test', actor: 'tester' },
    ])
    expect(ownPriceOf(own, marks, AT, AT).price).toMatchObject({
      market_status: status,
      quality_state: QUALITY_OF_STATUS[status],
      source_sequence: 300,
    })
  })

  test('is stale where nobody has confirmed it for 15 minutes', () => {
    const { own } = market()
    const minutes = (count: number) => AT + count * 60_000_000
    expect(ownPriceOf(own, marks, minutes(1), minutes(16)).price.quality_state).toBe('valid')
    expect(ownPriceOf(own, marks, minutes(1), minutes(16) + 1).price.quality_state).toBe('stale')
  })
})

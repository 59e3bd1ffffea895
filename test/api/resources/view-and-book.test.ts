import fc from 'fast-check'
import { expect, test } from 'vitest'
import { marketPriceOf, quoteBeside } from '../../../api/resources/market-price.ts'
import { orderBookOf } from '../../../api/resources/market-records.ts'
import { formatMicros, toMicros } from '../../../primitives/instants.ts'
import { fromScaled, toScaled } from '../../../primitives/scaled.ts'
import type { Placed } from '../../../warehouse/reader/reader.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { SEED } from '../../support/seed.ts'
import { sized } from '../../support/sized.ts'

const NOON = toMicros('2026-01-01T12:00:00Z')
const instant = (second: number) => formatMicros(NOON + second * 1_000_000)
const price = (cents: number) => `0.${String(cents).padStart(2, '0')}0000000`
const size = (units: number) => `${units}.000000`

type Side = readonly (readonly [cents: number, units: number])[]
type Step = {
  readonly kind: 'quote' | 'book'
  readonly second: number
  readonly bids: Side
  readonly asks: Side
  readonly label: string
}

const level = fc.tuple(fc.integer({ min: 40, max: 46 }), fc.integer({ min: 1, max: 3 }))
const side = fc.uniqueArray(level, { maxLength: 3, selector: ([cents]) => cents })
const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('quote' as const, 'book' as const),
  second: fc.integer({ min: 0, max: 150 }),
  bids: side,
  asks: side,
  label: fc.constantFrom('valid', 'corrected'),
})

const best = (levels: Side, direction: 1 | -1) => [...levels].sort(([a], [b]) => direction * (a - b))
const COMMON = {
  venue_id: 'v',
  source_series_id: null,
  source_market_id: 'M',
  market_id: 'mkt_1',
  outcome_id: 'out_yes',
}
const clocks = (second: number) => {
  return { source_at: instant(second), received_at: instant(second), published_at: instant(second) }
}

function quoteRow({ second, bids, asks, label }: Step, nth: number): Row {
  const [bid, ask] = [best(bids, -1)[0], best(asks, 1)[0]]
  return {
    ...COMMON,
    ...clocks(second),
    record_id: `obs_${nth}`,
    bid: bid === undefined ? null : price(bid[0]),
    bid_depth: bid === undefined ? null : size(bid[1]),
    ask: ask === undefined ? null : price(ask[0]),
    ask_depth: ask === undefined ? null : size(ask[1]),
    last_trade: null,
    confirmed_at: null,
    quality_state: label,
  }
}

function bookRow({ second, bids, asks, label }: Step, nth: number): Placed {
  const rows = (levels: Side, direction: 1 | -1) => {
    return best(levels, direction).map(([cents, units]) => ({ price: price(cents), quantity: size(units) }))
  }
  const sides = { bids: rows(bids, -1), asks: rows(asks, 1) }
  const row = { ...COMMON, ...clocks(second), ...sides, price_unit: 'probability', asks_derived: false }
  return { seq: nth, row: { ...row, order_book_id: `obk_${nth}`, quality_state: label } }
}

/** What is newest at the end: the greatest source time, of equals the later step. */
function newest(steps: readonly Step[]) {
  const of = (kind: Step['kind']) => {
    const found = steps.flatMap((one, nth) => (one.kind === kind ? [{ one, nth }] : []))
    return found.sort((a, b) => a.one.second - b.one.second || a.nth - b.nth).at(-1)
  }
  return { quote: of('quote'), book: of('book') }
}

test('best prices, depths, midpoint, spread and label of the view are those of the book, unless both say that a newer quote differs', () => {
  let [equal, differing] = [0, 0]
  fc.assert(
    fc.property(fc.array(step, { minLength: 2, maxLength: 8 }), fc.integer({ min: 150, max: 240 }), (steps, now) => {
      const { quote, book } = newest(steps)
      if (quote === undefined || book === undefined) return
      const market = {
        market_id: 'mkt_1',
        status: 'open',
        outcome_type: 'categorical',
        outcomes: [{ outcome_id: 'out_yes' }],
      }
      const [quotes, placed] = [[quoteRow(quote.one, quote.nth)], bookRow(book.one, book.nth)]
      const at = NOON + now * 1_000_000
      const { price: view } = marketPriceOf({ market, quotes, trades: [], marks: [], books: [placed] }, at)!
      const facts = { book: placed, quote: quoteBeside(quotes, 'out_yes'), market_status: 'open', at }
      const { book: served } = orderBookOf(facts, 100)
      const [shown] = view.outcomes
      const top = [served.bids[0]?.price, served.asks[0]?.price, served.bids[0]?.quantity, served.asks[0]?.quantity]
      const touch = [shown!.best_bid, shown!.best_ask, shown!.bid_depth, shown!.ask_depth]
      if (served.newer_quote_at !== null) {
        differing += 1
        expect(quote.one.second).toBeGreaterThan(book.one.second)
        expect(shown!.book_sequence).toBeNull()
        expect(touch).not.toEqual(top.map((value) => value ?? null))
        expect(shown!.quality_state).toBe(labelOfQuote(quote.one, now))
        return
      }
      equal += 1
      expect(shown!.book_sequence).toBe(served.sequence)
      expect(touch).toEqual(top.map((value) => value ?? null))
      expect([shown!.midpoint, shown!.spread]).toEqual(arithmetic(top[0], top[1]))
      expect(shown!.quality_state).toBe(served.quality_state)
      expect(view.quality_state).toBe(served.quality_state)
      const age = now - Math.max(quote.one.second <= book.one.second ? 0 : quote.one.second, book.one.second)
      const expected = served.bids.length + served.asks.length === 0 ? 'suspended' : age > 60 ? 'stale' : book.one.label
      expect(served.quality_state).toBe(expected)
    }),
    { seed: SEED, numRuns: sized(500, 2_000) },
  )
  expect(Math.min(equal, differing)).toBeGreaterThan(200)
})

/** Label of a view that shows a quote: none of its prices is suspended, an old one is stale. */
function labelOfQuote({ second, bids, asks, label }: Step, now: number): string {
  return bids.length + asks.length === 0 ? 'suspended' : now - second > 60 ? 'stale' : label
}

/** Midpoint and spread by hand, in thousand-millionths; none for a crossed or locked book. */
function arithmetic(bid: string | undefined, ask: string | undefined): [string | null, string | null] {
  if (bid === undefined || ask === undefined) return [null, null]
  const [low, high] = [toScaled(bid, 9), toScaled(ask, 9)]
  return low >= high ? [null, null] : [fromScaled((low + high) / 2n, 9), fromScaled(high - low, 9)]
}

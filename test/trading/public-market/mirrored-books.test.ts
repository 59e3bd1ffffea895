import { expect, test } from 'vitest'
import type { EngineEvent, TradeCorrectionEvent, TradeEvent } from '../../../trading/engine/events.ts'
import type { Submission } from '../../../trading/engine/submission.ts'
import { segmentsAfter } from '../../../trading/ledger/fill-segments.ts'
import { foldBook, type LevelEvent, type StoredLevel } from '../../../trading/public-market/fold-book.ts'
import { PublicMarkets } from '../../../trading/public-market/fold-events.ts'
import { pastMarket } from '../../../trading/public-market/past-market.ts'
import type { PublicLevel, PublicListing, PublicOutcome } from '../../../trading/public-market/public-market.ts'
import { pick, seededRandom } from '../../support/random.ts'
import { sized } from '../../support/sized.ts'
import { bustCommand } from '../../support/trading/bust-command.ts'
import { ACCOUNTS, randomSubmissions } from '../../support/trading/random-submissions.ts'
import { SubmissionMaker } from '../../support/trading/submissions.ts'
import { MemoryEngine } from '../support/memory-engine.ts'
import { placesOf, viewOf } from './twin.ts'

const LISTING: PublicListing = {
  market_id: 'mkt_1',
  status: 'scheduled',
  terms: { price_scale: 2, quantity_scale: 2 },
  outcomes: ['yes', 'no'].map((label) => ({ outcome_id: `out_${label}`, label })),
  created_at: 0,
}
const ONE = 100

type Batch = { readonly at: number; readonly events: readonly EngineEvent[] }

/** A random history of a complementary market, a batch at a time, with busts of earlier fills. */
function* randomHistory(seed: number, count: number): Generator<Batch & { readonly engine: MemoryEngine }> {
  const random = seededRandom(seed)
  const engine = new MemoryEngine()
  const maker = new SubmissionMaker('m')
  const bust = () => {
    const fills = engine.rows('fill')
    const busted = engine.rows('adjustment').map(({ fill_id }) => fill_id)
    const one = fills.findLast(({ fill_id }) => busted.includes(fill_id) && random() < 0.7)
    const other = fills.find(({ trade_id, fill_id }) => trade_id === one?.trade_id && !busted.includes(fill_id))
    const { fill_id } = other ?? pick(fills, random)
    return maker.operate(bustCommand(fill_id, `adj_${seed}_${busted.length}`))
  }
  let seen = 0
  const batchAfter = (...given: readonly Submission[]) => {
    engine.submit(...given)
    const rows = engine.rows('engine_event').slice(seen)
    seen += rows.length
    const events = rows.map(({ engine_sequence, kind, body }) => {
      return { engine_sequence, at: engine.now, kind, ...(body as object) } as EngineEvent
    })
    return { at: engine.now, events, engine }
  }
  yield batchAfter(...maker.setUp(ACCOUNTS, '10000', { complementary: true }))
  const flow = randomSubmissions(seed, count, engine.now)
  while (flow.length > 0) {
    yield batchAfter(...flow.splice(0, 1 + Math.floor(random() * 4)))
    if (engine.rows('fill').length > 4 && random() < 0.1) yield batchAfter(bust())
  }
}

function mirrored({ price, quantity, order_count, derived_quantity, derived_order_count }: PublicLevel): PublicLevel {
  return {
    price: ONE - price,
    quantity,
    order_count,
    derived_quantity: quantity - derived_quantity!,
    derived_order_count: order_count - derived_order_count!,
  }
}

function expectMirrored(yes: PublicOutcome, no: PublicOutcome): void {
  expect(no.book.asks).toEqual(yes.book.bids.map(mirrored))
  expect(no.book.bids).toEqual(yes.book.asks.map(mirrored))
  expect([no.book.sequence, no.book.at, no.sequence]).toEqual([yes.book.sequence, yes.book.at, yes.sequence])
  const [trade, shown] = [yes.last_trade, no.last_trade]
  expect(shown?.record_id).toBe(trade?.record_id)
  if (trade === null || shown === null) return
  expect([shown.price, shown.derived]).toEqual([ONE - trade.price, !trade.derived])
  expect(shown.aggressor_side).not.toBe(trade.aggressor_side)
  expect({ ...shown, price: 0, derived: true, aggressor_side: 'BUY', outcome_id: '' }).toEqual({
    ...trade,
    price: 0,
    derived: true,
    aggressor_side: 'BUY',
    outcome_id: '',
  })
}

/** Each book as the working orders of both outcomes make it. */
function booksOfOrders(engine: MemoryEngine): Map<string, PublicLevel> {
  const levels = new Map<string, PublicLevel>()
  const working = engine
    .rows('orders')
    .filter(({ status }) => ['open', 'partially_filled', 'suspended'].includes(status))
  for (const { outcome_id, side, limit_price, remaining_quantity } of working) {
    const own = Math.round(Number(limit_price) * ONE)
    for (const shown of ['out_yes', 'out_no']) {
      const derived = shown !== outcome_id
      const price = derived ? ONE - own : own
      const key = `${shown} ${derived === (side === 'BUY') ? 'SELL' : 'BUY'} ${price}`
      const before = levels.get(key)
      levels.set(key, {
        price,
        quantity: (before?.quantity ?? 0) + remaining_quantity,
        order_count: (before?.order_count ?? 0) + 1,
        derived_quantity: (before?.derived_quantity ?? 0) + (derived ? remaining_quantity : 0),
        derived_order_count: (before?.derived_order_count ?? 0) + (derived ? 1 : 0),
      })
    }
  }
  return levels
}

function levelsOf(outcomes: readonly PublicOutcome[]): Map<string, PublicLevel> {
  return new Map(
    outcomes.flatMap(({ outcome_id, book }) => [
      ...book.bids.map((level) => [`${outcome_id} BUY ${level.price}`, level] as const),
      ...book.asks.map((level) => [`${outcome_id} SELL ${level.price}`, level] as const),
    ]),
  )
}

const SEEDS = Array.from({ length: sized(6, 60) }, (_, nth) => 900 + nth)

test.each(SEEDS)('history %i: both books mirror each other at every batch, and are those of the orders', (seed) => {
  const markets = new PublicMarkets()
  markets.list(LISTING)
  const { outcomes } = markets.market('mkt_1')!
  const [yes, no] = outcomes
  let [derived, traded] = [0, 0]
  for (const { at, events, engine } of randomHistory(seed, 240)) {
    const { books, trades } = markets.apply(at, events)
    expectMirrored(yes!, no!)
    expect(levelsOf(outcomes)).toEqual(booksOfOrders(engine))
    // Both deltas of a batch have one sequence, and follow from one.
    expect(new Set(books.map(({ seq, prev_seq }) => `${prev_seq} ${seq}`)).size).toBe(books.length === 0 ? 0 : 1)
    expect([0, 2]).toContain(books.length)
    for (const { trade } of trades) {
      const whole = trade.segments!.reduce((sum, { quantity }) => sum + quantity, 0)
      expect(whole).toBe(trade.quantity)
    }
    derived += [...levelsOf(outcomes).values()].filter(({ derived_quantity }) => derived_quantity! > 0).length
    traded += trades.length
  }
  expect(Math.min(derived, traded)).toBeGreaterThan(10)
})

test.each(SEEDS)(
  'history %i: as of any batch, by events and by checkpoints, the market is the one that was live',
  (seed) => {
    const random = seededRandom(seed)
    const markets = new PublicMarkets()
    markets.list(LISTING)
    const history: EngineEvent[] = []
    const checkpoints = new Map<string, { readonly through: number; readonly levels: readonly StoredLevel[] }>()
    const bookOf = (outcome_id: string) => {
      const { through = 0, levels = [] } = checkpoints.get(outcome_id) ?? {}
      const events = history.filter((event) => {
        return event.kind === 'book' && event.outcome_id === outcome_id && event.engine_sequence > through
      })
      return { outcome_id, checkpoint: levels, events: events as unknown as LevelEvent[] }
    }
    for (const { at, events } of randomHistory(seed, 60)) {
      markets.apply(at, events)
      history.push(...events)
      const books = ['out_yes', 'out_no'].map(bookOf)
      const past = pastMarket(LISTING, { newest: placesOf([LISTING], history), books })
      expect(past && viewOf(past)).toEqual(viewOf(markets.market('mkt_1')!))
      if (random() < 0.8) continue
      const { outcome_id, checkpoint, events: after } = pick(books, random)
      const levels = JSON.parse(JSON.stringify(foldBook(checkpoint, after))) as StoredLevel[]
      checkpoints.set(outcome_id, { through: history.at(-1)!.engine_sequence, levels })
    }
    const isTraded = (event: EngineEvent): event is TradeEvent | TradeCorrectionEvent =>
      event.kind === 'trade' || event.kind === 'trade_correction'
    expect(history.filter(isTraded).every(({ segments }) => segments !== undefined)).toBe(true)
  },
)

test('a checkpoint and events from before markets were complementary have no derived part, and number one book', () => {
  const markets = new PublicMarkets()
  markets.list(LISTING)
  const book = { kind: 'book', at: 1, market_id: 'mkt_1', outcome_id: 'out_yes', side: 'BUY' } as const
  markets.apply(1, [{ ...book, engine_sequence: 5, price: 40, quantity: 7, order_count: 1 }])
  const [yes, no] = markets.market('mkt_1')!.outcomes
  expect([yes!.book.sequence, no!.book.sequence]).toEqual([5, 0])
  expect(yes!.book.bids).toEqual([{ price: 40, quantity: 7, order_count: 1 }])
  expect(foldBook([['BUY', 40, 7, 1]], [])).toEqual([['BUY', 40, 7, 1]])
  const after = { ...book, price: 41, quantity: 3, order_count: 1, derived_quantity: 3, derived_order_count: 1 }
  expect(foldBook([['BUY', 40, 7, 1]], [after])).toEqual([
    ['BUY', 41, 3, 1, 3, 1],
    ['BUY', 40, 7, 1],
  ])
  markets.apply(2, [{ ...after, engine_sequence: 9 }])
  expect([yes!.book.sequence, no!.book.sequence]).toEqual([9, 9])
})

test('a corrected match keeps what was closed: opens are taken off first, and added to', () => {
  const segments = [
    { match_kind: 'merge', outcome_id: null, quantity: 2 },
    { match_kind: 'transfer', outcome_id: 'out_no', quantity: 3 },
    { match_kind: 'mint', outcome_id: null, quantity: 4 },
  ] as const
  const parts = (quantity: number) => segmentsAfter(segments, quantity).map((one) => [one.match_kind, one.quantity])
  expect(parts(9)).toEqual(segments.map((one) => [one.match_kind, one.quantity]))
  expect(parts(12).at(-1)).toEqual(['mint', 7])
  expect(parts(4)).toEqual([
    ['merge', 2],
    ['transfer', 2],
  ])
  expect(parts(1)).toEqual([['merge', 1]])
  expect(parts(0)).toEqual([])
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { InvariantError } from '../../../primitives/errors.ts'
import { type BookLevel, MatchingBook } from '../../../trading/matching/matching-book.ts'
import type { Matches, Permit, Trial } from '../../../trading/matching/taker.ts'
import { SELF_TRADE_MODES, SIDES } from '../../../vocabulary/order.ts'
import { NET_MIN, PlainBook, type PlainOrder } from './plain-book.ts'

const GRID = { price_min: 10, price_max: 990, price_increment: 10 }
const HOLDERS = 4

const drawnOrder = fc.record({
  holder: fc.nat(HOLDERS - 1),
  side: fc.constantFrom(...SIDES),
  price: fc.oneof({ weight: 6, arbitrary: fc.integer({ min: 47, max: 53 }) }, fc.integer({ min: 1, max: 99 })),
  quantity: fc.integer({ min: 1, max: 30 }),
  reduce_only: fc.constantFrom(true, false),
  post_only: fc.constantFrom(true, false, false, false),
  time_in_force: fc.constantFrom('GTC', 'GTC', 'GTD', 'FOK', 'FAK'),
  mode: fc.constantFrom(...SELF_TRADE_MODES),
})
const step = fc.oneof(
  { weight: 5, arbitrary: drawnOrder },
  { weight: 1, arbitrary: fc.record({ cancel: fc.nat(12) }) },
  { weight: 1, arbitrary: fc.constant({ restart: true }) },
)
type Drawn = typeof drawnOrder extends fc.Arbitrary<infer T> ? T : never

/** The real book, as the engine would keep it, beside the plain one. */
class Pair implements Matches {
  readonly plain: PlainBook
  readonly positions: { net_quantity: number }[]
  readonly told: string[] = []
  /** Levels as they were told, by side and price. */
  readonly feed = new Map<string, BookLevel>()
  book: MatchingBook
  #resting: PlainOrder[] = []
  #slots = new Map<number, number>()
  #taker: PlainOrder | null = null

  constructor(nets: readonly number[]) {
    this.plain = new PlainBook(nets)
    this.positions = nets.map((net_quantity) => ({ net_quantity }))
    this.book = new MatchingBook(GRID, this.positions)
  }

  permits(slot: number, quantity: number): Permit {
    const nets = this.positions.map(({ net_quantity }) => net_quantity)
    return this.#permit(nets, slot, quantity)
  }

  tries(): Trial {
    const nets = this.positions.map(({ net_quantity }) => net_quantity)
    return {
      permits: (slot, quantity) => {
        const permit = this.#permit(nets, slot, quantity)
        const bought = this.#taker!.side === 'BUY' ? quantity : -quantity
        if (permit !== 'books') return permit
        nets[this.#taker!.position.holder]! += bought
        nets[this.#resting[slot]!.position.holder]! -= bought
        return permit
      },
      allowance: () => Number.MAX_SAFE_INTEGER,
      isEnding: () => false,
      prevented: () => undefined,
    }
  }

  allowance(): number {
    return Number.MAX_SAFE_INTEGER
  }

  isEnding(): boolean {
    return false
  }

  ended(slot: number): void {
    this.told.push(`${this.#resting[slot]!.id} cannot be paid for`)
    this.#slots.delete(this.#resting[slot]!.id)
  }

  #permit(nets: readonly number[], slot: number, quantity: number): Permit {
    const [maker, taker] = [this.#resting[slot]!, this.#taker!]
    const seller = taker.side === 'SELL' ? taker : maker
    if (nets[seller.position.holder]! - quantity >= NET_MIN) return 'books'
    return seller === maker ? 'maker_ends' : 'taker_ends'
  }

  filled(slot: number, quantity: number, left: number): void {
    const [maker, taker] = [this.#resting[slot]!, this.#taker!]
    this.told.push(`${taker.id} takes ${quantity} of ${maker.id}, which has ${left}`)
    const bought = taker.side === 'BUY' ? quantity : -quantity
    this.positions[taker.position.holder]!.net_quantity += bought
    this.positions[maker.position.holder]!.net_quantity -= bought
    if (left === 0) this.#slots.delete(maker.id)
  }

  prevented(slot: number, quantity: number, maker_ends: boolean): void {
    this.told.push(`${this.#taker!.id} meets ${this.#resting[slot]!.id} for ${quantity}`)
    if (maker_ends) this.#slots.delete(this.#resting[slot]!.id)
  }

  reduced(slot: number): void {
    this.told.push(`${this.#resting[slot]!.id} could no longer only reduce`)
    this.#slots.delete(this.#resting[slot]!.id)
  }

  place(id: number, { holder, price, quantity, time_in_force, mode, ...drawn }: Drawn): void {
    const intent = { time_in_force, self_trade_prevention: mode } as const
    const order = { ...drawn, id, limit_price: price * 10, remaining_quantity: quantity, position: { holder }, intent }
    expect(this.book.wouldTake(order.side, order.limit_price)).toBe(this.plain.wouldTake(order))
    if (drawn.post_only && this.plain.wouldTake(order)) return
    this.#taker = order
    const ending = this.book.execute(order, this)
    expect(ending).toBe(this.plain.execute(order))
    if (ending === 'rests') this.#rest(order, this.book.rested)
  }

  cancel(id: number): void {
    expect(this.#slots.has(id)).toBe(this.plain.cancel(id))
    if (!this.#slots.has(id)) return
    this.book.remove(this.#slots.get(id)!)
    this.#slots.delete(id)
  }

  /** The book as it is made of working orders again, oldest first. */
  restart(): void {
    this.tellLevels()
    this.book = new MatchingBook(GRID, this.positions)
    this.#resting = []
    for (const { order, left } of [...this.plain.resting].sort((a, b) => a.order.id - b.order.id)) {
      this.#rest(order, this.book.restore({ ...order, remaining_quantity: left }))
    }
    expect(this.book.touched_count).toBe(0)
  }

  #rest(order: PlainOrder, slot: number): void {
    this.#resting[slot] = order
    this.#slots.set(order.id, slot)
  }

  tellLevels(): void {
    for (const touched of this.book.touched.slice(0, this.book.touched_count)) {
      const level = this.book.takeLevel(touched)
      this.feed.set(`${level.side} ${level.price}`, level)
    }
    this.book.touched_count = 0
  }

  compare(): void {
    expect(this.told).toEqual(this.plain.told)
    for (const side of SIDES) {
      const levels = [...this.book.levelsAgainst(side === 'BUY' ? 'SELL' : 'BUY')]
      const queued = levels.flatMap((level) =>
        [...this.book.queueAt(level)].map(({ slot, remaining }) => [this.#resting[slot]!.id, remaining]),
      )
      expect(queued).toEqual(this.plain.side(side).map(({ order, left }) => [order.id, left]))
      const told = [...this.feed.values()].filter((level) => level.side === side && level.order_count > 0)
      expect(told.sort((a, b) => (side === 'BUY' ? b.price - a.price : a.price - b.price))).toEqual(levels)
    }
  }
}

test('random orders of every rule: the book does what a plain one does, tells each level that changed, and is the same after a restart', () => {
  const nets = fc.array(fc.integer({ min: -60, max: 60 }), { minLength: HOLDERS, maxLength: HOLDERS })
  fc.assert(
    fc.property(nets, fc.array(step, { minLength: 20, maxLength: 80, size: 'max' }), (drawn, steps) => {
      const pair = new Pair(drawn)
      for (const [id, each] of steps.entries()) {
        if ('restart' in each) pair.restart()
        else if ('cancel' in each) pair.cancel(id - each.cancel)
        else pair.place(id, each)
        pair.tellLevels()
        pair.compare()
      }
    }),
    { seed: Number(process.env.TIDEMARK_SEED ?? 7), numRuns: Number(process.env.TIDEMARK_RUNS ?? 200) },
  )
}, 120_000)

describe('a sum at a price', () => {
  test('that would be no safe integer is refused, not rounded', () => {
    const book = new MatchingBook(GRID, [{ net_quantity: 0 }])
    const order = (remaining_quantity: number) =>
      ({ side: 'BUY', limit_price: 500, remaining_quantity, reduce_only: false, position: { holder: 0 } }) as const
    book.restore(order(Number.MAX_SAFE_INTEGER - 1))
    book.restore(order(1))
    expect([...book.levelsAgainst('SELL')]).toEqual([
      {
        side: 'BUY',
        price: 500,
        quantity: Number.MAX_SAFE_INTEGER,
        order_count: 2,
        mirrored_quantity: 0,
        mirrored_count: 0,
      },
    ])
    expect(() => book.restore(order(1))).toThrow(InvariantError)
  })
})

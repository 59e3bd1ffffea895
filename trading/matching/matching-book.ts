import { InvariantError } from '../../primitives/errors.ts'
import type { MarketTerms } from '../market/market-terms.ts'
import { executableIn } from './executable.ts'
import { OrderSlots } from './order-slots.ts'
import { NONE } from './price-bits.ts'
import { PriceLevels } from './price-levels.ts'
import { EndingOrders, type ReduceOnlyLimits, TrimmedOrders } from './reduce-only-limits.ts'
import { type Holder, ReduceOnlyOrders, roomToReduce } from './reduce-only-orders.ts'
import type { BookOrder, Ending, Executable, Matches, Taker, Trial } from './taker.ts'

export type Grid = Pick<MarketTerms, 'price_min' | 'price_max' | 'price_increment'> & {
  readonly complementary?: boolean
}

/** One price level of a book. */
export type BookLevel = {
  readonly side: BookOrder['side']
  readonly price: number
  readonly quantity: number
  readonly order_count: number
  /** The part of them that rests as orders of the second outcome of a complementary market. */
  readonly mirrored_quantity: number
  readonly mirrored_count: number
}

const [BUY, SELL] = [0, 1]
/** Remainders of a taker that was ended before it was filled. */
const [PREVENTED, UNBOOKABLE] = [-1, -2]

/**
 * Resting orders of one outcome and every matching rule: best price first, then oldest; FOK whole or not at all; FAK without a
 * rest; self-trade prevention; reduce_only orders that never increase a position. It decides and stores only the book; the caller
 * (`Matches`) changes positions and money, and in a complementary market trims reduce_only orders. Columns of numbers: nothing is allocated for an order, except to try a FOK.
 */
export class MatchingBook {
  /**
   * Levels that changed since `takeLevel` returned them, in order of change: tick x 2 + side; the first `touched_count` entries.
   */
  readonly touched: number[] = []
  touched_count = 0
  /** Slot of the last order that `execute` left in the book. */
  rested = NONE
  readonly #grid: Grid
  readonly #holders: readonly Holder[]
  readonly #slots = new OrderSlots()
  readonly #bids: PriceLevels
  readonly #asks: PriceLevels
  readonly #reduce_only = new ReduceOnlyOrders()

  /** @param holders positions of the outcome, by their `holder` number; more may be appended */
  constructor(grid: Grid, holders: readonly Holder[]) {
    const prices = (grid.price_max - grid.price_min) / grid.price_increment + 1
    this.#grid = grid
    this.#holders = holders
    this.#bids = new PriceLevels(prices, false)
    this.#asks = new PriceLevels(prices, true)
  }

  /**
   * Executes an order as far as its time in force, its price and the book allow, and leaves the rest in the book if it may rest.
   */
  execute(taker: Taker, matches: Matches & { tries(): Trial }): Ending {
    const { time_in_force } = taker.intent
    if (time_in_force === 'FOK' && !this.fillsWhole(taker, matches.tries())) return 'unfillable'
    const left = this.#match(taker, matches)
    if (left === 0) return 'filled'
    if (time_in_force === 'FOK') throw new InvariantError('a FOK that fills whole has nothing left')
    if (left < 0) return left === PREVENTED ? 'prevented' : 'unbookable'
    if (time_in_force === 'FAK') return 'unfilled'
    const slot = this.#place(taker, left)
    const side = this.#slots.side[slot]!
    this.#touch(this.#levels(side), side, this.#slots.place[slot]!)
    this.rested = slot
    return 'rests'
  }

  /** Restores an order that was in the book before a restart, without marking a change. @returns its slot */
  restore(order: BookOrder): number {
    return this.#place(order, order.remaining_quantity)
  }

  /** Removes a resting order. */
  remove(slot: number): void {
    this.#takeOut(this.#levels(this.#slots.side[slot]!), slot)
    this.#slots.free(slot)
  }

  /** Whether an order would execute at once; an own resting order counts as one to cross with. */
  wouldTake(side: BookOrder['side'], limit_price: number): boolean {
    const against = this.#against(side)
    return against.best !== NONE && against.reaches(against.best, this.#placeOf(limit_price))
  }

  /** Returns the slot of the first resting order that an order of the side would meet; NONE: nothing rests there. */
  firstAgainst(side: BookOrder['side']): number {
    const against = this.#against(side)
    return against.best === NONE ? NONE : against.first[against.best]!
  }

  /** Returns what an order could execute at once, up to its quantity. */
  executable(taker: Taker, trial: Trial): Executable {
    const bound = this.#placeOf(taker.limit_price)
    const [levels, priceOf] = [this.#against(taker.side), (place: number) => this.#priceOf(place)]
    return executableIn(this.#slots, levels, this.#limits(taker), taker, trial, bound, priceOf)
  }

  /** Whether an order could fill completely at once. */
  fillsWhole(taker: Taker, trial: Trial): boolean {
    return this.executable(taker, trial).ending === 'filled'
  }

  /** Cuts `quantity`, less than all, off a resting order. */
  trim(slot: number, quantity: number): void {
    const [slots, levels] = [this.#slots, this.#levels(this.#slots.side[slot]!)]
    levels.reduce(slots, slot, quantity)
    if (slots.reduce_only[slot] === 1) this.#reduce_only.reduce(slots, slot, quantity)
    this.#touch(levels, slots.side[slot]!, slots.place[slot]!)
  }

  /** Ends a holder's reduce_only orders, newest first, that its position has no room for; not in a complementary market. */
  cutReduceOnly(holder: number, matches: Pick<Matches, 'reduced'>): void {
    if (this.#grid.complementary === true || this.#reduce_only.count === 0) return
    this.#cutExcess(holder, BUY, matches)
    this.#cutExcess(holder, SELL, matches)
  }

  /** Returns a touched level as it is now and clears its mark. */
  takeLevel(touched: number): BookLevel {
    const levels = this.#levels(touched & 1)
    levels.changed[touched >> 1] = 0
    return this.#levelAt(touched >> 1, touched & 1)
  }

  /** Yields the levels that an order of `side` meets, best first. For reading a whole book. */
  *levelsAgainst(side: BookOrder['side']): Generator<BookLevel> {
    const levels = this.#against(side)
    const code = side === 'BUY' ? SELL : BUY
    for (let place = levels.best; place !== NONE; place = levels.after(place)) yield this.#levelAt(place, code)
  }

  /** Yields the slots of the orders at a price, oldest first, with their remainders. */
  *queueAt({ side, price }: Pick<BookLevel, 'side' | 'price'>): Generator<{ slot: number; remaining: number }> {
    const place = this.#placeOf(price)
    const levels = this.#levels(side === 'BUY' ? BUY : SELL)
    let slot = levels.count[place] === 0 ? NONE : (levels.first[place] ?? NONE)
    for (; slot !== NONE; slot = this.#slots.next[slot]!) yield { slot, remaining: this.#slots.remaining[slot]! }
  }

  /** @returns the taker's remainder, or why it was ended before it was filled */
  #match(taker: Taker, matches: Matches): number {
    const against = this.#against(taker.side)
    const slots = this.#slots
    const { holder } = taker.position
    const bound = this.#placeOf(taker.limit_price)
    let left = taker.remaining_quantity
    while (left > 0) {
      const place = against.best
      if (place === NONE || !against.reaches(place, bound)) break
      const slot = against.first[place]!
      const most = Math.min(left, slots.remaining[slot]!)
      if (matches.isEnding(slot)) {
        this.#end(against, slot, matches)
        continue
      }
      if (slots.holder[slot]! === holder) {
        if (this.#prevent(taker, slot, most, matches)) return PREVENTED
        continue
      }
      const quantity = Math.min(most, matches.allowance(slot))
      const permit = matches.permits(slot, quantity)
      if (permit === 'taker_ends') return UNBOOKABLE
      if (permit === 'books') {
        left -= quantity
        this.#fill(against, slot, quantity, holder, matches)
      } else this.#end(against, slot, matches)
    }
    return left
  }

  #end(against: PriceLevels, slot: number, matches: Matches): void {
    this.#takeOut(against, slot)
    matches.ended(slot)
    this.#slots.free(slot)
  }

  #fill(against: PriceLevels, slot: number, quantity: number, taker: number, matches: Matches): void {
    const slots = this.#slots
    const maker = slots.holder[slot]!
    const maker_left = slots.remaining[slot]! - quantity
    if (maker_left === 0) this.#takeOut(against, slot)
    else this.trim(slot, quantity)
    matches.filled(slot, quantity, maker_left)
    if (maker_left === 0) slots.free(slot)
    this.cutReduceOnly(maker, matches)
    this.cutReduceOnly(taker, matches)
  }

  /** @returns true if the taker must end */
  #prevent({ intent, side }: Taker, slot: number, quantity: number, matches: Matches): boolean {
    const mode = intent.self_trade_prevention
    const maker_ends = mode !== 'cancel_taker'
    if (maker_ends) this.#takeOut(this.#against(side), slot)
    matches.prevented(slot, quantity, maker_ends)
    if (maker_ends) this.#slots.free(slot)
    return mode !== 'cancel_maker'
  }

  #cutExcess(holder: number, side: number, matches: Pick<Matches, 'reduced'>): void {
    let excess = this.#reduce_only.remaining(holder, side)
    if (excess === 0) return
    excess -= roomToReduce(this.#holders[holder]!, side)
    for (let slot = this.#reduce_only.newest(holder, side); slot !== NONE && excess > 0; ) {
      const older = this.#slots.older[slot]!
      excess -= this.#slots.remaining[slot]!
      this.#takeOut(this.#levels(side), slot)
      matches.reduced(slot)
      this.#slots.free(slot)
      slot = older
    }
  }

  #place(order: BookOrder, quantity: number): number {
    const slots = this.#slots
    const side = order.side === 'BUY' ? BUY : SELL
    const slot = slots.take()
    slots.place[slot] = this.#placeOf(order.limit_price)
    slots.side[slot] = side
    slots.reduce_only[slot] = order.reduce_only ? 1 : 0
    slots.mirrored[slot] = order.is_mirrored === true ? 1 : 0
    slots.holder[slot] = order.position.holder
    slots.remaining[slot] = quantity
    this.#levels(side).append(slots, slot)
    if (order.reduce_only) this.#reduce_only.add(slots, slot)
    return slot
  }

  #takeOut(levels: PriceLevels, slot: number): void {
    const slots = this.#slots
    levels.remove(slots, slot)
    if (slots.reduce_only[slot] === 1) this.#reduce_only.remove(slots, slot)
    this.#touch(levels, slots.side[slot]!, slots.place[slot]!)
  }

  #touch({ changed }: PriceLevels, side: number, place: number): void {
    if (changed[place] === 1) return
    changed[place] = 1
    this.touched[this.touched_count] = place * 2 + side
    this.touched_count += 1
  }

  #levelAt(place: number, side: number): BookLevel {
    const { quantity, count, mirrored_quantity, mirrored_count } = this.#levels(side)
    return {
      side: side === BUY ? 'BUY' : 'SELL',
      price: this.#priceOf(place),
      quantity: quantity[place]!,
      order_count: count[place]!,
      mirrored_quantity: mirrored_quantity[place]!,
      mirrored_count: mirrored_count[place]!,
    }
  }

  /** Returns how reduce_only orders that `taker` meets would end or be trimmed; null: none of them rests. */
  #limits({ side }: Taker): ReduceOnlyLimits | null {
    if (this.#reduce_only.count === 0) return null
    const against = side === 'BUY' ? SELL : BUY
    if (this.#grid.complementary === true) return new TrimmedOrders(this.#slots, this.#holders, against)
    return new EndingOrders(this.#slots, this.#reduce_only, this.#holders, against)
  }

  #levels(side: number): PriceLevels {
    return side === BUY ? this.#bids : this.#asks
  }

  #against(side: BookOrder['side']): PriceLevels {
    return side === 'BUY' ? this.#asks : this.#bids
  }

  #placeOf(price: number): number {
    return (price - this.#grid.price_min) / this.#grid.price_increment
  }

  #priceOf(place: number): number {
    return this.#grid.price_min + place * this.#grid.price_increment
  }
}

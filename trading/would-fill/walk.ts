import { invariant } from '../../primitives/errors.ts'
import type { Micros } from '../../primitives/instants.ts'
import type { FillWalkEnd, Side, TimeInForce } from '../../vocabulary/order.ts'
import type { PublicBook, PublicLevel } from '../public-market/public-market.ts'
import { arrived, EMPTY_LEVEL, type LevelTotal, leftAtMost } from './level-change.ts'
import { QueueBound } from './queue-bound.ts'
import type { TapeBatch, TapeLevel, TapeTrade } from './tape.ts'

/** An order that was never placed, in whole numbers at its market's scales, in the outcome that it is for. */
export type HypotheticalOrder = {
  readonly side: Side
  readonly limit_price: number
  readonly quantity: number
  readonly time_in_force: TimeInForce
  /** null: it does not expire. */
  readonly expires_at: Micros | null
}

type TakenLevel = { readonly price: number; readonly quantity: number }

/** Quantity and number of the orders at the order's price when it joins them. */
type Resting = { readonly quantity: number; readonly ahead: LevelTotal }

/**
 * The fills of a hypothetical order: what it takes at once, then what the public record of later batches would have brought it.
 *
 * Nobody is known to act otherwise because of it, so each later order that reached its price is thought to meet first what stands before
 * it and then the order itself. The pessimistic bound takes every cancel at its price as one behind it, the optimistic bound as one before
 * it. No batch may be given that was not public at the end of the walk.
 */
export class Walk {
  readonly taken: readonly TakenLevel[]
  /** null: nothing of it rests. */
  readonly resting: Resting | null
  readonly pessimistic: QueueBound
  readonly optimistic: QueueBound
  readonly #order: HypotheticalOrder
  /** Totals of the levels that decide: the one that the order rests at, and those of the other side that reach it. */
  readonly #levels = new Map<string, LevelTotal>()
  #end: { readonly reason: FillWalkEnd; readonly at: Micros } | null = null

  constructor(order: HypotheticalOrder, book: Pick<PublicBook, 'bids' | 'asks'>, as_of: Micros) {
    this.#order = order
    this.taken = takenAtOnce(order, book)
    const left = order.quantity - this.taken.reduce((sum, { quantity }) => sum + quantity, 0)
    const rests = left > 0 && (order.time_in_force === 'GTC' || order.time_in_force === 'GTD')
    const [own, other] = order.side === 'BUY' ? [book.bids, book.asks] : [book.asks, book.bids]
    const ahead = own.find(({ price }) => price === order.limit_price) ?? EMPTY_LEVEL
    this.resting = rests ? { quantity: left, ahead } : null
    for (const level of [...own.map(onSide(order.side)), ...other.map(onSide(otherSide(order.side)))]) this.#keep(level)
    const bound = () => new QueueBound(order.limit_price, left, rests ? ahead.quantity : 0)
    this.pessimistic = bound()
    this.optimistic = bound()
    for (const { price, quantity } of this.taken) {
      this.pessimistic.take(as_of, price, quantity)
      this.optimistic.take(as_of, price, quantity)
    }
    if (!rests) this.#end = { reason: left === 0 ? 'filled' : 'not_resting', at: as_of }
  }

  get limit_price(): number {
    return this.#order.limit_price
  }

  get quantity(): number {
    return this.#order.quantity
  }

  /** Whether only corrections can still change the answer. */
  get has_ended(): boolean {
    return this.#end !== null
  }

  /** Applies the next batch. */
  step(batch: TapeBatch): void {
    for (const correction of batch.corrections) {
      this.pessimistic.correct(correction)
      this.optimistic.correct(correction)
    }
    if (this.#end !== null) return
    const { expires_at } = this.#order
    if (expires_at !== null && batch.at >= expires_at) {
      this.#end = { reason: 'expired', at: expires_at }
      return
    }
    this.#trade(batch)
    if (batch.is_stopped) this.#end = { reason: 'market_not_open', at: batch.at }
    else if (this.pessimistic.remaining === 0 && this.optimistic.remaining === 0)
      this.#end = { reason: 'filled', at: batch.at }
  }

  /** Returns why and when the walk ended; `until` if the order still rested then. */
  endBy(until: Micros): { readonly reason: FillWalkEnd; readonly at: Micros } {
    if (this.#end !== null) return this.#end
    const { expires_at } = this.#order
    return expires_at !== null && expires_at <= until
      ? { reason: 'expired', at: expires_at }
      : { reason: 'until', at: until }
  }

  #trade({ at, levels, trades, is_stopped }: TapeBatch): void {
    const { side, limit_price } = this.#order
    const reaching = trades.filter(({ price }) => reaches(side, price, limit_price))
    const opposing = reaching.filter(({ aggressor_side }) => aggressor_side !== side)
    const competing = reaching.filter(({ aggressor_side }) => aggressor_side === side)
    // The levels of a batch that stops the market are those after its cancels, which nobody meets any more.
    const after = is_stopped ? [] : levels.filter((level) => this.#decides(level))
    const own = after.find((level) => level.side === side)
    if (own !== undefined) this.optimistic.leave(leftAtMost(this.#total(own), own, tradedAt(limit_price, opposing)))
    this.pessimistic.displace(sum(competing))
    for (const { price, quantity, trade_id } of opposing) {
      for (const bound of [this.pessimistic, this.optimistic]) {
        // A worse price traded, so nothing rested at the order's own.
        if (price !== limit_price) bound.limitAhead(0)
        bound.meet(at, quantity, trade_id)
      }
    }
    if (own !== undefined) {
      this.pessimistic.limitAhead(own.quantity)
      this.optimistic.limitAhead(own.quantity)
    }
    const offers = after.filter((level) => level.side !== side)
    const has_taker = trades.some(({ aggressor_side }) => aggressor_side !== side)
    this.#meetOffers(at, offers, competing, has_taker)
    for (const level of after) this.#keep(level)
  }

  /**
   * Lets the order meet orders of the other side that came to rest at its price or a better one. An order that traded first is no
   * post_only order, so its remainder would surely have met this one.
   */
  #meetOffers(at: Micros, offers: readonly TapeLevel[], taken: readonly TapeTrade[], has_taker: boolean): void {
    let [rise, orders, possible] = [0, 0, 0]
    for (const level of offers) {
      const before = this.#total(level)
      const came = arrived(before, level, tradedAt(level.price, taken))
      rise += came
      orders += level.order_count - before.order_count
      possible += Math.max(0, came)
    }
    if (has_taker && rise > 0 && orders > 0) this.pessimistic.meet(at, rise, null)
    if (possible > 0) this.optimistic.meet(at, possible, null)
  }

  #decides({ side, price }: TapeLevel): boolean {
    const { side: own, limit_price } = this.#order
    return side === own ? price === limit_price : reaches(own, price, limit_price)
  }

  #total({ side, price }: TapeLevel): LevelTotal {
    return this.#levels.get(`${side} ${price}`) ?? EMPTY_LEVEL
  }

  #keep(level: TapeLevel): void {
    if (!this.#decides(level)) return
    invariant(level.quantity >= 0, 'a price level has no negative quantity')
    if (level.quantity === 0) this.#levels.delete(`${level.side} ${level.price}`)
    else this.#levels.set(`${level.side} ${level.price}`, level)
  }
}

/** Returns the price levels that an order takes at once, best first; a FOK that cannot fill takes nothing. */
export function takenAtOnce(
  { side, limit_price, quantity, time_in_force }: HypotheticalOrder,
  { bids, asks }: Pick<PublicBook, 'bids' | 'asks'>,
): readonly TakenLevel[] {
  const taken: TakenLevel[] = []
  let left = quantity
  for (const level of side === 'BUY' ? asks : bids) {
    if (left === 0 || !reaches(side, level.price, limit_price)) break
    const part = Math.min(left, level.quantity)
    taken.push({ price: level.price, quantity: part })
    left -= part
  }
  return time_in_force === 'FOK' && left > 0 ? [] : taken
}

/** Whether an order of a side with a limit accepts a price. */
function reaches(side: Side, price: number, limit_price: number): boolean {
  return side === 'BUY' ? price <= limit_price : price >= limit_price
}

function otherSide(side: Side): Side {
  return side === 'BUY' ? 'SELL' : 'BUY'
}

const onSide =
  (side: Side) =>
  ({ price, quantity, order_count }: PublicLevel): TapeLevel => ({ side, price, quantity, order_count })

function tradedAt(price: number, trades: readonly TapeTrade[]): number {
  return sum(trades.filter((trade) => trade.price === price))
}

function sum(trades: readonly TapeTrade[]): number {
  return trades.reduce((total, { quantity }) => total + quantity, 0)
}

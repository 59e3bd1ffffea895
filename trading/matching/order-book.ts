import { invariant } from '../../primitives/errors.ts'
import type { MarketTerms } from '../market/market-terms.ts'
import type { Order, Side } from '../order/order.ts'

/** Orders of one price, oldest first: a list through the orders themselves, so that one is taken out without a search. */
export type PriceLevel = {
  readonly market_id: string
  readonly outcome_id: string
  readonly side: Side
  readonly price: number
  quantity: number
  order_count: number
  first: Order | null
  last: Order | null
  /** It has changed in this batch. */
  changed: boolean
}

/**
 * The resting orders of one outcome by price, then age. Prices are on a grid with few steps, so a side is an array with a place
 * for each of them, and the best price is found by walking from the last best one.
 */
export class OrderBook {
  readonly #terms: MarketTerms
  readonly #market_id: string
  readonly #outcome_id: string
  readonly #bids: (PriceLevel | undefined)[] = []
  readonly #asks: (PriceLevel | undefined)[] = []
  /** Steps of the best prices: -1 and the number of steps where a side is empty. */
  #best_bid = -1
  #best_ask: number

  readonly #steps: number

  constructor(terms: MarketTerms, market_id: string, outcome_id: string) {
    this.#terms = terms
    this.#market_id = market_id
    this.#outcome_id = outcome_id
    this.#steps = (terms.price_max - terms.price_min) / terms.price_increment + 1
    this.#best_ask = this.#steps
  }

  /** The level that an order of `side` meets first; null where there is none. */
  bestAgainst(side: Side): PriceLevel | null {
    return (side === 'BUY' ? this.#asks[this.#best_ask] : this.#bids[this.#best_bid]) ?? null
  }

  /** Levels that an order of `side` meets, best first. */
  *levelsAgainst(side: Side): Generator<PriceLevel> {
    const [levels, step] = side === 'BUY' ? [this.#asks, 1] : [this.#bids, -1]
    const [from, end] = side === 'BUY' ? [this.#best_ask, this.#steps] : [this.#best_bid, -1]
    for (let place = from; place !== end; place += step) {
      const level = levels[place]
      if (level !== undefined && level.order_count > 0) yield level
    }
  }

  /** Puts an order at the end of its price's queue. */
  add(order: Order): PriceLevel {
    const place = this.#placeOf(order.limit_price)
    const level = this.#levelAt(order.side, place, order.limit_price)
    order.level = level
    order.previous = level.last
    order.next = null
    if (level.last === null) level.first = order
    else level.last.next = order
    level.last = order
    level.order_count += 1
    level.quantity += order.remaining_quantity
    if (order.side === 'BUY') this.#best_bid = Math.max(this.#best_bid, place)
    else this.#best_ask = Math.min(this.#best_ask, place)
    return level
  }

  /** Takes an order out. Its remaining quantity is what it is in the book with. */
  remove(order: Order): PriceLevel {
    const level = levelOf(order)
    if (order.previous === null) level.first = order.next
    else order.previous.next = order.next
    if (order.next === null) level.last = order.previous
    else order.next.previous = order.previous
    order.level = null
    order.next = null
    order.previous = null
    level.order_count -= 1
    level.quantity -= order.remaining_quantity
    if (level.order_count === 0) this.#moveBest(order.side)
    return level
  }

  /** Takes `quantity` off an order that stays; call before its remaining quantity falls. */
  reduce(order: Order, quantity: number): PriceLevel {
    const level = levelOf(order)
    level.quantity -= quantity
    return level
  }

  #levelAt(side: Side, place: number, price: number): PriceLevel {
    const levels = this.#side(side)
    const known = levels[place]
    if (known !== undefined) return known
    const [market_id, outcome_id] = [this.#market_id, this.#outcome_id]
    const made = {
      market_id,
      outcome_id,
      side,
      price,
      quantity: 0,
      order_count: 0,
      first: null,
      last: null,
      changed: false,
    }
    levels[place] = made
    return made
  }

  #side(side: Side): (PriceLevel | undefined)[] {
    return side === 'BUY' ? this.#bids : this.#asks
  }

  #placeOf(price: number): number {
    return (price - this.#terms.price_min) / this.#terms.price_increment
  }

  /** The next price with orders, once the best one has none. */
  #moveBest(side: Side): void {
    if (side === 'BUY') while (this.#best_bid >= 0 && !hasOrders(this.#bids[this.#best_bid])) this.#best_bid -= 1
    else while (this.#best_ask < this.#steps && !hasOrders(this.#asks[this.#best_ask])) this.#best_ask += 1
  }
}

function levelOf({ level }: Order): PriceLevel {
  invariant(level !== null, 'a resting order has a price level')
  return level
}

function hasOrders(level: PriceLevel | undefined): boolean {
  return level !== undefined && level.order_count > 0
}

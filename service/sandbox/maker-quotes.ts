import type { Order } from '../../protocol/resources/order.ts'
import { createRandom } from '../../simulator/world/random.ts'
import type { Side } from '../../vocabulary/order.ts'
import { fairPrice } from './fair-price.ts'

/** Market of two outcomes whose prices add up to 1. */
export type TradedMarket = { readonly market_id: string; readonly outcome_ids: readonly [string, string] }

/** One order that a maker wants open. */
export type Quote = {
  readonly market_id: string
  readonly outcome_id: string
  readonly side: Side
  /** 1 to 99. */
  readonly price_cents: number
  /** Whole contracts. */
  readonly quantity: number
}

export type QuotePlan = {
  /** `all`: none of several quotes is kept, as after each move of the fair price; one request cancels them. */
  readonly cancel: 'all' | readonly string[]
  readonly place: readonly Quote[]
}

export type RestingOrder = Pick<
  Order,
  'order_id' | 'outcome_id' | 'side' | 'limit_price' | 'original_quantity' | 'remaining_quantity'
>

const LEVELS = 3
const QUANTITY_MIN = 20
const QUANTITY_MAX = 120

/**
 * Returns the orders that a maker wants open in a market: three price levels per side of each outcome around the fair price.
 * @param maker  0 quotes closest, each further one a cent wider
 * @param at_s   seconds since 1970
 */
export function wantedQuotes(seed: string, maker: number, market: TradedMarket, at_s: number): Quote[] {
  const { market_id, outcome_ids } = market
  const fair = fairPrice(seed, market_id, at_s)
  return outcome_ids.flatMap((outcome_id, ordinal) => {
    const middle = ordinal === 0 ? fair : 100 - fair
    return Array.from({ length: LEVELS }, (_, level) => {
      const distance = 1 + maker + 2 * level
      const of = (side: Quote['side'], price_cents: number): Quote => {
        const random = createRandom(seed, 'size', maker, outcome_id, side, price_cents)
        return { market_id, outcome_id, side, price_cents, quantity: random.between(QUANTITY_MIN, QUANTITY_MAX) }
      }
      return [of('BUY', middle - distance), of('SELL', middle + distance)]
    }).flat()
  })
}

/** Plans which orders to cancel and place so that exactly the wanted ones are open; matching orders are kept. */
export function planQuotes(wanted: readonly Quote[], resting: readonly RestingOrder[]): QuotePlan {
  const missing = new Map(
    wanted.map((quote) => [keyOf(quote.outcome_id, quote.side, priceText(quote.price_cents)), quote]),
  )
  const cancel: string[] = []
  for (const order of resting) {
    const key = keyOf(order.outcome_id, order.side, order.limit_price)
    if (missing.has(key) && !isWorn(order)) missing.delete(key)
    else cancel.push(order.order_id)
  }
  const keeps_none = cancel.length > 1 && cancel.length === resting.length
  return { cancel: keeps_none ? 'all' : cancel, place: [...missing.values()] }
}

/** Formats 7 as `0.07`. */
export function priceText(price_cents: number): string {
  return `0.${String(price_cents).padStart(2, '0')}`
}

/** Whether less than half of an order is left. */
function isWorn({ original_quantity, remaining_quantity }: RestingOrder): boolean {
  const whole = (text: string) => Number.parseInt(text, 10)
  return whole(remaining_quantity) * 2 < whole(original_quantity)
}

function keyOf(outcome_id: string, side: string, price: string): string {
  return `${outcome_id} ${side} ${price}`
}

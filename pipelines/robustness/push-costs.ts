import { type Decimal, SCALE } from '../../primitives/decimal.ts'
import { fromScaled, pow10, toScaled } from '../../primitives/scaled.ts'
import { BOOK_PRICE_SCALE, BOOK_QUANTITY_SCALE } from '../market/order-book.ts'
import type { Depth, PriceLevel } from './depth.ts'

/** Direction in which a level is pushed: up by buying, down by selling. */
export const PUSH_DIRECTIONS = ['up', 'down'] as const
export type PushDirection = (typeof PUSH_DIRECTIONS)[number]

/** Fraction digits of price x quantity. */
const COST_SCALE = BOOK_PRICE_SCALE + BOOK_QUANTITY_SCALE

/** A push of one touch to its next price level, in whole units so that comparisons are exact. */
export type PushPoint = {
  /** Weight x distance of the touch, with the fraction digits of both. */
  readonly gain: bigint
  /** Notional of everything taken on the way, with the fraction digits of price x quantity. */
  readonly cost: bigint
  /** Price that the touch reaches, at the scale of prices. */
  readonly touch: bigint
}

/**
 * Returns the pushes of one constituent's touch, ascending in gain and cost: each takes whole price levels, bought at their price or
 * sold at 1 - price, and moves the touch to the next one. Taking the last one moves it to 1, or to 0 (methodology robustness-1 §3).
 */
export function pushPoints(depth: Depth, w: Decimal, direction: PushDirection): PushPoint[] {
  const side = (direction === 'up' ? depth.asks : depth.bids).map(inUnits)
  const [weight, one] = [unitsOf(w, SCALE.weight), pow10(BOOK_PRICE_SCALE)]
  const first = side[0]?.price ?? 0n
  let cost = 0n
  return side.map(({ price, quantity }, i) => {
    const touch = side[i + 1]?.price ?? (direction === 'up' ? one : 0n)
    cost += (direction === 'up' ? price : one - price) * quantity
    const distance = direction === 'up' ? touch - first : first - touch
    return { gain: weight * distance, cost, touch }
  })
}

function inUnits({ price, quantity }: PriceLevel) {
  return { price: unitsOf(price, BOOK_PRICE_SCALE), quantity: unitsOf(quantity, BOOK_QUANTITY_SCALE) }
}

function unitsOf(value: Decimal, scale: number): bigint {
  return toScaled(value.toFixed(), scale)
}

/** Returns the points of the lower convex hull from (0, 0), each cheaper per gain than the next. */
export function cheapestPoints(points: readonly PushPoint[]): PushPoint[] {
  const hull: PushPoint[] = []
  for (const point of points) {
    if (point.gain <= (hull.at(-1)?.gain ?? 0n)) continue
    while (hull.length > 0 && isAbove(hull.at(-2) ?? ORIGIN, hull.at(-1)!, point)) hull.pop()
    hull.push(point)
  }
  return hull
}

const ORIGIN = { gain: 0n, cost: 0n } as const

/** Returns whether the middle point lies on or above the line between the outer ones. */
function isAbove(from: Pick<PushPoint, 'gain' | 'cost'>, middle: PushPoint, to: PushPoint): boolean {
  return (middle.cost - from.cost) * (to.gain - from.gain) >= (to.cost - from.cost) * (middle.gain - from.gain)
}

/** Fraction digits of a published cost. */
export const COST_DIGITS = 6

/** Prints a cost with 6 decimals. @param up whether it is rounded up, else down */
export function formatCost(cost: bigint, up: boolean): string {
  const unit = pow10(COST_SCALE - COST_DIGITS)
  return fromScaled((cost + (up ? unit - 1n : 0n)) / unit, COST_DIGITS)
}

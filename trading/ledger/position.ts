import { minus, mulDivHalfEven, plus, times } from '../../primitives/safe-integers.ts'
import { divideHalfEven } from '../../primitives/scaled.ts'
import type { Side } from '../../vocabulary/order.ts'
import { type Exposed, exposureOf } from '../market/ladder.ts'
import type { MarketTerms } from '../market/market-terms.ts'
import type { Order, Position, WorkingSide } from '../order/order.ts'
import type { Balance } from './balance.ts'

/** Fraction digits of an average entry price. */
export const AVERAGE_SCALE = 10
const POWERS = Array.from({ length: AVERAGE_SCALE + 1 }, (_, exponent) => 10 ** exponent)

/** Returns an empty position. */
export function emptyPosition(
  money: Balance,
  ids: Pick<Position, 'market_id' | 'outcome_id' | 'is_mirrored' | 'holder'>,
  terms: MarketTerms,
  open_orders: Position['open_orders'],
): Position {
  return {
    account_id: money.account_id,
    ...ids,
    complement: null,
    terms,
    money,
    protection: null,
    open_orders,
    net_quantity: 0,
    settled_quantity: 0,
    average_entry_price: null,
    realized_pnl: 0,
    pending_short_credit: 0,
    open_settlements: 0,
    buys: { oldest: null, newest: null, remaining: 0, reduce_only_remaining: 0 },
    sells: { oldest: null, newest: null, remaining: 0, reduce_only_remaining: 0 },
    order_reserve: 0,
    requirement: 0,
    covering: 0,
    source_fill_sequence: 0,
    projection_version: 0,
    engine_sequence: 0,
    changed: false,
  }
}

/** Returns the part of a sale of `quantity` beyond holdings. */
export function uncoveredPart({ net_quantity }: Pick<Position, 'net_quantity'>, quantity: number): number {
  return quantity - Math.min(Math.max(net_quantity, 0), quantity)
}

/** Returns the quantity by which an order of the side can reduce the exposure before it is flat. */
export function reducible(position: Exposed, side: Side): number {
  const exposure = exposureOf(position)
  return Math.max(side === 'SELL' ? exposure : -exposure, 0)
}

/**
 * Returns the quantity that working orders would take out of the position: all SELLs; in a complementary market, as much of the holding
 * as the orders that close it ask for, those that buy the other outcome included.
 */
export function reservedToSell({ net_quantity, terms, is_mirrored, complement, sells }: Position): number {
  if (!terms.complementary) return sells.remaining
  const closing = is_mirrored ? complement!.buys : sells
  return Math.max(Math.min(net_quantity, closing.remaining), 0)
}

/** Returns the position's working orders of one side. */
export function workingSide(position: Position, side: Side): WorkingSide {
  return side === 'BUY' ? position.buys : position.sells
}

/** Adds an order to the working orders of its side: behind those that are covered before it. */
export function joinSide(order: Order): void {
  const side = workingSide(order.position, order.side)
  countOpen(order.position, 1)
  let older = side.newest
  while (older !== null && isBetter(order, older)) older = older.older
  const newer = older === null ? side.oldest : older.newer
  order.older = older
  order.newer = newer
  if (older === null) side.oldest = order
  else older.newer = order
  if (newer === null) side.newest = order
  else newer.older = order
}

/** Whether a newer order of the same side is covered before an older one: at a better price of a complementary market. */
function isBetter({ side, limit_price, terms }: Order, older: Order): boolean {
  if (!terms.complementary) return false
  return side === 'BUY' ? limit_price > older.limit_price : limit_price < older.limit_price
}

/** Removes an order from the working orders of its side. */
export function leaveSide(order: Order): void {
  const side = workingSide(order.position, order.side)
  countOpen(order.position, -1)
  if (order.older === null) side.oldest = order.newer
  else order.older.newer = order.newer
  if (order.newer === null) side.newest = order.older
  else order.newer.older = order.older
  order.older = null
  order.newer = null
}

function countOpen({ open_orders: { account, market } }: Position, change: number): void {
  account.count += change
  market.count += change
}

/** Yields the working orders of one side, oldest first. */
export function* workingOrders(side: WorkingSide): Generator<Order> {
  for (let order = side.oldest; order !== null; order = order.newer) yield order
}

/** Adds `quantity`, which may be negative, to the remainder of a working order. */
export function addRemaining(order: Order, quantity: number): void {
  const side = workingSide(order.position, order.side)
  order.remaining_quantity += quantity
  side.remaining += quantity
  if (order.reduce_only) side.reduce_only_remaining += quantity
}

/**
 * Applies a fill to a position. The average entry price is the weighted mean of entries, rounded half even at each; it stays when
 * the position is reduced and becomes the fill's price when the position crosses zero. The closed quantity realizes profit
 * against it.
 */
export function takeFill(position: Position, side: Side, price: number, quantity: number): void {
  takeTrade(position, side, atAverageScale(price, position.terms), quantity)
}

/** Applies a trade at a price of scale `AVERAGE_SCALE`; a payout may lie between the prices of a market. */
export function takeTrade(position: Position, side: Side, price: number, quantity: number): void {
  const signed = side === 'BUY' ? quantity : -quantity
  const before = position.net_quantity
  const held = Math.abs(before)
  const closed = Math.sign(before) === -Math.sign(signed) ? Math.min(held, quantity) : 0
  if (closed > 0) position.realized_pnl = plus(position.realized_pnl, realizedBy(position, price, closed))
  const opened = quantity - closed
  position.net_quantity = plus(before, signed)
  if (position.net_quantity === 0) position.average_entry_price = null
  else if (closed > 0 && opened > 0) position.average_entry_price = price
  else if (opened > 0)
    position.average_entry_price = weightedMean(position.average_entry_price ?? 0, held, price, opened)
}

/** Returns closed x (exit - average) x sign of the position, in asset units, half even. @param exit at `AVERAGE_SCALE` */
export function realizedBy(
  { net_quantity, average_entry_price, terms }: Pick<Position, 'net_quantity' | 'average_entry_price' | 'terms'>,
  exit: number,
  closed: number,
): number {
  const gained = minus(exit, average_entry_price ?? 0) * Math.sign(net_quantity)
  return mulDivHalfEven(gained, closed, 10 ** (terms.quantity_scale + AVERAGE_SCALE - terms.asset_scale))
}

function atAverageScale(price: number, { price_scale }: MarketTerms): number {
  return times(price, POWERS[AVERAGE_SCALE - price_scale]!)
}

function weightedMean(a: number, weight_a: number, b: number, weight_b: number): number {
  if (weight_a === 0 || a === b) return b
  const sum = a * weight_a + b * weight_b
  if (Number.isSafeInteger(sum)) return mulDivHalfEven(sum, 1, weight_a + weight_b)
  const exact = BigInt(a) * BigInt(weight_a) + BigInt(b) * BigInt(weight_b)
  return Number(divideHalfEven(exact, BigInt(weight_a + weight_b)))
}

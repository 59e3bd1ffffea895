import type { LiquidityRole, Side } from '../../vocabulary/order.ts'
import { ladderPrice } from '../market/ladder.ts'
import { type MarketTerms, notional } from '../market/market-terms.ts'
import type { Order, Position } from '../order/order.ts'
import { chargeFee, feeBase } from './fees.ts'
import type { FillSegment } from './fill-segments.ts'
import { reducible, takeFill } from './position.ts'

/** The part of a fill that closes a holding; the rest opens one. Each has its own fee. */
export type SplitFill = {
  readonly quantity: number
  readonly closed_quantity: number
  readonly fee: number
  readonly closing_fee: number
}

/** Money of a fill side: what it pays for what it opens, with the fee, and what it receives for what it closes, less the fee. */
export type SideAmounts = { readonly debit_amount: number; readonly credit_amount: number }

/** Splits a fill by what the account holds now, and charges both parts' fees. */
export function splitFill(order: Order, role: LiquidityRole, price: number, quantity: number): SplitFill {
  const { terms, fees, position, side } = order
  const closed_quantity = Math.min(reducible(position, side), quantity)
  const opened = quantity - closed_quantity
  const charge = (series: Order['reserve_fees'], part: number) =>
    part === 0 ? 0 : chargeFee(series, fees, role, feeBase(terms, price, part))
  const closing_fee = charge(order.proceeds_fees, closed_quantity)
  return { quantity, closed_quantity, closing_fee, fee: closing_fee + charge(order.reserve_fees, opened) }
}

/**
 * Returns the money of a fill side of a complementary market.
 * @param price of the outcome that `side` names: on the ladder, or of the order itself
 */
export function sideAmounts(terms: MarketTerms, side: Side, price: number, fill: SplitFill): SideAmounts {
  const { quantity, closed_quantity, fee, closing_fee } = fill
  const opening_price = ladderPrice(terms, price, side === 'SELL')
  const closing_price = terms.one - opening_price
  return {
    debit_amount: notional(terms, opening_price, quantity - closed_quantity) + fee - closing_fee,
    credit_amount: notional(terms, closing_price, closed_quantity) - closing_fee,
  }
}

/** Applies a fill to both positions of an account: it closes what it can, then opens. @param price on the ladder */
export function takeLadderFill(position: Position, side: Side, price: number, quantity: number, closed: number): void {
  const other = position.complement!
  const [opens, closes] = side === 'BUY' ? [position, other] : [other, position]
  const priceOf = ({ terms, is_mirrored }: Position) => ladderPrice(terms, price, is_mirrored)
  if (closed > 0) takeFill(closes, 'SELL', priceOf(closes), closed)
  if (quantity > closed) takeFill(opens, 'BUY', priceOf(opens), quantity - closed)
}

/** Returns the part of a side's fill that closed a holding. @param outcome_id that `side` is of */
export function closedIn(segments: readonly FillSegment[], side: Side, outcome_id: string): number {
  const closes = (segment: FillSegment) =>
    segment.match_kind === 'merge' ||
    (segment.match_kind === 'transfer' && (segment.outcome_id === outcome_id) === (side === 'SELL'))
  return segments.filter(closes).reduce((sum, { quantity }) => sum + quantity, 0)
}

/**
 * Returns what becomes of the sets in a match: both sides close (merge), one closes what the other opens (transfer), both open (mint).
 * @param bid_closes what the buyer of the first outcome closes of the second; `ask_closes`: what the seller closes of the first
 * @param outcome_ids of the first and the second outcome
 */
export function segmentsOf(
  quantity: number,
  bid_closes: number,
  ask_closes: number,
  [first, second]: readonly [string, string],
): FillSegment[] {
  const merged = Math.min(bid_closes, ask_closes)
  const moved = Math.max(bid_closes, ask_closes) - merged
  const segments: FillSegment[] = [
    { match_kind: 'merge', outcome_id: null, quantity: merged },
    { match_kind: 'transfer', outcome_id: bid_closes > ask_closes ? second : first, quantity: moved },
    { match_kind: 'mint', outcome_id: null, quantity: quantity - merged - moved },
  ]
  return segments.filter((segment) => segment.quantity > 0)
}

import type { Micros } from '../../primitives/instants.ts'
import type { FeeSchedule, FeeSeries } from '../ledger/fees.ts'
import type { Position } from '../ledger/position.ts'
import { type MarketTerms, notional } from '../market/market-terms.ts'
import type { PriceLevel } from '../matching/order-book.ts'
import type { OrderStatus, TerminalReason } from './order-states.ts'

export const SIDES = ['BUY', 'SELL'] as const
export type Side = (typeof SIDES)[number]
export const TIMES_IN_FORCE = ['GTC', 'GTD', 'FOK', 'FAK'] as const
export type TimeInForce = (typeof TIMES_IN_FORCE)[number]
export const SELF_TRADE_MODES = ['cancel_taker', 'cancel_maker', 'cancel_both'] as const
export type SelfTradeMode = (typeof SELF_TRADE_MODES)[number]
export type LiquidityRole = 'maker' | 'taker'

/** An order in the engine. Prices and quantities are whole numbers at the scales of its market's terms, money in asset units. */
export type Order = {
  readonly order_id: string
  readonly client_order_id: string
  readonly account_id: string
  readonly market_id: string
  readonly outcome_id: string
  readonly side: Side
  readonly limit_price: number
  readonly original_quantity: number
  readonly time_in_force: TimeInForce
  readonly expires_at: Micros | null
  readonly post_only: boolean
  readonly reduce_only: boolean
  readonly cancel_on_pause: boolean
  readonly self_trade_prevention: SelfTradeMode
  readonly fees: FeeSchedule
  readonly terms: MarketTerms
  /** The account's position in the outcome: what the order reserves is counted there. */
  readonly position: Position
  /** Place in the queue of its price, and age among the account's orders: the engine sequence at acceptance. */
  readonly accepted_sequence: number
  status: OrderStatus
  version: number
  terminal_reason: TerminalReason | null
  /** What can still execute: 0 once the order has ended. */
  remaining_quantity: number
  filled_quantity: number
  /** What ended without execution. */
  canceled_quantity: number
  /** Exact sum of price x quantity of its fills. */
  filled_notional: number
  /** Fees of what is paid from the order's own reservation: every fill of a BUY, and the uncovered part of a SELL. */
  readonly reserve_fees: FeeSeries
  /** Fees of what a SELL of held quantity pays from its proceeds. */
  readonly proceeds_fees: FeeSeries
  /** Money set aside for it now. */
  reserved_amount: number
  /** Of a SELL: what remains of it beyond holdings. */
  uncovered_quantity: number
  /** Its price level and its place there while it rests. */
  level: PriceLevel | null
  next: Order | null
  previous: Order | null
}

/** min(price, 1 - price) x quantity in asset units: what a fee is a rate of. */
export function feeBase(terms: MarketTerms, price: number, quantity: number): number {
  return notional(terms, Math.min(price, terms.one - price), quantity)
}

/** The largest fee base of `quantity` at any price that the order allows. */
export function worstFeeBase(terms: MarketTerms, side: Side, limit_price: number, quantity: number): number {
  const bound = side === 'BUY' ? limit_price : terms.one - limit_price
  return notional(terms, Math.min(bound, terms.one / 2), quantity)
}

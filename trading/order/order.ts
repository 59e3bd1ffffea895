import type { Micros } from '../../primitives/instants.ts'
import type { FeeSchedule, FeeSeries } from '../ledger/fees.ts'
import type { Position } from '../ledger/position.ts'
import { type MarketTerms, notional } from '../market/market-terms.ts'
import type { AccountPolicy } from './account-policy.ts'
import type { OrderIntent, OrderOrigin, Side } from './order-intent.ts'
import type { OrderStatus, TerminalReason } from './order-states.ts'

export type LiquidityRole = 'maker' | 'taker'

/** When each state was first reached. */
export type Transitions = { [S in OrderStatus]?: Micros | undefined }

/** An order in the engine. Prices and quantities are whole numbers at the scales of its market's terms, money in asset units. */
export type Order = {
  readonly order_id: string
  /** What was signed, as written. */
  readonly intent: OrderIntent
  readonly origin: OrderOrigin
  /** In force when it was accepted. */
  readonly policy: Pick<AccountPolicy, 'policy_id' | 'policy_version'>
  readonly fees: FeeSchedule
  readonly terms: MarketTerms
  /** The account's position in the outcome: what the order reserves is counted there. */
  readonly position: Position
  readonly side: Side
  readonly limit_price: number
  readonly original_quantity: number
  readonly expires_at: Micros | null
  readonly reduce_only: boolean
  /** Place in the queue of its price, and age among the account's orders: the engine sequence at acceptance. */
  readonly accepted_sequence: number
  readonly created_at: Micros
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
  /** What adjustments have changed of the fees charged. */
  adjusted_fees: number
  /** Money set aside for it now. */
  reserved_amount: number
  /** What its last event said of it. */
  told_reserved_amount: number
  /** Of a SELL: what remains of it beyond holdings. */
  uncovered_quantity: number
  replaced_by_order_id: string | null
  readonly transitions: Transitions
  /** Of its last event. */
  engine_sequence: number
  updated_at: Micros
  /** Its row has changed in this batch. */
  changed: boolean
  /** Where its outcome's book keeps it while it rests. */
  slot: number
  /** Its place among its account's working orders of the outcome and side, while it works. */
  older: Order | null
  newer: Order | null
}

/** Fees charged on its fills, as adjusted. */
export function feesOf({ reserve_fees, proceeds_fees, adjusted_fees }: Order): number {
  return reserve_fees.charged + proceeds_fees.charged + adjusted_fees
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

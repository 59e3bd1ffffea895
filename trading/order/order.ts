import { type Micros } from '../../primitives/instants.ts'
import { type Balance } from '../ledger/balance.ts'
import { type FeeSchedule, type FeeSeries } from '../ledger/fees.ts'
import { type MarketTerms } from '../market/market-terms.ts'
import { type AccountPolicy } from './account-policy.ts'
import { type OrderIntent, type OrderOrigin } from './order-intent.ts'
import { type OrderStatus, type Side, type TerminalReason } from '../../vocabulary/order.ts'

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

/** The working orders of one side, oldest first: a list through the orders themselves; and sums of what remains of them. */
export type WorkingSide = {
  oldest: Order | null
  newest: Order | null
  remaining: number
  reduce_only_remaining: number
}

/** What one account holds of one outcome, and what its open orders there ask of it. */
export type Position = {
  readonly account_id: string
  readonly market_id: string
  readonly outcome_id: string
  readonly terms: MarketTerms
  /** Its place among the positions of the outcome: whose orders a book's are. Of this process alone; it is not stored. */
  readonly holder: number
  /** The account's money in the settlement asset. */
  readonly money: Balance
  /** Negative: short. */
  net_quantity: number
  /** The part of the net quantity whose settlement is confirmed. */
  settled_quantity: number
  /** At scale 10; null when nothing is held. */
  average_entry_price: number | null
  realized_pnl: number
  /** Unconfirmed proceeds, net of fees, of what was sold beyond holdings. */
  pending_short_credit: number
  /** Settlements of its trades whose money is not confirmed. */
  open_settlements: number
  readonly buys: WorkingSide
  readonly sells: WorkingSide
  /** What the working orders keep of the account's money: the sum of their `reserved_amount`. */
  order_reserve: number
  /** That and the collateral of a short position: this position's part of the balance's `reserved`. */
  requirement: number
  /** The held quantity by which the SELLs were covered when they were last counted. */
  covering: number
  /** Engine sequence of the last fill that changed it; 0: none did. */
  source_fill_sequence: number
  projection_version: number
  /** Of its last event. */
  engine_sequence: number
  /** It has changed in this batch. */
  changed: boolean
}

/** Fees charged on its fills, as adjusted. */
export function feesOf({ reserve_fees, proceeds_fees, adjusted_fees }: Order): number {
  return reserve_fees.charged + proceeds_fees.charged + adjusted_fees
}

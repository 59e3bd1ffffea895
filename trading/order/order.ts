import type { Micros } from '../../primitives/instants.ts'
import type { OrderStatus, Side, TerminalReason } from '../../vocabulary/order.ts'
import type { Balance } from '../ledger/balance.ts'
import type { FeeSchedule, FeeSeries } from '../ledger/fees.ts'
import type { MarketTerms } from '../market/market-terms.ts'
import type { MassCancelRow } from '../projections/rows.ts'
import type { AccountPolicy } from './account-policy.ts'
import type { OrderIntent, OrderOrigin } from './order-intent.ts'
import type { Protection } from './protection.ts'

/** Instant at which each state was first reached. */
export type Transitions = { [S in OrderStatus]?: Micros | undefined }

/** The request that canceled an order; kept with it. */
export type CancelOrigin = {
  readonly command_id: string
  /** The caller's id, which need not be unique. */
  readonly client_cancel_id: string | null
  readonly reason: string | null
}

/** End of an order that was decided and that a following batch carries out; the order executes no more. */
export type PlannedEnd = {
  readonly reason: Extract<
    TerminalReason,
    'CANCEL_ALL' | 'CANCEL_AFTER' | 'CANCEL_ON_PAUSE' | 'MARKET_CLOSED' | 'MARKET_MAKER_PROTECTION'
  >
  readonly origin: CancelOrigin | null
  /** The stored mass cancel, and the number of its orders that have not ended; null: all of it was in one batch. */
  readonly task: { readonly row: MassCancelRow; left: number } | null
}

/** Numbers of working orders. */
export type Counter = { count: number }

/** Number of an account's working orders, and the instant its dead-man's switch fires; null: not armed. */
export type AccountOrders = Counter & { cancel_after_at: Micros | null }

/** An order in the engine. Prices and quantities are whole numbers at the scales of its market's terms, money in asset units. */
export type Order = {
  readonly order_id: string
  /** The signed terms, as written. */
  readonly intent: OrderIntent
  readonly origin: OrderOrigin
  /** Version in force at acceptance. */
  readonly policy: Pick<AccountPolicy, 'policy_id' | 'policy_version'>
  readonly fees: FeeSchedule
  readonly terms: MarketTerms
  /**
   * The position that sums the order's reservation: the account's in the outcome of the book, which in a complementary market is
   * the first outcome.
   */
  readonly position: Position
  /** Whether it is signed for the second outcome of a complementary market. */
  readonly is_mirrored: boolean
  /** Side and price in the book: those signed, or, for a mirrored order, the other side at 1 - price. */
  readonly side: Side
  readonly limit_price: number
  readonly original_quantity: number
  readonly expires_at: Micros | null
  readonly reduce_only: boolean
  /** Engine sequence at acceptance: orders the queue of its price, and the account's orders by age. */
  readonly accepted_sequence: number
  readonly created_at: Micros
  status: OrderStatus
  version: number
  terminal_reason: TerminalReason | null
  /** Quantity that can still execute; 0 once the order has ended. */
  remaining_quantity: number
  filled_quantity: number
  /** Quantity that ended without execution. */
  canceled_quantity: number
  /** The part of the canceled quantity that was cut off after acceptance, because it would no longer have reduced the position. */
  trimmed_quantity: number
  /** Exact sum of price x quantity of its fills, at prices of the outcome that it is signed for. */
  filled_notional: number
  /** Fees paid from the order's reservation: of every part that closes no holding. */
  readonly reserve_fees: FeeSeries
  /** Fees that the closing of a holding pays from its proceeds. */
  readonly proceeds_fees: FeeSeries
  /** Change of the charged fees by adjustments. */
  adjusted_fees: number
  /** Money reserved for the order now. */
  reserved_amount: number
  /** Reserved amount in its last event. */
  published_reserved_amount: number
  /** Remainder of a SELL beyond holdings; in a complementary market, of any order beyond what it closes. */
  uncovered_quantity: number
  replaced_by_order_id: string | null
  planned_end: PlannedEnd | null
  cancel: CancelOrigin | null
  readonly transitions: Transitions
  /** Sequence of its last event. */
  engine_sequence: number
  updated_at: Micros
  /** Whether its row has changed in this batch. */
  changed: boolean
  /** Slot in its outcome's book while it rests. */
  slot: number
  /** Neighbors among its position's working orders of the side. */
  older: Order | null
  newer: Order | null
}

/**
 * Working orders of one side, oldest first, linked through the orders, and sums of their remainders. In a complementary market the
 * order with the best price is first, and the oldest of those with the same price.
 */
export type WorkingSide = {
  oldest: Order | null
  newest: Order | null
  remaining: number
  reduce_only_remaining: number
}

/** Holding of one account in one outcome, and the requirements of its open orders there. */
export type Position = {
  readonly account_id: string
  readonly market_id: string
  readonly outcome_id: string
  /** The account's position in the other outcome of a complementary market; null: the market is not one. */
  complement: Position | null
  /** Whether it is in the second outcome of a complementary market: its orders and requirement are those of `complement`. */
  readonly is_mirrored: boolean
  readonly terms: MarketTerms
  /** Number among the outcome's positions, by which the book identifies the holder. Valid in this process only; not stored. */
  readonly holder: number
  /** The account's money in the settlement asset. */
  readonly money: Balance
  /** Protection of the account in the market; null: none. */
  protection: Protection | null
  /** Working orders of the account, and of the account in the market. */
  readonly open_orders: { readonly account: AccountOrders; readonly market: Counter }
  /** Negative: short. */
  net_quantity: number
  /** The part of the net quantity whose settlement is confirmed. */
  settled_quantity: number
  /** At scale 10; null when nothing is held. */
  average_entry_price: number | null
  realized_pnl: number
  /** Unconfirmed proceeds, net of fees, of quantity sold beyond holdings. */
  pending_short_credit: number
  /** Number of its trades' settlements that are not confirmed. */
  open_settlements: number
  readonly buys: WorkingSide
  readonly sells: WorkingSide
  /** Money reserved by the working orders: the sum of their `reserved_amount`. */
  order_reserve: number
  /** `order_reserve` plus the collateral of a short position: this position's part of the balance's `reserved`. */
  requirement: number
  /** Holdings that covered the SELLs when they were last computed; in a complementary market the exposure, which covers either side. */
  covering: number
  /** Engine sequence of the last fill that changed it, and of a pool's position the last payout; 0: none. */
  source_fill_sequence: number
  projection_version: number
  /** Sequence of its last event. */
  engine_sequence: number
  /** Whether it has changed in this batch. */
  changed: boolean
}

/** Returns the fees charged on an order's fills, with adjustments. */
export function feesOf({ reserve_fees, proceeds_fees, adjusted_fees }: Order): number {
  return reserve_fees.charged + proceeds_fees.charged + adjusted_fees
}

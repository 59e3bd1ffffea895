import type { Micros } from '../../primitives/instants.ts'
import type { Finality, MarketStatus, TradeCorrection } from '../../vocabulary/market.ts'
import type {
  LiquidityRole,
  OrderStatus,
  ProtectionAction,
  SelfTradeMode,
  Side,
  TerminalReason,
} from '../../vocabulary/order.ts'
import type { AdjustmentType, SettlementState } from '../../vocabulary/settlement.ts'
import type { TransferDirection, TransferState } from '../../vocabulary/transfer.ts'
import type { FillSegment } from '../ledger/fill-segments.ts'
import type { Rejection } from '../order/order-errors.ts'
import type { Dispute, Verdict } from './resolution-states.ts'
import type { OutcomePayout, SettlementFailure } from './settlement-commands.ts'

/** Fields of every event: its number in the engine's one sequence, and the engine's clock. */
type Stamp = { readonly engine_sequence: number; readonly at: Micros }

/** One move of an order, with its record after the move. Quantities at the market's scale, money in asset units. */
export type OrderEvent = Stamp & {
  readonly kind: 'order'
  readonly account_id: string
  readonly order_id: string
  readonly status: OrderStatus
  readonly version: number
  readonly terminal_reason: TerminalReason | null
  readonly filled_quantity: number
  readonly remaining_quantity: number
  readonly canceled_quantity: number
  readonly filled_notional: number
  readonly fees: number
  readonly reserved_amount: number
  readonly replaced_by_order_id: string | null
  readonly rejection: Rejection | null
  /** Left out: nothing was trimmed. */
  readonly trimmed_quantity?: number
}

/** One side of a match. */
export type FillEvent = Stamp & {
  readonly kind: 'fill'
  readonly fill_id: string
  readonly trade_id: string
  readonly settlement_id: string
  readonly order_id: string
  readonly account_id: string
  readonly market_id: string
  readonly outcome_id: string
  readonly side: Side
  readonly liquidity_role: LiquidityRole
  readonly price: number
  readonly quantity: number
  readonly notional: number
  readonly fee: number
  /** The part of a sale beyond holdings, and its proceeds net of fees, which stay with the position until confirmed. */
  readonly uncovered_quantity: number
  readonly short_credit: number
  /** In a complementary market: what became of the sets, the part that closed a holding, and its part of the fee. */
  readonly segments?: readonly FillSegment[]
  readonly closed_quantity?: number
  readonly closing_fee?: number
}

/** Public fields of a trade. */
export type Traded = {
  readonly trade_id: string
  readonly market_id: string
  readonly outcome_id: string
  readonly price: number
  readonly quantity: number
  readonly aggressor_side: Side
}

export type TradeEvent = Stamp &
  Traded & {
    readonly kind: 'trade'
    /** Left out: the market is not complementary. */
    readonly segments?: readonly FillSegment[]
  }

/** Correction of a public trade; supersedes the trade's previous record. */
export type TradeCorrectionEvent = Stamp &
  Traded & {
    readonly kind: 'trade_correction'
    /** `void`: the trade is undone, and price and quantity are the undone ones. `correction`: the corrected values. */
    readonly correction: TradeCorrection
    readonly record_id: string
    /** Number of this record; the trade itself is 1. */
    readonly revision: number
    readonly supersedes_record_id: string
    /** Value published before. */
    readonly superseded_price: number
    /** Instant of the trade. */
    readonly traded_at: Micros
    /** Those of the stated quantity; left out: the market is not complementary. */
    readonly segments?: readonly FillSegment[]
  }

/** A match that self-trade prevention stopped. */
type PreventedEvent = Stamp & {
  readonly kind: 'prevented_match'
  readonly prevented_match_id: string
  readonly account_id: string
  readonly outcome_id: string
  readonly taker_order_id: string
  readonly maker_order_id: string
  readonly mode: SelfTradeMode
  readonly price: number
  readonly quantity: number
}

/** Absolute size of one price level; 0: the level is empty. */
export type BookEvent = Stamp & {
  readonly kind: 'book'
  readonly market_id: string
  readonly outcome_id: string
  readonly side: Side
  readonly price: number
  readonly quantity: number
  readonly order_count: number
  /** The part that rests as orders of the other outcome of a complementary market; left out: the outcome has a book of its own. */
  readonly derived_quantity?: number
  readonly derived_order_count?: number
}

export type PositionEvent = Stamp & {
  readonly kind: 'position'
  readonly account_id: string
  readonly market_id: string
  readonly outcome_id: string
  readonly net_quantity: number
  readonly settled_quantity: number
  readonly average_entry_price: number | null
  readonly realized_pnl: number
  readonly pending_short_credit: number
  readonly reserved_sell_quantity: number
  readonly requirement: number
  readonly source_fill_sequence: number
  readonly projection_version: number
}

type BalanceEvent = Stamp & {
  readonly kind: 'balance'
  readonly account_id: string
  readonly asset_id: string
  readonly total: number
  readonly reserved: number
  readonly withdrawal_hold: number
  readonly pending_settlement_debit: number
  readonly pending_settlement_credit: number
  readonly projection_version: number
  readonly ledger_sequence: number
}

export type MarketEvent = Stamp & {
  readonly kind: 'market'
  readonly market_id: string
  readonly status: MarketStatus
  readonly reason: string
  readonly actor: string
  /** Whether the orders of both outcomes meet on one ladder; left out: each outcome has a book of its own. */
  readonly complementary?: boolean
}

/** State of an account apart from its orders and money. */
type AccountEvent = Stamp & {
  readonly kind: 'account'
  readonly account_id: string
  readonly blocked: boolean
  readonly policy_id: string
  readonly policy_version: number
  readonly cancel_after_ms: number | null
  readonly cancel_after_at: Micros | null
}

/** A key that was created, rotated or revoked; streams of a revoked key end. */
export type KeyEvent = Stamp & {
  readonly kind: 'key'
  readonly account_id: string
  readonly key_id: string
  readonly action: 'created' | 'rotated' | 'revoked'
  readonly secret_version: number
}

/** A settlement that moved or was adjusted, or a new one of a payout; those of fills begin with the fill. */
type SettlementEvent = Stamp & {
  readonly kind: 'settlement'
  readonly account_id: string
  readonly settlement_id: string
  /** null for a payout. */
  readonly fill_id: string | null
  readonly state: SettlementState
  readonly projection_version: number
  /** The current attempt, or the last one. */
  readonly attempt_id: string | null
  readonly attempt_number: number | null
  /** Set if an attempt failed with this event. */
  readonly failure_code: SettlementFailure | null
}

/** State of a market's resolution: proposed, disputed, decided, final or corrected. */
export type ResolutionEvent = Stamp & {
  readonly kind: 'resolution'
  readonly market_id: string
  readonly resolution_id: string
  readonly revision: number
  readonly verdict: Verdict
  readonly finality: Finality
  readonly payouts: readonly OutcomePayout[]
  readonly dispute: Dispute | null
}

/** A bust or an amend of an earlier fill. */
type AdjustmentEvent = Stamp & {
  readonly kind: 'adjustment'
  readonly account_id: string
  readonly adjustment_id: string
  readonly fill_id: string
  readonly order_id: string
  readonly adjustment_type: AdjustmentType
  readonly quantity_delta: number
  readonly notional_delta: number
  readonly fee_delta: number
}

/** A transfer that was requested, confirmed, failed or canceled. */
type TransferEvent = Stamp & {
  readonly kind: 'transfer'
  readonly account_id: string
  readonly transfer_id: string
  readonly direction: TransferDirection
  readonly asset_id: string
  readonly amount: number
  readonly state: TransferState
  readonly projection_version: number
}

/** A protection that was set, triggered, reset or removed. */
export type ProtectionEvent = Stamp & {
  readonly kind: 'protection'
  readonly account_id: string
  readonly market_id: string
  readonly action: ProtectionAction
  readonly fill_count_max: number
  readonly quantity_max: number | null
  readonly window_ms: number
  readonly frozen_ms: number
  readonly frozen_until: Micros | null
  readonly triggered_at: Micros | null
  readonly trigger_count: number
}

export type EngineEvent =
  | OrderEvent
  | FillEvent
  | TradeEvent
  | TradeCorrectionEvent
  | PreventedEvent
  | BookEvent
  | PositionEvent
  | BalanceEvent
  | MarketEvent
  | AccountEvent
  | KeyEvent
  | SettlementEvent
  | ResolutionEvent
  | AdjustmentEvent
  | TransferEvent
  | ProtectionEvent

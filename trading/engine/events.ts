import { type Micros } from '../../primitives/instants.ts'
import { type Dispute, type Verdict } from './resolution-states.ts'
import { type OutcomePayout, type SettlementFailure } from './settlement-commands.ts'
import { type Rejection } from '../order/rejection.ts'
import { type Finality, type MarketStatus, type TradeCorrection } from '../../vocabulary/market.ts'
import { type LiquidityRole, type OrderStatus, type SelfTradeMode, type Side, type TerminalReason } from '../../vocabulary/order.ts'
import { type AdjustmentType, type SettlementState } from '../../vocabulary/settlement.ts'

/** What every event has: its place in the one sequence of the engine and the engine's clock. */
type Stamp = { readonly engine_sequence: number; readonly at: Micros }

/** One move of an order, with what its record shows after it. Quantities at the market's scale, money in asset units. */
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
  /** The part of a sale beyond holdings, and its proceeds net of fees: they stay with the position until they are confirmed. */
  readonly uncovered_quantity: number
  readonly short_credit: number
}

/** What was traded, as everybody is told. */
export type Traded = {
  readonly trade_id: string
  readonly market_id: string
  readonly outcome_id: string
  readonly price: number
  readonly quantity: number
  readonly aggressor_side: Side
}

export type TradeEvent = Stamp & Traded & { readonly kind: 'trade' }

/** A public trade that is not what was told of it any more: a further record, which supersedes the one before it. */
export type TradeCorrectionEvent = Stamp &
  Traded & {
    readonly kind: 'trade_correction'
    /** `void`: it never was; price and quantity are what is void. `correction`: what it came to. */
    readonly correction: TradeCorrection
    readonly record_id: string
    /** Of the records about this trade, which is 1. */
    readonly revision: number
    readonly supersedes_record_id: string
    /** As it was told before. */
    readonly superseded_price: number
    /** When it was traded. */
    readonly traded_at: Micros
  }

/** A match that self-trade prevention kept from happening. */
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

/** The absolute size of one price of a book; 0: it is gone. */
export type BookEvent = Stamp & {
  readonly kind: 'book'
  readonly market_id: string
  readonly outcome_id: string
  readonly side: Side
  readonly price: number
  readonly quantity: number
  readonly order_count: number
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
}

/** What has changed of an account beside its orders and money. */
type AccountEvent = Stamp & {
  readonly kind: 'account'
  readonly account_id: string
  readonly blocked: boolean
  readonly policy_id: string
  readonly policy_version: number
  readonly cancel_after_ms: number | null
  readonly cancel_after_at: Micros | null
}

/** A key that was made, rotated or revoked; streams of a revoked key end. */
export type KeyEvent = Stamp & {
  readonly kind: 'key'
  readonly account_id: string
  readonly key_id: string
  readonly action: 'created' | 'rotated' | 'revoked'
  readonly secret_version: number
}

/** A settlement that moved, was adjusted, or is new of a payout; those of fills begin with the fill. */
type SettlementEvent = Stamp & {
  readonly kind: 'settlement'
  readonly account_id: string
  readonly settlement_id: string
  /** null: of a payout. */
  readonly fill_id: string | null
  readonly state: SettlementState
  readonly projection_version: number
  /** The attempt that is under way, or the last one. */
  readonly attempt_id: string | null
  readonly attempt_number: number | null
  /** Where an attempt has failed with this event. */
  readonly failure_code: SettlementFailure | null
}

/** How a market is to end, or has ended: proposed, disputed, decided, final, corrected. */
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

/** A fill that was busted or amended after it. */
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

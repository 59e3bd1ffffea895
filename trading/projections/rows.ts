import type { Micros } from '../../primitives/instants.ts'
import type { FillSegment } from '../ledger/fill-segments.ts'
import type { OrderIntent, OrderOrigin, OrderSignature } from '../order/order-intent.ts'
import type { Protection } from '../order/protection.ts'
import type { AuthorizationRow, KeyAuditRow, KeyRow, RequestNonceRow } from './key-rows.ts'
import type {
  AttemptRow,
  OutcomeMarkRow,
  PayoutRow,
  ResolutionRow,
  ReversalRow,
  SettlementRow,
  SettlementTransitionRow,
} from './settlement-rows.ts'
import type { TransferRow } from './transfer-rows.ts'

export type * from './key-rows.ts'
export type * from './settlement-rows.ts'
export type * from './transfer-rows.ts'

/**
 * Rows of the trading tables, column for column (trading/migrations). Instants are microseconds, `bigint` columns safe integers,
 * `json` columns the values themselves.
 */

export type BatchRow = {
  readonly batch_sequence: number
  readonly epoch: number
  readonly at: Micros
  readonly last_engine_sequence: number
  readonly last_ledger_sequence: number
  readonly previous_hash: string
  readonly hash: string
  /** Identity of the history, taken from its first batch; read with the last batch alone. */
  readonly history?: string
}

export type EventRow = {
  readonly engine_sequence: number
  readonly batch_sequence: number
  readonly kind: string
  readonly account_id: string | null
  readonly body: unknown
}

export type ActRow = {
  readonly act_id: string
  readonly batch_sequence: number
  readonly at: Micros
  readonly actor: string
  readonly reason: string
  readonly command: unknown
  /** null: not signed. */
  readonly issued_at: Micros | null
  /** null: not signed, and an earlier version did not keep it. */
  readonly command_hash: string | null
  readonly signatures: readonly { readonly operator_key_id: string; readonly signature: string }[]
}

/** Key with which a person signs operators' acts. */
export type OperatorKeyRow = {
  readonly operator_key_id: string
  readonly operator_id: string
  readonly public_key: string
  readonly environment: string
  readonly registered_at: Micros
  readonly revoked_at: Micros | null
}

export type AssetRow = {
  readonly asset_id: string
  readonly scale: number
}

export type AccountRow = {
  readonly account_id: string
  readonly owner_address: string | null
  readonly label: string
  readonly blocked: boolean
  readonly policy: unknown
  readonly cancel_after_ms: number | null
  readonly cancel_after_at: Micros | null
  readonly created_at: Micros
}

export type PolicyRow = {
  readonly account_id: string
  readonly policy_id: string
  readonly policy_version: number
  readonly policy: unknown
  readonly at: Micros
}

export type FeeScheduleRow = {
  readonly schedule_id: string
  readonly schedule_version: number
  readonly taker_rate: string
  readonly maker_rate: string
  readonly at: Micros
}

export type MarketRow = {
  readonly market_id: string
  readonly event_id: string | null
  readonly status: string
  readonly listed: unknown
  readonly terms: unknown
  readonly schedule_id: string
  readonly schedule_version: number
  readonly created_at: Micros
  readonly updated_at: Micros
}

export type OutcomeRow = {
  readonly outcome_id: string
  readonly market_id: string
  readonly place: number
  readonly label: string
  readonly mark: number | null
  readonly mark_observation_id: string | null
  readonly payout: string | null
}

/** An order's terms, signature and labels as they arrived, with its progress. */
export type OrderRow = OrderIntent &
  OrderSignature &
  Pick<OrderOrigin, 'command_id' | 'labels'> &
  OrderProgress & {
    /** null: an earlier version did not keep it. */
    readonly received_at: Micros | null
    /** null: it was not placed by a mass quote. */
    readonly quote_set_id: string | null
  }

/** Columns of an order that the engine decides. */
export type OrderProgress = {
  readonly policy_id: string
  readonly policy_version: number
  readonly schedule_id: string | null
  readonly schedule_version: number | null
  readonly price_scale: number | null
  readonly quantity_scale: number | null
  readonly accepted_sequence: number
  readonly created_at: Micros
  readonly status: string
  readonly version: number
  readonly terminal_reason: string | null
  readonly rejection: unknown
  readonly original_quantity: number
  readonly filled_quantity: number
  readonly remaining_quantity: number
  readonly canceled_quantity: number
  readonly filled_notional: number
  readonly reserve_fee_base: unknown
  readonly proceeds_fee_base: unknown
  readonly fees: number
  readonly reserved_amount: number
  readonly uncovered_quantity: number
  /** Left out: an earlier version did not know it, and it is 0. */
  readonly trimmed_quantity?: number
  readonly replaced_by_order_id: string | null
  /** The request that canceled it; null: none did, or an earlier version did not keep it. */
  readonly cancel_command_id: string | null
  readonly client_cancel_id: string | null
  readonly cancel_reason: string | null
  readonly transitions: unknown
  readonly engine_sequence: number
  readonly updated_at: Micros
}

/** A cancel of many orders that goes on in slices. */
export type MassCancelRow = {
  readonly cancel_id: string
  /** null: every account. */
  readonly account_id: string | null
  /** null: every market. */
  readonly market_ids: unknown
  readonly cancel_on_pause_only: boolean
  readonly terminal_reason: string
  readonly cancel_command_id: string | null
  readonly client_cancel_id: string | null
  readonly cancel_reason: string | null
  /** It covers orders accepted up to this engine_sequence. */
  readonly cutoff_sequence: number
  readonly at: Micros
  readonly is_done: boolean
}

/** A market maker's protection, as the engine keeps it. */
export type ProtectionRow = Readonly<Protection>

export type TradeRow = {
  readonly trade_id: string
  readonly engine_sequence: number
  readonly market_id: string
  readonly outcome_id: string
  readonly price: number
  readonly quantity: number
  readonly aggressor_side: string
  /** Sets that were made, moved or destroyed; null: the market is not complementary. */
  readonly segments: readonly FillSegment[] | null
  readonly at: Micros
}

export type FillRow = {
  readonly fill_id: string
  readonly engine_sequence: number
  readonly trade_id: string
  readonly settlement_id: string
  readonly order_id: string
  readonly client_order_id: string
  readonly account_id: string
  readonly market_id: string
  readonly outcome_id: string
  readonly side: string
  readonly liquidity_role: string
  readonly price: number
  readonly quantity: number
  readonly notional: number
  readonly fee: number
  readonly fee_rate: string
  readonly schedule_id: string
  readonly schedule_version: number
  readonly uncovered_quantity: number
  readonly short_credit: number
  /** Sets that were made, moved or destroyed, the part that closed a holding, and its fee; null: the market is not complementary. */
  readonly segments: unknown
  readonly closed_quantity: number | null
  readonly closing_fee: number | null
  readonly at: Micros
}

export type PreventedMatchRow = {
  readonly prevented_match_id: string
  readonly engine_sequence: number
  readonly account_id: string
  readonly outcome_id: string
  readonly taker_order_id: string
  readonly maker_order_id: string
  readonly mode: string
  readonly price: number
  readonly quantity: number
  readonly at: Micros
}

export type LedgerRow = {
  readonly ledger_sequence: number
  readonly line: number
  readonly kind: string
  readonly account_id: string
  readonly asset_id: string
  readonly bucket: string
  readonly amount: number
  readonly reference_id: string
  readonly engine_sequence: number
  readonly at: Micros
}

export type BalanceRow = {
  readonly account_id: string
  readonly asset_id: string
  readonly total: number
  readonly reserved: number
  readonly withdrawal_hold: number
  readonly pending_settlement_debit: number
  readonly pending_settlement_credit: number
  readonly projection_version: number
  readonly ledger_sequence: number
  readonly engine_sequence: number
}

export type PositionRow = {
  readonly account_id: string
  readonly outcome_id: string
  readonly market_id: string
  readonly net_quantity: number
  readonly settled_quantity: number
  readonly average_entry_price: number | null
  readonly realized_pnl: number
  readonly pending_short_credit: number
  readonly open_settlements: number
  readonly order_reserve: number
  readonly requirement: number
  readonly covering: number
  readonly reserved_sell_quantity: number
  readonly source_fill_sequence: number
  readonly projection_version: number
  readonly engine_sequence: number
}

export type AdjustmentRow = {
  readonly adjustment_id: string
  readonly engine_sequence: number
  readonly fill_id: string
  readonly account_id: string
  readonly adjustment_type: string
  readonly quantity_delta: number
  readonly notional_delta: number
  readonly fee_delta: number
  readonly reason_code: string
  readonly rationale: string
  readonly evidence: unknown
  readonly actor: string
  readonly approved_by: string
  readonly approved_at: Micros
  readonly effective_at: Micros
  readonly published_at: Micros
  readonly supersedes_adjustment_id: string | null
}

export type AnswerRow = {
  readonly account_id: string
  readonly method: string
  readonly path: string
  readonly idempotency_key: string
  readonly body_hash: string
  readonly status: number
  readonly data: string | null
  readonly error: unknown
  readonly location: string | null
  readonly at: Micros
}

export type OrderNonceRow = {
  readonly account_id: string
  readonly signer: string
  readonly nonce: string
  readonly at: Micros
}

/** Rows that a batch writes, by table. Rows of append-only tables are new; the others replace the row of their key. */
export type ChangedRows = {
  readonly engine_event: readonly Omit<EventRow, 'batch_sequence'>[]
  readonly operator_act: readonly Omit<ActRow, 'batch_sequence'>[]
  readonly operator_key: readonly OperatorKeyRow[]
  readonly asset: readonly AssetRow[]
  readonly account: readonly AccountRow[]
  readonly account_policy: readonly PolicyRow[]
  readonly fee_schedule: readonly FeeScheduleRow[]
  readonly market: readonly MarketRow[]
  readonly market_outcome: readonly OutcomeRow[]
  readonly orders: readonly OrderRow[]
  readonly mass_cancel: readonly MassCancelRow[]
  readonly trade: readonly TradeRow[]
  readonly fill: readonly FillRow[]
  readonly prevented_match: readonly PreventedMatchRow[]
  readonly ledger_entry: readonly LedgerRow[]
  readonly balance: readonly BalanceRow[]
  readonly position: readonly PositionRow[]
  readonly settlement: readonly SettlementRow[]
  readonly settlement_attempt: readonly AttemptRow[]
  readonly settlement_transition: readonly SettlementTransitionRow[]
  readonly settlement_reversal: readonly ReversalRow[]
  readonly resolution: readonly ResolutionRow[]
  readonly resolution_payout: readonly PayoutRow[]
  readonly outcome_mark: readonly OutcomeMarkRow[]
  readonly adjustment: readonly AdjustmentRow[]
  readonly transfer: readonly TransferRow[]
  readonly market_maker_protection: readonly ProtectionRow[]
  readonly api_key: readonly KeyRow[]
  readonly api_key_audit: readonly KeyAuditRow[]
  readonly signer_authorization: readonly AuthorizationRow[]
  readonly request_nonce: readonly RequestNonceRow[]
  readonly idempotent_answer: readonly AnswerRow[]
  readonly order_nonce: readonly OrderNonceRow[]
}

/** Rows from which a restarted engine is rebuilt, apart from its working orders. */
export type StateRows = Pick<
  ChangedRows,
  | 'asset'
  | 'account'
  | 'fee_schedule'
  | 'market'
  | 'market_outcome'
  | 'balance'
  | 'position'
  | 'api_key'
  | 'signer_authorization'
  | 'mass_cancel'
  | 'market_maker_protection'
> & {
  /** Last batch; null: none yet. */
  readonly last_batch: BatchRow | null
}

import type { StatementKind } from '../../vocabulary/ledger.ts'
import type { CandleInterval } from '../../vocabulary/market.ts'
import type { LiquidityRole, Side } from '../../vocabulary/order.ts'
import type { TransferDirection, TransferState } from '../../vocabulary/transfer.ts'
import type { OrderTerms } from './order-terms.ts'

export type OrderFilter = {
  readonly market_id?: string
  readonly outcome_id?: string
  /** One status, or several. */
  readonly status?: string | readonly string[]
  /** true: only orders that can still execute or be canceled; false: only the others. */
  readonly working?: boolean
  readonly side?: Side
  readonly client_order_id?: string
  /** Only orders that mass quotes of this set placed. */
  readonly quote_set_id?: string
  /** Only orders that one request placed or canceled. */
  readonly command_id?: string
  readonly created_after?: string
  readonly created_before?: string
  readonly updated_after?: string
}
export type FillFilter = {
  readonly order_id?: string
  readonly market_id?: string
  readonly outcome_id?: string
  readonly side?: Side
  readonly liquidity_role?: LiquidityRole
  readonly settlement_state?: string
  readonly matched_after?: string
  readonly matched_before?: string
  readonly engine_sequence_after?: number
}
export type PositionFilter = {
  readonly market_id?: string
  readonly outcome_id?: string
  readonly nonzero_only?: boolean
  readonly settlement_state?: string
  readonly as_of?: string
}
export type SettlementFilter = {
  readonly state?: string
  readonly kind?: string
  readonly market_id?: string
  readonly fill_id?: string
  readonly asset_id?: string
  readonly created_after?: string
  readonly created_before?: string
  readonly updated_after?: string
  readonly updated_before?: string
}
export type AdjustmentFilter = {
  readonly engine_sequence_after?: number
  readonly published_after?: string
  readonly published_before?: string
}
export type StatementFilter = {
  /** An asset, or an outcome. */
  readonly asset_id?: string
  readonly market_id?: string
  /** `fee`: entries that show a fee other than 0. */
  readonly kind?: StatementKind | 'fee'
  readonly booked_after?: string
  readonly booked_before?: string
  readonly engine_sequence_after?: number
  readonly engine_sequence_before?: number
  readonly as_of?: string
}

export type PageFilter = { readonly limit?: number; readonly cursor?: string }

/** Lists that can be read as tables, with their filters. */
export type TableFilters = {
  readonly orders: OrderFilter
  readonly fills: FillFilter
  readonly adjustments: AdjustmentFilter
  readonly settlements: SettlementFilter
  readonly statement: StatementFilter
  readonly transfers: TransferFilter
}
export type TableFormat = 'csv' | 'parquet'

/** Past instant that an order would have joined the book at, and the last instant that may be used. */
export type PastRange = {
  readonly as_of: string
  /** Default: a day after as_of, or now. */
  readonly until?: string
}

export type EquityRange = {
  readonly start_time: string
  readonly end_time: string
  readonly interval: CandleInterval
  readonly asset_id?: string
}

export type TransferTerms = {
  readonly direction: TransferDirection
  /** Decimal above 0. */
  readonly amount: string
  /** Default: the asset of orders. */
  readonly asset_id?: string
  /** Account at the rail that a withdrawal goes to. */
  readonly destination?: string
}
export type TransferFilter = {
  readonly direction?: TransferDirection
  readonly state?: TransferState
  readonly requested_after?: string
  readonly requested_before?: string
}

/** The new ladder of a set, which you name, in one market. */
export type WantedQuote = {
  readonly market_id: string
  readonly quote_set_id: string
  readonly orders: readonly Omit<OrderTerms, 'market_id'>[]
}

/** An order to replace, at the version that you have seen, and the terms of the order in its place. */
export type WantedAmend = {
  readonly order_id: string
  readonly expected_order_version: number
  readonly terms: OrderTerms
}

export type CancelConditions = {
  readonly expected_order_version?: number
  readonly client_cancel_id?: string
  readonly reason?: string
}

/** Orders that a cancel-all covers: all of them, which must be requested by name, or those that meet every filter. */
export type CancelScope =
  | { readonly scope: 'all_open_orders' }
  | {
      readonly market_id?: string
      readonly index_id?: string
      readonly venue_id?: string
      readonly cancel_on_pause_only?: true
    }

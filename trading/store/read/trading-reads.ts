import type { Micros } from '../../../primitives/instants.ts'
import type { AuthKey } from '../../auth/auth-key.ts'
import type { MarketTerms } from '../../market/market-terms.ts'
import type {
  AccountRow,
  AdjustmentRow,
  BalanceRow,
  FillRow,
  KeyAuditRow,
  KeyRow,
  OrderRow,
  PositionRow,
  PreventedMatchRow,
} from '../../projections/rows.ts'
import type { SettlementWhole } from '../../projections/settlement.ts'
import type { SettlementFilters } from './settlement-reads.ts'

/** The last batch that an answer is of: all that one read answers is of this one. */
export type Head = {
  /** Identity of the history: the beginning of its first batch's hash. It stays when another engine takes over. */
  readonly epoch: string
  readonly at: Micros
  readonly engine_sequence: number
  readonly ledger_sequence: number
}

export type Page<R> = { readonly head: Head; readonly rows: readonly R[] }

/** Which part of a list: what comes after a sort key (null: its beginning), and how many rows at most. */
export type Part = { readonly after: readonly (string | number | null)[] | null; readonly limit: number }

type OfMarket = { readonly market_terms: MarketTerms }

export type KeyRead = KeyRow & { readonly last_used_at: Micros | null }
/** `asset_scale` null: the order names an asset that is not known, and was rejected. */
export type OrderRead = OrderRow & { readonly asset_scale: number | null }
export type OrderDetailRead = OrderRead & {
  readonly links: readonly { readonly fill_id: string; readonly settlement_id: string }[]
  readonly prevented: readonly (Omit<PreventedMatchRow, 'account_id' | 'outcome_id'> & OfMarket)[]
}
export type FillRead = FillRow &
  OfMarket & { readonly settlement_state: string; readonly adjustment_ids: readonly string[] }
export type PositionRead = PositionRow &
  OfMarket & {
    readonly mark: number | null
    readonly mark_observation_id: string | null
    readonly pending_settlement_ids: readonly string[]
  }
export type BalanceRead = BalanceRow & { readonly asset_scale: number }
export type AdjustmentRead = AdjustmentRow & OfMarket

/** Filters of lists; null: not asked. `after` takes the instant itself in, `before` does not. */
export type OrderFilters = {
  readonly market_id: string | null
  readonly outcome_id: string | null
  readonly status: string | null
  readonly side: string | null
  readonly client_order_id: string | null
  readonly created_after: Micros | null
  readonly created_before: Micros | null
  readonly updated_after: Micros | null
}

export type FillFilters = {
  readonly order_id: string | null
  readonly market_id: string | null
  readonly outcome_id: string | null
  readonly side: string | null
  readonly liquidity_role: string | null
  readonly settlement_state: string | null
  readonly matched_after: Micros | null
  readonly matched_before: Micros | null
  readonly engine_sequence_after: number | null
}

export type PositionFilters = {
  readonly market_id: string | null
  readonly outcome_id: string | null
  readonly nonzero_only: boolean
  readonly settlement_state: string | null
}

/**
 * Reads of the trading tables, of one account each. They see what is committed and decide nothing.
 * @throws {ServiceError} from each: SERVICE_UNAVAILABLE, the database does not answer
 */
export type TradingReads = {
  readonly head: () => Promise<Head>
  readonly key: (key_id: string) => Promise<AuthKey | null>
  readonly keys: (account_id: string, part: Part) => Promise<Page<KeyRead>>
  /** null: the account has no such key. */
  readonly keyAudit: (account_id: string, key_id: string, part: Part) => Promise<Page<KeyAuditRow> | null>
  readonly orders: (account_id: string, filters: OrderFilters, part: Part) => Promise<Page<OrderRead>>
  /** No row: the account has no such order; so for the others. */
  readonly order: (account_id: string, order_id: string) => Promise<Page<OrderDetailRead>>
  readonly fills: (account_id: string, filters: FillFilters, part: Part) => Promise<Page<FillRead>>
  readonly fill: (account_id: string, fill_id: string) => Promise<Page<FillRead>>
  /** @param as_of null: now; an instant is answered as of the last batch up to it */
  readonly positions: (
    account_id: string,
    filters: PositionFilters,
    as_of: Micros | null,
    part: Part,
  ) => Promise<Page<PositionRead>>
  readonly balances: (account_id: string, asset_id: string | null, as_of: Micros | null) => Promise<Page<BalanceRead>>
  readonly adjustments: (account_id: string, sequence_after: number | null, part: Part) => Promise<Page<AdjustmentRead>>
  /** With everything that belongs to them. */
  readonly settlements: (account_id: string, filters: SettlementFilters, part: Part) => Promise<Page<SettlementWhole>>
  readonly settlement: (account_id: string, settlement_id: string) => Promise<Page<SettlementWhole>>
  readonly account: (account_id: string) => Promise<AccountRow | null>
  readonly hasMarket: (market_id: string) => Promise<boolean>
  /** A hint of when a key was last used: kept some seconds later, lost where the process ends before. */
  readonly noteKeyUse: (key_id: string, at: Micros) => void
}

import type { Micros } from '../../../primitives/instants.ts'
import type { EquityPoint } from '../../../protocol/resources/account-summary.ts'
import type { StatementKind } from '../../../vocabulary/ledger.ts'
import type { OrderStatus } from '../../../vocabulary/order.ts'
import type { AuthKey } from '../../auth/auth-key.ts'
import type { MarketTerms } from '../../market/market-terms.ts'
import type { SummaryFacts } from '../../projections/account-summary.ts'
import type { RedemptionFacts } from '../../projections/redemption-preview.ts'
import type {
  AccountRow,
  AdjustmentRow,
  BalanceRow,
  FeeScheduleRow,
  FillRow,
  KeyAuditRow,
  KeyRow,
  OrderRow,
  PositionRow,
  PreventedMatchRow,
  ProtectionRow,
  SignerRow,
  TransferRow,
  WebhookAttemptRow,
  WebhookDeliveryRow,
  WebhookRow,
} from '../../projections/rows.ts'
import type { SettlementWhole } from '../../projections/settlement.ts'
import type { StatementEntryRead } from '../../projections/statement.ts'

/** Last batch included in an answer; all parts of one read share it. */
export type Head = {
  /** Identity of the history: the start of its first batch's hash. It survives a change of leader. */
  readonly epoch: string
  readonly at: Micros
  readonly engine_sequence: number
  readonly ledger_sequence: number
}

/** Rows of a list. `cut`: further rows were left out, because these have PAGE_BYTES_MAX bytes. */
export type Page<R> = { readonly head: Head; readonly rows: readonly R[]; readonly cut?: boolean }

/** Part of a list: the rows after a sort key (null: from the start), at most `limit`. */
export type Part = { readonly after: readonly (string | number | null)[] | null; readonly limit: number }

type OfMarket = { readonly market_terms: MarketTerms }

/** A change of a key, or its requests of one minute, outcome and address. */
export type KeyAuditRead = KeyAuditRow & { readonly last_at: Micros; readonly count: number }
export type KeyRead = KeyRow & { readonly last_used_at: Micros | null }
/** `asset_scale` is null for an unknown asset; such an order was rejected. */
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
/** A version of a fee schedule; `superseded_at` null: it is the newest. */
export type FeeScheduleRead = FeeScheduleRow & { readonly superseded_at: Micros | null; readonly market_count: number }
export type TransferRead = TransferRow & { readonly asset_scale: number }
export type ProtectionRead = ProtectionRow & { readonly quantity_scale: number }
/** A delivery and its attempts, oldest first. */
type WebhookDeliveryRead = WebhookDeliveryRow & { readonly attempts: readonly WebhookAttemptRow[] }
export type AdjustmentRead = AdjustmentRow & OfMarket

/** Filters of lists; null: no filter. `after` is inclusive, `before` exclusive. */
export type OrderFilters = {
  readonly market_id: string | null
  readonly outcome_id: string | null
  readonly statuses: readonly OrderStatus[] | null
  readonly side: string | null
  readonly client_order_id: string | null
  /** The request that placed or canceled them. */
  readonly command_id: string | null
  readonly quote_set_id: string | null
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

export type SettlementFilters = {
  readonly state: string | null
  readonly kind: string | null
  readonly market_id: string | null
  readonly fill_id: string | null
  readonly asset_id: string | null
  readonly created_after: Micros | null
  readonly created_before: Micros | null
  readonly updated_after: Micros | null
  readonly updated_before: Micros | null
}

type AdjustmentFilters = {
  readonly engine_sequence_after: number | null
  readonly published_after: Micros | null
  readonly published_before: Micros | null
}

type TransferFilters = {
  readonly direction: string | null
  readonly state: string | null
  readonly requested_after: Micros | null
  readonly requested_before: Micros | null
}

export type PositionFilters = {
  readonly market_id: string | null
  readonly outcome_id: string | null
  readonly nonzero_only: boolean
  readonly settlement_state: string | null
}

/** Filters of a statement; null: no filter. `after` is inclusive for instants and exclusive for sequences, `before` is exclusive. */
export type StatementFilters = {
  readonly asset_id: string | null
  readonly market_id: string | null
  /** `fee`: entries that show a fee other than 0. */
  readonly kind: StatementKind | 'fee' | null
  readonly booked_after: Micros | null
  readonly booked_before: Micros | null
  readonly engine_sequence_after: number | null
  readonly engine_sequence_before: number | null
}

/** Page of a statement. `next`: ledger_sequence and line of the last entry read; null: there are no more. */
export type StatementPage = {
  readonly head: Head
  readonly rows: readonly StatementEntryRead[]
  readonly next: readonly [ledger_sequence: number, line: number] | null
}

/**
 * Reads of the trading tables, one account each, as of the last commit.
 * @throws {ServiceError} SERVICE_UNAVAILABLE from each: the database does not answer
 */
export type TradingReads = {
  readonly head: () => Promise<Head>
  readonly key: (key_id: string) => Promise<AuthKey | null>
  readonly keys: (account_id: string, part: Part) => Promise<Page<KeyRead>>
  /** Addresses that may sign orders at an instant. */
  readonly signers: (account_id: string, now: Micros, part: Part) => Promise<Page<SignerRow>>
  /** null: the account has no such key. */
  readonly keyAudit: (account_id: string, key_id: string, part: Part) => Promise<Page<KeyAuditRead> | null>
  readonly orders: (account_id: string, filters: OrderFilters, part: Part) => Promise<Page<OrderRead>>
  /** Without a row the account has no such order; likewise for fill and settlement. */
  readonly order: (account_id: string, order_id: string) => Promise<Page<OrderDetailRead>>
  /** The working order of a client_order_id, or else the newest one. */
  readonly orderByClientId: (account_id: string, client_order_id: string) => Promise<Page<OrderDetailRead>>
  readonly fills: (account_id: string, filters: FillFilters, part: Part) => Promise<Page<FillRead>>
  readonly fill: (account_id: string, fill_id: string) => Promise<Page<FillRead>>
  /** @param as_of null: now; else as of the last batch up to this instant */
  readonly positions: (
    account_id: string,
    filters: PositionFilters,
    as_of: Micros | null,
    part: Part,
  ) => Promise<Page<PositionRead>>
  readonly balances: (account_id: string, asset_id: string | null, as_of: Micros | null) => Promise<Page<BalanceRead>>
  /** Holdings and working orders in one market; null: the market is not listed here. */
  readonly redemption: (
    account_id: string,
    market_id: string,
  ) => Promise<{ readonly head: Head; readonly facts: RedemptionFacts } | null>
  readonly adjustments: (account_id: string, filters: AdjustmentFilters, part: Part) => Promise<Page<AdjustmentRead>>
  /** Settlements with all their parts. */
  readonly settlements: (account_id: string, filters: SettlementFilters, part: Part) => Promise<Page<SettlementWhole>>
  readonly settlement: (account_id: string, settlement_id: string) => Promise<Page<SettlementWhole>>
  /** Entries of the ledger with their causes, oldest first. A page may have fewer than asked for where a filter leaves most out. */
  readonly statement: (
    account_id: string,
    filters: StatementFilters,
    as_of: Micros | null,
    part: Part,
  ) => Promise<StatementPage>
  /** @param as_of null: now */
  readonly summary: (
    account_id: string,
    as_of: Micros | null,
  ) => Promise<{ readonly head: Head; readonly facts: SummaryFacts }>
  /** Equity of an account at instants, which ascend. @throws {ServiceError} VALIDATION_QUERY_LIMIT */
  readonly equity: (
    account_id: string,
    asset_id: string | null,
    instants: readonly Micros[],
  ) => Promise<{ readonly head: Head; readonly points: readonly EquityPoint[] }>
  /** Versions of fee schedules; of one market only the version in force. */
  readonly feeSchedules: (
    schedule_id: string | null,
    market_id: string | null,
    part: Part,
  ) => Promise<Page<FeeScheduleRead>>
  /** Deposits and withdrawals that the account asked for, newest first. */
  readonly transfers: (account_id: string, filters: TransferFilters, part: Part) => Promise<Page<TransferRead>>
  /** Protections in force, by market_id. */
  readonly protections: (account_id: string, part: Part) => Promise<Page<ProtectionRead>>
  /** null: the account has none in the market. */
  readonly protection: (account_id: string, market_id: string) => Promise<ProtectionRead | null>
  /** null: the account has no such transfer. */
  readonly transfer: (account_id: string, transfer_id: string) => Promise<TransferRead | null>
  /** Webhooks of the account that exist, oldest first. */
  readonly webhooks: (account_id: string, part: Part) => Promise<Page<WebhookRow>>
  /** null: the account has no such webhook. */
  readonly webhook: (account_id: string, webhook_id: string) => Promise<WebhookRow | null>
  /** Deliveries of a webhook with their attempts, newest first. */
  readonly webhookDeliveries: (
    webhook_id: string,
    filters: { readonly status: string | null },
    part: Part,
  ) => Promise<Page<WebhookDeliveryRead>>
  /** Returns those of the deliveries that a webhook has. */
  readonly knownDeliveries: (webhook_id: string, ids: readonly string[]) => Promise<readonly string[]>
  readonly account: (account_id: string) => Promise<AccountRow | null>
  readonly hasMarket: (market_id: string) => Promise<boolean>
}

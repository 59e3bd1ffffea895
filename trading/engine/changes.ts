import type { Balance } from '../ledger/balance.ts'
import type { FeeSchedule } from '../ledger/fees.ts'
import { LedgerLines } from '../ledger/ledger-lines.ts'
import type { Order, Position } from '../order/order.ts'
import type { Protection } from '../order/protection.ts'
import type {
  ActRow,
  AdjustmentRow,
  AnswerRow,
  AssetRow,
  AttemptRow,
  AuthorizationRow,
  KeyAuditRow,
  MassCancelRow,
  OperatorKeyRow,
  OrderNonceRow,
  OrderRow,
  PayoutRow,
  PolicyRow,
  RequestNonceRow,
  ResolutionRow,
  ReversalRow,
  SettlementRow,
  SettlementTransitionRow,
  TransferRow,
} from '../projections/rows.ts'
import type { EngineEvent } from './events.ts'
import type { Account, ApiKey, Market, Outcome } from './state.ts'

/**
 * Changes of one batch: the rows of its transaction and the messages that follow the commit. Orders, balances, positions and
 * price levels are listed once each, which a flag of their own ensures, and published as the batch leaves them.
 */
export type Changes = {
  readonly events: EngineEvent[]
  readonly entries: LedgerLines
  readonly orders: Order[]
  readonly balances: Balance[]
  readonly positions: Position[]
  /** Numbered as in the outcome's book. */
  readonly levels: { readonly outcome: Outcome; readonly level: number }[]
  /** Rows of orders that are not in memory: rejected ones, and ended ones that were adjusted. */
  readonly order_rows: Map<string, OrderRow>
  /** Settlements that moved or changed, and new ones of payouts; new ones of fills follow from the fills. */
  readonly settlements: Map<string, SettlementRow>
  readonly attempts: Map<string, AttemptRow>
  readonly transitions: SettlementTransitionRow[]
  readonly reversals: ReversalRow[]
  readonly resolutions: Map<string, ResolutionRow>
  readonly payouts: PayoutRow[]
  /** Outcomes whose mark has changed. */
  readonly marked: Set<Outcome>
  readonly accounts: Set<Account>
  readonly markets: Set<Market>
  readonly keys: Set<ApiKey>
  readonly assets: AssetRow[]
  readonly policies: PolicyRow[]
  readonly fee_schedules: (FeeSchedule & { readonly at: number })[]
  /** Mass cancels that go on in following batches, and those that were finished, by cancel_id. */
  readonly mass_cancels: Map<string, MassCancelRow>
  readonly acts: Omit<ActRow, 'batch_sequence'>[]
  readonly operator_keys: Map<string, OperatorKeyRow>
  readonly adjustments: AdjustmentRow[]
  readonly transfers: Map<string, TransferRow>
  /** Protections that counted a fill or changed, by account and market: the last one of each. */
  readonly protections: Map<string, Protection>
  readonly key_audits: KeyAuditRow[]
  readonly authorizations: AuthorizationRow[]
  readonly request_nonces: RequestNonceRow[]
  readonly answers: AnswerRow[]
  readonly order_nonces: OrderNonceRow[]
  /** Codes of refused orders of batches of orders, for metrics; not stored. */
  readonly refused_items: string[]
  /** Set by `finishBatch`; nothing may be added after it. */
  finished: boolean
}

/** Returns the changes of an empty batch. */
export function noChanges(): Changes {
  return {
    events: [],
    entries: new LedgerLines(),
    orders: [],
    balances: [],
    positions: [],
    levels: [],
    order_rows: new Map(),
    settlements: new Map(),
    attempts: new Map(),
    transitions: [],
    reversals: [],
    resolutions: new Map(),
    payouts: [],
    marked: new Set(),
    accounts: new Set(),
    markets: new Set(),
    keys: new Set(),
    assets: [],
    policies: [],
    fee_schedules: [],
    mass_cancels: new Map(),
    acts: [],
    operator_keys: new Map(),
    adjustments: [],
    transfers: new Map(),
    protections: new Map(),
    key_audits: [],
    authorizations: [],
    request_nonces: [],
    answers: [],
    order_nonces: [],
    refused_items: [],
    finished: false,
  }
}

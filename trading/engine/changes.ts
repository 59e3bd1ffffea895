import type { Balance } from '../ledger/balance.ts'
import type { FeeSchedule } from '../ledger/fees.ts'
import { LedgerLines } from '../ledger/ledger-lines.ts'
import type { Order, Position } from '../order/order.ts'
import type {
  ActRow,
  AdjustmentRow,
  AnswerRow,
  AssetRow,
  AttemptRow,
  AuthorizationRow,
  KeyAuditRow,
  OrderNonceRow,
  OrderRow,
  PayoutRow,
  PolicyRow,
  RequestNonceRow,
  ResolutionRow,
  ReversalRow,
  SettlementRow,
  SettlementTransitionRow,
} from '../projections/rows.ts'
import type { EngineEvent } from './events.ts'
import type { Account, ApiKey, Market, Outcome } from './state.ts'

/**
 * What a batch changes: the rows that one transaction writes, and the messages that follow its commit. Orders, balances, positions
 * and price levels stand here once each, with a flag of their own that says so; they are told as the batch leaves them.
 */
export type Changes = {
  readonly events: EngineEvent[]
  readonly entries: LedgerLines
  readonly orders: Order[]
  readonly balances: Balance[]
  readonly positions: Position[]
  /** As the book of the outcome names them. */
  readonly levels: { readonly outcome: Outcome; readonly level: number }[]
  /** Rows of orders that are not in memory: rejected ones, and ended ones that an adjustment has changed. */
  readonly order_rows: Map<string, OrderRow>
  /** Those that moved or changed, and those of payouts; new ones of fills follow from the fills. */
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
  readonly acts: Omit<ActRow, 'batch_sequence'>[]
  readonly adjustments: AdjustmentRow[]
  readonly key_audits: KeyAuditRow[]
  readonly authorizations: AuthorizationRow[]
  readonly request_nonces: RequestNonceRow[]
  readonly answers: AnswerRow[]
  readonly order_nonces: OrderNonceRow[]
  /** `finishBatch` has told what was touched; nothing may be added any more. */
  finished: boolean
}

/** Changes of a batch that is still empty. */
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
    acts: [],
    adjustments: [],
    key_audits: [],
    authorizations: [],
    request_nonces: [],
    answers: [],
    order_nonces: [],
    finished: false,
  }
}

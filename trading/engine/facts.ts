import type { Micros } from '../../primitives/instants.ts'
import type { AdjustmentRow, AttemptRow, FillRow, OrderRow, ResolutionRow, SettlementRow } from '../projections/rows.ts'
import type { Traded } from './events.ts'
import type { Answer } from './submission.ts'

/** An answer under its Idempotency-Key. */
type KeptAnswer = { readonly body_hash: string; readonly answer: Omit<Answer, 'replayed'> }

/** What earlier revisions of a resolution have paid one position, in all. */
export type PaidBefore = {
  readonly account_id: string
  readonly outcome_id: string
  /** What the position was when it was paid. */
  readonly net_quantity: number
  /** Signed, as the account sees it, in asset units. */
  readonly amount: number
}

/** Positions that a revision has yet to bring to its payouts, by `positionKey`, so many as the database was asked for. */
type PaidBeforeFacts = {
  readonly positions: Map<string, PaidBefore>
  /** There are no others. */
  readonly is_whole: boolean
}

/** A trade of a fill that is named. Applying an adjustment moves what its sides have come to, and what was told. */
export type TradeFacts = Traded & {
  readonly at: Micros
  /** Its two fills with their adjustments. */
  readonly sides: readonly { readonly fill_id: string; quantity: number; notional: number }[]
  /** The last correction that was told; of what is void the quantity is 0; null: none was. */
  stated: {
    readonly record_id: string
    readonly revision: number
    readonly price: number
    readonly quantity: number
  } | null
}

/**
 * What the database knows of what a batch's submissions name (`needsOf`), read by indexed queries before it. Applying a submission
 * adds what it uses, so that two of one batch see each other. Keys of several parts are joined by one space.
 */
export type Facts = {
  /** `key_id nonce` */
  readonly request_nonces: Set<string>
  /** `account_id method path idempotency_key` */
  readonly answers: Map<string, KeptAnswer>
  /** `account_id signer nonce` */
  readonly order_nonces: Set<string>
  /** `account_id owner nonce` of key authorizations */
  readonly authorization_nonces: Set<string>
  /** `account_id client_order_id` of ids in use: of working orders, and of accepted ones that ended less than 7 days ago */
  readonly client_order_ids: Set<string>
  /** Rows of the orders named, by order_id, and of the orders of the fills named. Those that work are not needed. */
  readonly orders: Map<string, OrderRow>
  readonly fills: Map<string, FillRow>
  /** Those of the fills named, by trade_id. */
  readonly trades: Map<string, TradeFacts>
  /** Of those named, and those of the fills named, by settlement_id. */
  readonly settlements: Map<string, SettlementRow>
  /** All adjustments of the fills named, by fill_id, oldest first. */
  readonly adjustments: Map<string, readonly AdjustmentRow[]>
  readonly act_ids: Set<string>
  readonly attempts: Map<string, AttemptRow>
  readonly reversal_ids: Set<string>
  /** Those named, and all revisions of the markets that they or a proposal are of. */
  readonly resolutions: Map<string, ResolutionRow>
  /** By resolution_id; not there for one that this batch has made. */
  readonly paid_before: Map<string, PaidBeforeFacts>
  /** `account_id outcome_id` of the fills named, where a resolution has paid the position. */
  readonly paid_positions: Set<string>
}

/** Names a position in the facts. */
export function positionKey(account_id: string, outcome_id: string): string {
  return `${account_id} ${outcome_id}`
}

/** Facts of a batch that names nothing. */
export function noFacts(): Facts {
  return {
    request_nonces: new Set(),
    answers: new Map(),
    order_nonces: new Set(),
    authorization_nonces: new Set(),
    client_order_ids: new Set(),
    orders: new Map(),
    fills: new Map(),
    trades: new Map(),
    settlements: new Map(),
    adjustments: new Map(),
    act_ids: new Set(),
    attempts: new Map(),
    reversal_ids: new Set(),
    resolutions: new Map(),
    paid_before: new Map(),
    paid_positions: new Set(),
  }
}

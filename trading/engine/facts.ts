import type { Micros } from '../../primitives/instants.ts'
import type { FillSegment } from '../ledger/fill-segments.ts'
import type {
  AdjustmentRow,
  AttemptRow,
  FillRow,
  OperatorKeyRow,
  OrderRow,
  ResolutionRow,
  SettlementRow,
  TransferRow,
  WebhookRow,
} from '../projections/rows.ts'
import type { Traded } from './events.ts'
import type { Answer } from './submission.ts'

/** An answer under its Idempotency-Key. */
type KeptAnswer = { readonly body_hash: string; readonly answer: Omit<Answer, 'replayed'> }

/** Total that earlier revisions of a resolution have paid one position. */
export type PaidBefore = {
  readonly account_id: string
  readonly outcome_id: string
  /** The position when it was paid. */
  readonly net_quantity: number
  /** Signed from the account's view, in asset units. */
  readonly amount: number
}

/** Positions that a revision has yet to correct, by `positionKey`, up to the number requested. */
type PaidBeforeFacts = {
  readonly positions: Map<string, PaidBefore>
  /** The list is complete. */
  readonly is_whole: boolean
}

/** Trade of a named fill. Applying an adjustment updates the totals of its sides and its published state. */
export type TradeFacts = Traded & {
  readonly at: Micros
  /** null: the market is not complementary. */
  readonly segments: readonly FillSegment[] | null
  /** Its two fills with their adjustments. */
  readonly sides: readonly {
    readonly fill_id: string
    readonly outcome_id: string
    quantity: number
    notional: number
  }[]
  /** Last published correction; the quantity of a void one is 0; null: none. */
  stated: {
    readonly record_id: string
    readonly revision: number
    readonly price: number
    readonly quantity: number
    /** Left out: the market is not complementary. */
    readonly segments?: readonly FillSegment[] | null
  } | null
}

/**
 * Database records that a batch's submissions refer to (`needsOf`), read by indexed queries beforehand. Applying a submission
 * adds what it uses, so that submissions of one batch see each other. Keys of several parts are joined by one space.
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
  /** The order that has an `account_id client_order_id`: it works, or was accepted and ended less than 7 days ago. */
  readonly client_order_ids: Map<string, string>
  /** Rows of the named orders and of the orders of named fills, by order_id. Working orders may be missing. */
  readonly orders: Map<string, OrderRow>
  /** Id of the newest of `orders` by `clientIdKey`. */
  readonly newest_by_client_id: Map<string, string>
  readonly fills: Map<string, FillRow>
  /** Trades of the named fills, by trade_id. */
  readonly trades: Map<string, TradeFacts>
  /** Named settlements and those of the named fills, by settlement_id. */
  readonly settlements: Map<string, SettlementRow>
  /** All adjustments of the named fills, by fill_id, oldest first. */
  readonly adjustments: Map<string, readonly AdjustmentRow[]>
  /** Named acts that were carried out before, with the hashes of their commands; null: not signed. */
  readonly act_ids: Map<string, string | null>
  /** All of them, in the order of their registration, where an act of a person is among the submissions. */
  readonly operator_keys: Map<string, OperatorKeyRow>
  /** Named transfers; for a request those of its account that are open or of the last day. */
  readonly transfers: Map<string, TransferRow>
  /** Named webhooks, and those of the accounts that write to one. */
  readonly webhooks: Map<string, WebhookRow>
  /** Number of tests and replays of each of them that wait. */
  readonly webhooks_waiting: Map<string, number>
  readonly attempts: Map<string, AttemptRow>
  readonly reversal_ids: Set<string>
  /** Named resolutions, and all revisions for their markets and for the market of a proposal. */
  readonly resolutions: Map<string, ResolutionRow>
  /** By resolution_id; missing for a resolution made in this batch. */
  readonly paid_before: Map<string, PaidBeforeFacts>
  /** `account_id outcome_id` of named fills whose position a resolution has paid. */
  readonly paid_positions: Set<string>
}

/** Returns the key of a position in the facts. */
export function positionKey(account_id: string, outcome_id: string): string {
  return `${account_id} ${outcome_id}`
}

/** Returns the key of a client_order_id in the facts. */
export function clientIdKey({ account_id, client_order_id }: Pick<OrderRow, 'account_id' | 'client_order_id'>): string {
  return `${account_id} ${client_order_id}`
}

/** Whether an order was created after another one, or in the same batch and changed later. */
export function isNewer(order: Aged, than: Aged): boolean {
  if (order.created_at !== than.created_at) return order.created_at > than.created_at
  return order.engine_sequence > than.engine_sequence
}
type Aged = Pick<OrderRow, 'created_at' | 'engine_sequence'>

/** Adds the row of a named order. */
export function addOrderFact({ orders, newest_by_client_id }: Facts, row: OrderRow): void {
  orders.set(row.order_id, row)
  const newest = orders.get(newest_by_client_id.get(clientIdKey(row)) ?? '')
  if (newest === undefined || isNewer(row, newest)) newest_by_client_id.set(clientIdKey(row), row.order_id)
}

/** Returns the facts of a batch that refers to no record. */
export function noFacts(): Facts {
  return {
    request_nonces: new Set(),
    answers: new Map(),
    order_nonces: new Set(),
    authorization_nonces: new Set(),
    client_order_ids: new Map(),
    orders: new Map(),
    newest_by_client_id: new Map(),
    fills: new Map(),
    trades: new Map(),
    settlements: new Map(),
    adjustments: new Map(),
    act_ids: new Map(),
    operator_keys: new Map(),
    transfers: new Map(),
    webhooks: new Map(),
    webhooks_waiting: new Map(),
    attempts: new Map(),
    reversal_ids: new Set(),
    resolutions: new Map(),
    paid_before: new Map(),
    paid_positions: new Set(),
  }
}

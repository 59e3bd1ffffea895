import type { DecimalString } from '../../primitives/decimal.ts'
import type { ErrorCode } from '../../primitives/error-codes.ts'
import type { ErrorFacts } from '../../primitives/errors.ts'
import type { Micros } from '../../primitives/instants.ts'
import type { AuthorizationToSign } from '../../protocol/signing/authorization-message.ts'
import type { KeyAlgorithm } from '../../vocabulary/api-key.ts'
import type { SignatureType } from '../../vocabulary/order.ts'
import type { AdjustmentType } from '../../vocabulary/settlement.ts'
import type { ActSignature } from '../auth/operator-act-text.ts'
import type { CancelFilter } from '../order/cancel-filter.ts'
import type { OrderIntent, OrderSignature } from '../order/order-intent.ts'
import type { Protection } from '../order/protection.ts'
import type {
  AddAccount,
  AddAsset,
  AddMarket,
  BlockAccount,
  MoveMarket,
  MoveMoney,
  SetMark,
  SetPolicy,
} from './commands.ts'
import type { SettlementCommand } from './settlement-commands.ts'
import type { ConcludeTransfer, TransferTerms } from './transfer-commands.ts'

/** Identity of a signed write. Stages 1 and 2 have passed; the engine decides stage 3 against committed and pending writes. */
export type WriteIdentity = {
  readonly key_id: string
  /** Account of the key, which a body must name too. */
  readonly account_id: string
  readonly nonce: string
  readonly method: string
  /** Normalized, with /v1. */
  readonly path: string
  readonly idempotency_key: string
  /** SHA-256 in hex of the body's canonical form (RFC 8785). */
  readonly body_hash: string
  readonly request_id: string
  /** `cmd_...`: id of the request's command, kept with each of its orders. */
  readonly command_id: string
  readonly ip: string
  /** When the API received the request; missing: with its batch. */
  readonly received_at?: Micros
}

/** A refusal as it is answered. */
export type Refusal = { readonly code: ErrorCode; readonly message: string; readonly facts?: ErrorFacts }

/**
 * Result of the part of stage 4 that depends only on the caller's bytes: null if `signer` signed the message rebuilt from the
 * body. The engine checks whether the signer may act, the nonce and the expiry.
 */
export type SignatureVerdict = Refusal | null

export type SignedOrder = {
  readonly intent: OrderIntent
  readonly signature: OrderSignature
  readonly labels: Readonly<Record<string, string>> | null
  readonly verdict: SignatureVerdict
  /** Whether the order's market is published; one that the engine does not list is then traded elsewhere. Missing: not known. */
  readonly is_published_market?: boolean
}

/** Fields of a SvcApiAuthorization and its signature. Addresses lower case; times in Unix seconds, 0: none. */
export type KeyAuthorization = AuthorizationToSign & {
  readonly signature_type: SignatureType
  /** null: recorded by an operator, whom the act names. */
  readonly signature: string | null
}

/** A stored key. `material` is the sealed HMAC secret or the client's public key, hex; never a secret in the clear. */
export type NewKey = {
  readonly key_id: string
  readonly account_id: string
  readonly environment: string
  readonly label: string
  readonly algorithm: KeyAlgorithm
  readonly scopes: readonly string[]
  readonly ip_allowlist: readonly string[]
  readonly material: string
  readonly expires_at: Micros | null
}

type Signed<K extends string, B> = { readonly kind: K; readonly identity: WriteIdentity } & B
export type Place = Signed<'place', { readonly order: SignedOrder }>
export type PlaceBatch = Signed<'place_batch', { readonly orders: readonly SignedOrder[] }>
/** A market's new ladder of one set, in place of the set's former one. */
export type MassQuote = Signed<
  'mass_quote',
  { readonly market_id: string; readonly quote_set_id: string; readonly orders: readonly SignedOrder[] }
>
/** An order as a request names it: by its id, or by the account's own. */
export type OrderName =
  | { readonly order_id: string; readonly client_order_id?: never }
  | { readonly client_order_id: string; readonly order_id?: never }
/** One order to cancel; with a version only if that is the current one. */
export type CancelTarget = OrderName & { readonly expected_order_version: number | null }
/** Notes of a user on a cancel, kept with the orders that it cancels. */
export type CancelReason = { readonly client_cancel_id: string | null; readonly reason: string | null }
export type Cancel = Signed<'cancel', CancelTarget & CancelReason>
export type CancelBatch = Signed<'cancel_batch', CancelReason & { readonly targets: readonly CancelTarget[] }>
/** An order to replace, at the version that the caller has seen, and the order in its place. */
export type SignedAmend = {
  readonly order_id: string
  readonly expected_order_version: number
  readonly order: SignedOrder
}
export type Amend = Signed<'amend', SignedAmend>
export type AmendBatch = Signed<'amend_batch', { readonly amends: readonly SignedAmend[] }>
export type CancelAllOrders = Signed<
  'cancel_all',
  CancelFilter &
    CancelReason & {
      /** The request's own filters, repeated in the answer. */
      readonly scope: Readonly<Record<string, string | boolean>>
    }
>
/** Dead-man's switch: all orders are canceled when it is not set again in time; 0 disarms it. */
export type SetCancelAfter = Signed<'set_cancel_after', { readonly timeout_ms: number }>
export type CreateKey = Signed<
  'create_key',
  {
    readonly key: NewKey
    readonly authorization: KeyAuthorization
    readonly verdict: SignatureVerdict
    /** Shown once in the answer, never in the kept answer. */
    readonly secret: string | null
  }
>
/** The owner's consent to a change of another key than that of the request. */
export type KeyConsent = { readonly authorization: KeyAuthorization; readonly verdict: SignatureVerdict }
export type RotateKey = Signed<
  'rotate_key',
  {
    readonly key_id: string
    /** null: none is given, so a key may change only itself. */
    readonly consent: KeyConsent | null
    readonly overlap_seconds: number
    readonly material: string
    readonly secret: string | null
  }
>
export type RevokeKey = Signed<
  'revoke_key',
  { readonly key_id: string; readonly consent: KeyConsent | null; readonly reason: string }
>

export type RequestTransfer = Signed<'request_transfer', TransferTerms>
export type CancelTransfer = Signed<'cancel_transfer', { readonly transfer_id: string; readonly reason: string | null }>

export type SetProtection = Signed<
  'set_protection',
  Pick<Protection, 'market_id' | 'fill_count_max' | 'window_ms' | 'frozen_ms'> & {
    readonly quantity_max: DecimalString | null
  }
>
export type ResetProtection = Signed<'reset_protection', { readonly market_id: string }>
export type RemoveProtection = Signed<'remove_protection', { readonly market_id: string }>

/** Runs stages 1 to 8 of an order without placing it: no nonce, key or id is used up. */
export type Preview = {
  readonly kind: 'preview'
  readonly account_id: string
  readonly order: SignedOrder
  /** Repeated in an error inside the answer. */
  readonly request_id?: string
}

/** Asks how much would execute before an order; changes nothing. */
export type AskQueuePosition = {
  readonly kind: 'queue_position'
  readonly account_id: string
  readonly order_id: string
}

/** An operator's act; recorded with actor and reason. */
export type Operate = {
  readonly kind: 'operate'
  /** Repeating an act has no further effect. */
  readonly act_id: string
  readonly actor: string
  readonly reason: string
  readonly command: OperatorCommand
  /** RFC 3339; missing in an act that is not signed. */
  readonly issued_at?: string
  readonly signatures?: readonly ActSignature[]
}
type Bare<C> = Omit<C, 'actor' | 'reason'>
export type OperatorCommand =
  | Bare<AddAsset>
  | Bare<AddMarket>
  | Bare<MoveMarket>
  | Bare<SetMark>
  | (Bare<AddAccount> & { readonly owner_address: string | null; readonly label: string })
  | Bare<SetPolicy>
  | Bare<BlockAccount>
  | Bare<MoveMoney>
  | SettlementCommand
  | { readonly kind: 'add_key'; readonly key: NewKey; readonly authorization: KeyAuthorization }
  | { readonly kind: 'revoke_key'; readonly key_id: string; readonly reason: string }
  | {
      readonly kind: 'set_fees'
      readonly schedule_id: string
      readonly taker_rate: DecimalString
      readonly maker_rate: DecimalString
      /** Markets for which the next version is in force; working orders keep theirs. */
      readonly market_ids: readonly string[]
    }
  | AdjustFill
  | ConcludeTransfer
  | RegisterOperatorKey
  | RevokeOperatorKey
  | MakeComplementary

/** Turns a paused market with two books into a complementary one. */
export type MakeComplementary = { readonly kind: 'make_complementary'; readonly market_id: string }

/** Registers a key with which a person signs acts. */
export type RegisterOperatorKey = {
  readonly kind: 'register_operator_key'
  readonly operator_key_id: string
  readonly operator_id: string
  /** Ed25519, 64 lower-case hex digits. */
  readonly public_key: string
  readonly environment: string
  /** A second operator, once there have been two; null before. */
  readonly approved_by: string | null
}

/** Revokes a key with which a person signs acts. */
export type RevokeOperatorKey = {
  readonly kind: 'revoke_operator_key'
  readonly operator_key_id: string
  /** A second operator where the key is not the actor's own; null: it is. */
  readonly approved_by: string | null
}

/** A bust (the whole fill undone) or a change of one fill, approved by a second person. */
export type AdjustFill = {
  readonly kind: 'adjust_fill'
  readonly adjustment_id: string
  readonly fill_id: string
  readonly adjustment_type: AdjustmentType
  /** Signed decimals; missing for a bust, which undoes the whole fill. */
  readonly quantity_delta: DecimalString | null
  readonly notional_delta: DecimalString | null
  readonly fee_delta: DecimalString | null
  readonly reason_code: string
  readonly rationale: string
  readonly evidence: readonly string[]
  readonly approved_by: string
  readonly supersedes_adjustment_id: string | null
}

/** Writes an empty batch stamped at or after an instant, so that as_of reaches it. */
type Stamp = { readonly kind: 'stamp'; readonly at: Micros }

/** Every input of the engine. */
export type Submission =
  | Place
  | PlaceBatch
  | MassQuote
  | Cancel
  | CancelBatch
  | Amend
  | AmendBatch
  | CancelAllOrders
  | SetCancelAfter
  | CreateKey
  | RotateKey
  | RevokeKey
  | RequestTransfer
  | CancelTransfer
  | SetProtection
  | ResetProtection
  | RemoveProtection
  | Preview
  | AskQueuePosition
  | Operate
  | Stamp

/** Answer to a committed submission. */
export type Answer = {
  readonly status: number
  /** JSON text of `data`; null: none. */
  readonly data: string | null
  readonly error: Refusal | null
  /** Path of the created resource, with /v1. */
  readonly location: string | null
  /** The answer to an earlier request with the same Idempotency-Key. */
  readonly replayed: boolean
}

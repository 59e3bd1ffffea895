import type { Micros } from '../../primitives/instants.ts'
import type { KeyAction, KeyRefusal } from '../../vocabulary/api-key.ts'

/** Rows of keys, their authorizations and nonces, column for column like those of `rows.ts` (trading/migrations). */

export type KeyRow = {
  readonly key_id: string
  readonly account_id: string
  readonly environment: string
  readonly label: string
  readonly algorithm: string
  readonly scopes: readonly string[]
  readonly ip_allowlist: readonly string[]
  readonly secret_version: number
  readonly material: string
  readonly previous_material: string | null
  readonly previous_until: Micros | null
  readonly created_at: Micros
  readonly expires_at: Micros | null
  readonly revoked_at: Micros | null
  readonly revoke_reason: string | null
}

export type KeyAuditRow = {
  readonly audit_id: string
  readonly key_id: string
  readonly action: KeyAction
  readonly occurred_at: Micros
  readonly request_id: string | null
  readonly ip: string | null
  readonly method: string | null
  readonly path: string | null
  readonly outcome: 'done' | KeyRefusal
  /** Key of the request; null: an operator's act, or an entry from before it was recorded. */
  readonly by_key_id: string | null
  /** Person whose act it was; null: a request. */
  readonly actor: string | null
  /** Why the key was revoked, or the reason of the act; null: a request without one. */
  readonly reason: string | null
}

/** Address that may sign orders of an account. */
export type SignerRow = {
  readonly signer: string
  /** null: the owner. */
  readonly key_id: string | null
  readonly since: Micros
  readonly until: Micros | null
  /** Empty: the owner. */
  readonly authorization_id: string
}

/** Use of an authorization; only `create` names a signer of orders. */
export type AuthorizationPurpose = 'create' | 'rotate' | 'revoke'

export type AuthorizationRow = {
  readonly authorization_id: string
  readonly account_id: string
  readonly owner: string
  readonly signer: string
  readonly api_key_id: string
  readonly scopes_hash: string
  readonly environment: string
  readonly issued_at: Micros
  readonly expires_at: Micros | null
  readonly nonce: string
  readonly authorization_version: string
  readonly signature_type: string
  readonly signature: string | null
  readonly at: Micros
  readonly purpose: AuthorizationPurpose
}

export type RequestNonceRow = {
  readonly key_id: string
  readonly nonce: string
  readonly at: Micros
}

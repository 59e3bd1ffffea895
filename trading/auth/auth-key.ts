import type { Micros } from '../../primitives/instants.ts'
import type { RateTierName } from '../../protocol/limits.ts'
import type { KeyAlgorithm } from '../../vocabulary/api-key.ts'

/** A key as a request is checked with it. */
export type AuthKey = {
  readonly key_id: string
  readonly account_id: string
  readonly environment: string
  readonly algorithm: KeyAlgorithm
  readonly scopes: readonly string[]
  /** Addresses and CIDR ranges, v4 and v6; empty: every address. */
  readonly ip_allowlist: readonly string[]
  /** Sealed HMAC secret, or the client's public key; hex. */
  readonly material: string
  /** What it was before the last rotation; valid to previous_until. */
  readonly previous_material: string | null
  readonly previous_until: Micros | null
  readonly expires_at: Micros | null
  readonly revoked_at: Micros | null
  /** Of its account. */
  readonly limit_tier: RateTierName
}

/** Where keys are looked up. */
export type KeySource = {
  /** null: there is none such. What it gives is at most as old as revocation may take to work. */
  find(key_id: string): Promise<AuthKey | null>
}

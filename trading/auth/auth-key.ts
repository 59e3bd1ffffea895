import type { Micros } from '../../primitives/instants.ts'
import type { RateTierName } from '../../protocol/limits.ts'
import type { KeyAlgorithm } from '../../vocabulary/api-key.ts'

/** A key, as requests are authenticated with it. */
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
  /** Material before the last rotation, valid until previous_until. */
  readonly previous_material: string | null
  readonly previous_until: Micros | null
  readonly expires_at: Micros | null
  readonly revoked_at: Micros | null
  /** Rate tier of the key's account. */
  readonly limit_tier: RateTierName
}

/** Lookup of keys by their id. */
export type KeySource = {
  /** null for an unknown id. An answer is at most as old as a revocation may take to work. */
  find(key_id: string): Promise<AuthKey | null>
}

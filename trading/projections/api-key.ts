import { formatMicros, isOver, type Micros } from '../../primitives/instants.ts'
import type { ApiKey, KeyAuditItem, Signer } from '../../protocol/resources/api-key.ts'
import type { KeyAuditRow, KeyRow, SignerRow } from './rows.ts'

export type KeyFacts = {
  /** null: never, or unknown. */
  readonly last_used_at: Micros | null
  /** Instant for which the status holds. */
  readonly now: Micros
}

/** Returns the public form of a key; of its material only a client's own public key. */
export function apiKeyResource(row: KeyRow, { last_used_at, now }: KeyFacts): ApiKey {
  const instant = (at: Micros | null) => (at === null ? null : formatMicros(at))
  const status = keyStatus(row, now)
  return {
    key_id: row.key_id,
    account_id: row.account_id,
    environment: row.environment,
    label: row.label,
    algorithm: row.algorithm as ApiKey['algorithm'],
    public_key: row.algorithm === 'ed25519' ? row.material : null,
    scopes: [...row.scopes],
    ip_allowlist: [...row.ip_allowlist],
    status,
    secret_version: row.secret_version,
    previous_valid_until: status === 'rotating' ? instant(row.previous_until) : null,
    created_at: formatMicros(row.created_at),
    expires_at: instant(row.expires_at),
    revoked_at: instant(row.revoked_at),
    revoke_reason: row.revoke_reason,
    last_used_at: instant(last_used_at),
  }
}

/** Returns a key's status: active, rotating (the former secret is still valid), revoked or expired. */
export function keyStatus(
  key: {
    readonly revoked_at: Micros | null
    readonly expires_at: Micros | null
    readonly previous_until: Micros | null
  },
  now: Micros,
): ApiKey['status'] {
  if (key.revoked_at !== null) return 'revoked'
  if (isOver(key.expires_at, now)) return 'expired'
  return key.previous_until !== null && key.previous_until > now ? 'rotating' : 'active'
}

/** Returns the public form of a signer. */
export function signerResource(account_id: string, row: SignerRow): Signer {
  const { signer, key_id, authorization_id, since, until } = row
  return {
    account_id,
    signer,
    is_owner: key_id === null,
    key_id,
    authorization_id: authorization_id || null,
    since: formatMicros(since),
    until: until === null ? null : formatMicros(until),
  }
}

/** Returns the public form of an audit log entry. */
export function keyAuditResource(
  row: KeyAuditRow & { readonly last_at: Micros; readonly count: number },
): KeyAuditItem {
  const { count, ...rest } = row
  return {
    ...rest,
    occurred_at: formatMicros(row.occurred_at),
    last_at: formatMicros(row.last_at),
    count: Number(count),
  }
}

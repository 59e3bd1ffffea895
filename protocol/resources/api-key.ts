import Type, { type Static } from 'typebox'
import { KEY_ALGORITHMS, KEY_STATUSES } from '../../vocabulary/api-key.ts'
import { Count, closed, Id, Instant, orNull, Text, texts } from '../scalars.ts'

const publicKey = Type.String({ pattern: '^[0-9a-f]{64}$', description: 'ed25519 public key, lower-case hex' })

const record = {
  key_id: Id,
  account_id: Id,
  environment: Text,
  label: Text,
  algorithm: texts(KEY_ALGORITHMS),
  public_key: orNull(publicKey),
  scopes: Type.Array(Text),
  ip_allowlist: Type.Array(Text),
  status: texts(KEY_STATUSES),
  secret_version: Count,
  previous_valid_until: orNull(Instant),
  created_at: Instant,
  expires_at: orNull(Instant),
  revoked_at: orNull(Instant),
  revoke_reason: orNull(Text),
  last_used_at: orNull(Instant),
} as const

/** A key without its secret. */
export const ApiKey = Type.Object(record, { ...closed, title: 'ApiKey' })
export type ApiKey = Static<typeof ApiKey>

/** A new or rotated key with its HMAC secret, which no other response contains. */
export const IssuedApiKey = Type.Object(
  { ...record, secret: orNull(Text), secret_already_returned: Type.Boolean() },
  { ...closed, title: 'IssuedApiKey' },
)
export type IssuedApiKey = Static<typeof IssuedApiKey>

/** Address that may sign orders of the account. */
export const Signer = Type.Object(
  {
    account_id: Id,
    signer: Text,
    is_owner: Type.Boolean(),
    key_id: orNull(Id),
    authorization_id: orNull(Id),
    since: Instant,
    until: orNull(Instant),
  },
  { ...closed, title: 'Signer', description: 'key_id and authorization_id are null for the owner; until null: no end' },
)
export type Signer = Static<typeof Signer>

/** One use or change of a key. */
export const KeyAuditItem = Type.Object(
  {
    audit_id: Id,
    key_id: Id,
    action: Text,
    occurred_at: Instant,
    request_id: orNull(Text),
    ip: orNull(Text),
    method: orNull(Text),
    path: orNull(Text),
    outcome: Text,
    by_key_id: orNull(Id),
  },
  { ...closed, title: 'KeyAuditItem' },
)
export type KeyAuditItem = Static<typeof KeyAuditItem>

import Type, { type Static } from 'typebox'
import { KEY_ACTIONS, KEY_ALGORITHMS, KEY_REFUSALS, KEY_STATUSES } from '../../vocabulary/api-key.ts'
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

/** A change of a key, or its requests of one minute, outcome and address. */
export const KeyAuditItem = Type.Object(
  {
    audit_id: Id,
    key_id: Id,
    action: texts(KEY_ACTIONS),
    occurred_at: Instant,
    last_at: Instant,
    count: Count,
    request_id: orNull(Text),
    ip: orNull(Text),
    method: orNull(Text),
    path: orNull(Text),
    outcome: texts(['done', ...KEY_REFUSALS], 'done, or why requests were refused'),
    by_key_id: orNull(Id),
    actor: orNull(Text),
    reason: orNull(Text),
  },
  {
    ...closed,
    title: 'KeyAuditItem',
    description:
      'Requests are counted: occurred_at is the start of their minute, last_at the last of them, and ip is null for several addresses. by_key_id is the key whose request changed the key, actor the operator whose act did, reason why',
  },
)
export type KeyAuditItem = Static<typeof KeyAuditItem>

import Type, { type Static } from 'typebox'
import { KEY_ALGORITHMS } from '../../vocabulary/api-key.ts'
import { SIGNED_REQUESTS } from '../limits.ts'
import { closed, orNull, PLAIN_LINE, texts } from '../scalars.ts'
import { SCOPES } from '../signing/scopes.ts'
import {
  ACCOUNT_ID,
  Address,
  SecondInstant,
  SignatureBytes,
  SignatureType,
  SignedMessageEcho,
  Uint256,
} from './order-request.ts'

/** Bodies that create, rotate and revoke keys. */

export const KEY_ID = Type.String({
  pattern: '^key_[a-z0-9]{16,32}$',
  description: 'chosen by the client, because the authorization signs it',
  examples: ['key_example0000000000'],
})
const Environment = Type.String({ pattern: '^[a-z][a-z0-9_-]{0,31}$', description: 'name of a deployment' })
const PublicKey = Type.String({ pattern: '^[0-9a-f]{64}$', description: 'Ed25519 public key, lower-case hex' })
const Line = (maxLength: number, minLength = 1) => Type.String({ minLength, maxLength, pattern: PLAIN_LINE })
const UnixSeconds = Type.Integer({ minimum: 0, maximum: 253_402_300_799 })

const Authorization = Type.Object(
  {
    owner: Address,
    signer: Address,
    account: ACCOUNT_ID,
    api_key_id: KEY_ID,
    scopes_hash: Type.String({ pattern: '^0x[0-9a-fA-F]{64}$', description: 'keccak256 of the sorted scopes' }),
    environment: Environment,
    issued_at: UnixSeconds,
    expiry: Type.Integer({ minimum: 0, maximum: 253_402_300_799, description: 'Unix seconds; 0: none' }),
    nonce: Uint256,
    authorization_version: texts(['1']),
  },
  { ...closed, title: 'SvcApiAuthorization' },
)

export const CreateKeyRequest = Type.Object(
  {
    key_id: KEY_ID,
    environment: Environment,
    label: Line(100, 0),
    algorithm: texts(KEY_ALGORITHMS, 'hmac-sha256: the service generates the secret and returns it once'),
    public_key: Type.Optional(orNull(PublicKey)),
    scopes: Type.Array(texts(SCOPES), { minItems: 1, maxItems: SCOPES.length, uniqueItems: true }),
    ip_allowlist: Type.Optional(
      Type.Array(Type.String({ minLength: 2, maxLength: 64, description: 'an address or a CIDR range' }), {
        maxItems: 64,
        uniqueItems: true,
        description: 'default, or an empty list: every address',
      }),
    ),
    expires_at: Type.Optional(orNull(SecondInstant)),
    authorization: Authorization,
    authorization_signature: SignatureBytes,
    signature_type: SignatureType,
    signed_message: Type.Optional(orNull(SignedMessageEcho)),
  },
  { ...closed, title: 'CreateKeyRequest' },
)
export type CreateKeyRequest = Static<typeof CreateKeyRequest>

/** The owner's consent to a change of another key than that of the request: an authorization of that key and its scopes. */
const consent = {
  authorization: Type.Optional(Authorization),
  authorization_signature: Type.Optional(SignatureBytes),
  signature_type: Type.Optional(SignatureType),
  signed_message: Type.Optional(orNull(SignedMessageEcho)),
}

export const RotateKeyRequest = Type.Object(
  {
    ...consent,
    overlap_seconds: Type.Integer({
      minimum: 0,
      maximum: SIGNED_REQUESTS.key_overlap_max_s,
      description: 'time that the previous secret stays valid',
    }),
    public_key: Type.Optional(orNull(PublicKey)),
  },
  { ...closed, title: 'RotateKeyRequest' },
)
export type RotateKeyRequest = Static<typeof RotateKeyRequest>

export const RevokeKeyRequest = Type.Object({ ...consent, reason: Line(256) }, { ...closed, title: 'RevokeKeyRequest' })
export type RevokeKeyRequest = Static<typeof RevokeKeyRequest>

import { randomBytes } from 'node:crypto'
import { invariant, ServiceError } from '../../primitives/errors.ts'
import type { KeyAlgorithm } from '../../vocabulary/api-key.ts'
import { isOfSmallOrder, PUBLIC_KEY_HEX } from './ed25519.ts'
import { type KeyEncryptionKey, sealSecret } from './seal-secret.ts'

/** Material of a new key, or of the next version of a key. */
export type KeyMaterial = {
  /** Stored form: sealed secret or public key, hex. */
  readonly material: string
  /** Lower-case hex of an HMAC secret, shown once; null where the client keeps its own key. */
  readonly secret: string | null
}

const SECRET_BYTES = 32

/**
 * Creates the material of a key.
 * @param public_key  64 lower-case hex digits for an ed25519 key; null for an hmac-sha256 key
 * @param sealing  null: for an ed25519 key alone
 * @throws {ServiceError} VALIDATION_BODY_INVALID: public_key is given without need, or missing
 */
export function newKeyMaterial(
  key: { readonly key_id: string; readonly algorithm: KeyAlgorithm; readonly public_key: string | null },
  sealing: KeyEncryptionKey | null,
): KeyMaterial {
  const { key_id, algorithm, public_key } = key
  if (algorithm === 'ed25519') {
    if (public_key === null || !PUBLIC_KEY_HEX.test(public_key)) throw invalid(public_key, '64 lower-case hex digits')
    if (isOfSmallOrder(public_key)) throw invalid(public_key, 'a point of large order: this one signs without a secret')
    return { material: public_key, secret: null }
  }
  if (public_key !== null) throw invalid(public_key, 'null for a key of algorithm hmac-sha256')
  invariant(sealing !== null, 'a secret is sealed')
  const secret = randomBytes(SECRET_BYTES)
  return { material: sealSecret(sealing, key_id, secret), secret: secret.toString('hex') }
}

function invalid(value: string | null, allowed: string): ServiceError {
  return new ServiceError('VALIDATION_BODY_INVALID', `public_key is ${JSON.stringify(value)}; allowed: ${allowed}`, {
    field: 'public_key',
    value: String(value),
  })
}

import { randomBytes } from 'node:crypto'
import { ServiceError } from '../../primitives/errors.ts'
import type { KeyAlgorithm } from '../../vocabulary/api-key.ts'
import { type KeyEncryptionKey, sealSecret } from './seal-secret.ts'

/** Material of a new key, or of the next version of a key. */
export type KeyMaterial = {
  /** Stored form: sealed secret or public key, hex. */
  readonly material: string
  /** Lower-case hex of an HMAC secret, shown once; null where the client keeps its own key. */
  readonly secret: string | null
}

const SECRET_BYTES = 32
const PUBLIC_KEY = /^[0-9a-f]{64}$/

/**
 * Creates the material of a key.
 * @param public_key  64 lower-case hex digits for an ed25519 key; null for an hmac-sha256 key
 * @throws {ServiceError} VALIDATION_BODY_INVALID: public_key is given without need, or missing
 */
export function newKeyMaterial(
  key: { readonly key_id: string; readonly algorithm: KeyAlgorithm; readonly public_key: string | null },
  sealing: KeyEncryptionKey,
): KeyMaterial {
  const { key_id, algorithm, public_key } = key
  if (algorithm === 'ed25519') {
    if (public_key === null || !PUBLIC_KEY.test(public_key)) throw invalid(public_key, '64 lower-case hex digits')
    if (isOfSmallOrder(public_key)) throw invalid(public_key, 'a point of large order: this one signs without a secret')
    return { material: public_key, secret: null }
  }
  if (public_key !== null) throw invalid(public_key, 'null for a key of algorithm hmac-sha256')
  const secret = randomBytes(SECRET_BYTES)
  return { material: sealSecret(sealing, key_id, secret), secret: secret.toString('hex') }
}

/**
 * Points of Ed25519 whose order is 1, 2, 4 or 8, and their second encodings, without the bit of the sign. A signature that anybody
 * can make verifies under such a public key for every text, or for one in a few (RFC 8032, section 5.1.7; RFC 7748, section 7).
 */
const SMALL_ORDER = new Set([
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
])

function isOfSmallOrder(public_key: string): boolean {
  const bytes = Buffer.from(public_key, 'hex')
  bytes[31]! &= 0x7f
  return SMALL_ORDER.has(bytes.toString('hex'))
}

function invalid(value: string | null, allowed: string): ServiceError {
  return new ServiceError('VALIDATION_BODY_INVALID', `public_key is ${JSON.stringify(value)}; allowed: ${allowed}`, {
    field: 'public_key',
    value: String(value),
  })
}

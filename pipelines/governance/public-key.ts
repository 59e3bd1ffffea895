import { createPublicKey, type KeyObject } from 'node:crypto'
import { notAllowed } from '../../primitives/errors.ts'

const ED25519_SPKI = Buffer.from('302a300506032b6570032100', 'hex')

/** Returns the raw bytes of an Ed25519 public key as hex. @throws {ServiceError} VALIDATION_DEFINITION_INVALID */
export function publicKeyHex(text: string, field: string): string {
  if (/^[0-9a-f]{64}$/.test(text)) return text
  try {
    return rawHex(createPublicKey(text))
  } catch {
    const allowed = 'an Ed25519 public key as PEM or as 64 lower-case hex digits'
    throw notAllowed('VALIDATION_DEFINITION_INVALID', field, text.slice(0, 30), allowed)
  }
}

/** Returns the raw bytes of the public half of a key as hex. */
export function rawHex(key: KeyObject): string {
  const der = key.export({ format: 'der', type: 'spki' })
  if (!der.subarray(0, ED25519_SPKI.length).equals(ED25519_SPKI))
    throw notAllowed('VALIDATION_DEFINITION_INVALID', 'key', 'of another kind', 'an Ed25519 key')
  return der.subarray(ED25519_SPKI.length).toString('hex')
}

/** Returns the public key of 64 hex digits. */
export function publicKeyOf(hex: string): KeyObject {
  return createPublicKey({ key: Buffer.concat([ED25519_SPKI, Buffer.from(hex, 'hex')]), format: 'der', type: 'spki' })
}

import { createPublicKey, verify } from 'node:crypto'

/** SubjectPublicKeyInfo of an Ed25519 key up to its 32 bytes (RFC 8410). */
export const ED25519_PREFIX = Buffer.from('302a300506032b6570032100', 'hex')

/** 64 bytes in lower-case hex. */
export const ED25519_HEX = /^[0-9a-f]{128}$/

/** Returns whether a signature of a text is of a public key; both in lower-case hex. */
export function isSignedBy(public_key: string, text: string, signature: string): boolean {
  const der = Buffer.concat([ED25519_PREFIX, Buffer.from(public_key, 'hex')])
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
  return verify(null, Buffer.from(text, 'utf8'), key, Buffer.from(signature, 'hex'))
}

/** Form of a public key: 32 bytes in lower-case hex. */
export const PUBLIC_KEY_HEX = /^[0-9a-f]{64}$/

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

/** Whether a public key signs without a secret; it must never be registered. */
export function isOfSmallOrder(public_key: string): boolean {
  const bytes = Buffer.from(public_key, 'hex')
  bytes[31]! &= 0x7f
  return SMALL_ORDER.has(bytes.toString('hex'))
}

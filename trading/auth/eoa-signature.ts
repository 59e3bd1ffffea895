import { bytesOf } from './keccak.ts'

/** 65 bytes r, s, v: both halves in range, the lower of the two possible s, and v 27 or 28. Only checkedEoaSignature makes one. */
export type EoaSignature = Uint8Array & { readonly checked: 'eoa' }

/** Length of a signature by an externally owned account, in bytes. */
export const EOA_SIGNATURE_BYTES = 65

/** Order of secp256k1 (SEC 2), and half of it. */
const CURVE_ORDER = bytesOf('0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141')
const HALF_ORDER = bytesOf('0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0')
const ZERO = new Uint8Array(32)

const FORM = /^0x[0-9a-fA-F]{130}$/

/**
 * Returns the signature in the one accepted form, or the sentence that says why it is not. For each signature (r, s, v) the twin
 * (r, n - s, the other v) recovers the same signer: it is refused here, before any verifier, so that a signature has one form.
 */
export function checkedEoaSignature(text: string): EoaSignature | string {
  if (!FORM.test(text)) return 'allowed: 0x and 130 hex digits (65 bytes: r, s, v)'
  const bytes = bytesOf(text)
  const [r, s, v] = [bytes.subarray(0, 32), bytes.subarray(32, 64), bytes[64]!]
  if (v !== 27 && v !== 28) return `its last byte v is ${v}; allowed: 27 or 28`
  if (ZERO.every((zero, n) => zero === r[n]) || Buffer.compare(r, CURVE_ORDER) >= 0)
    return 'its r is outside the order of the curve'
  if (ZERO.every((zero, n) => zero === s[n]) || Buffer.compare(s, CURVE_ORDER) >= 0)
    return 'its s is outside the order of the curve'
  if (Buffer.compare(s, HALF_ORDER) > 0) return 'its s is in the upper half of the curve order; allowed: the lower one'
  return bytes as Uint8Array as EoaSignature
}

import { secp256k1 } from '@noble/curves/secp256k1'
import type { Cause } from './causes.ts'
import { bytesOf, hashOf } from './typed-hash.ts'

/** Recovers the address that signed a digest; null: no key can have. @param signature 65 bytes as 0x and hex, v 27 or 28 */
export type Recover = (digest: string, signature: string) => string | null

/** Recovers with a curve in JavaScript, about a thousand a second. */
export const recoverAddress: Recover = (digest, signature) => {
  try {
    const bytes = bytesOf(signature)
    const point = secp256k1.Signature.fromCompact(bytes.subarray(0, 64))
      .addRecoveryBit(bytes[64]! - 27)
      .recoverPublicKey(bytesOf(digest))
    return `0x${hashOf(point.toRawBytes(false).subarray(1)).slice(-40)}`
  } catch {
    return null
  }
}

const ORDER = secp256k1.CURVE.n

/** Returns why a signature is not in the one accepted form, with the form that was meant; null: it is in that form. */
export function formFault(
  text: string,
): { readonly cause: Cause; readonly meant: string | null; readonly why: string } | null {
  const bare = text.replace(/^(0x)?/i, '0x')
  if (/^0x[0-9a-fA-F]{128}$/.test(bare))
    return { cause: 'signature_compact', meant: fromCompact(bare), why: '64 bytes' }
  if (!/^0x[0-9a-fA-F]{130}$/.test(bare))
    return {
      cause: 'signature_malformed',
      meant: null,
      why: `${text.length} characters; accepted: 0x and 130 hex digits`,
    }
  if (!/^0x/.test(text)) return { cause: 'signature_malformed', meant: bare, why: 'without 0x' }
  const [r, s] = [BigInt(text.slice(0, 66)), BigInt(`0x${text.slice(66, 130)}`)]
  const v = Number.parseInt(text.slice(130), 16)
  if (r === 0n || r >= ORDER || s === 0n || s >= ORDER)
    return { cause: 'signature_malformed', meant: null, why: 'r or s is outside the order of the curve' }
  if (v === 0 || v === 1)
    return { cause: 'signature_v', meant: `${text.slice(0, 130)}${v === 0 ? '1b' : '1c'}`, why: `v is ${v}` }
  if (v !== 27 && v !== 28) return { cause: 'signature_malformed', meant: null, why: `v is ${v}; accepted: 27 or 28` }
  if (s > ORDER / 2n)
    return { cause: 'signature_upper_s', meant: lowerTwin(text, s, v), why: 's is above half the order' }
  return null
}

function lowerTwin(text: string, s: bigint, v: number): string {
  return `${text.slice(0, 66)}${(ORDER - s).toString(16).padStart(64, '0')}${v === 27 ? '1c' : '1b'}`
}

/** Expands the compact form of ERC-2098, whose highest bit of s is the parity. */
function fromCompact(text: string): string {
  const s = BigInt(`0x${text.slice(66)}`)
  const parity = s >> 255n
  return `${text.slice(0, 66)}${(s & ((1n << 255n) - 1n)).toString(16).padStart(64, '0')}${parity === 0n ? '1b' : '1c'}`
}

import { createKeccak } from 'hash-wasm'
import type { Hex, KeccakOfText } from '../../protocol/signing/typed-data.ts'

/** Computes Keccak-256 into 32 fresh bytes. */
export type Keccak256 = (bytes: Uint8Array) => Uint8Array

/** Loads the hash; the returned function is synchronous. */
export async function createKeccak256(): Promise<Keccak256> {
  const hasher = await createKeccak(256)
  return (bytes) => hasher.init().update(bytes).digest('binary')
}

/** Wraps a hash to take text in UTF-8, as messages need it. */
export function keccakOfText(keccak: Keccak256): KeccakOfText {
  return (text) => hexOf(keccak(Buffer.from(text, 'utf8')))
}

/** Length above which texts are not remembered: longer ones rarely repeat. */
const REMEMBERED_LENGTH = 80
/** Number of remembered texts; up to twice as many are held. */
const REMEMBERED_MAX = 4_096

/**
 * Wraps a hash of UTF-8 text with a cache: ids of markets and accounts, prices and modes recur in every
 * order. The returned bytes are shared: never write to them.
 */
export function rememberTexts(keccak: Keccak256): (text: string) => Uint8Array {
  let young = new Map<string, Uint8Array>()
  let old = new Map<string, Uint8Array>()
  return (text) => {
    const known = young.get(text)
    if (known !== undefined) return known
    const hashed = old.get(text) ?? keccak(Buffer.from(text, 'utf8'))
    if (text.length > REMEMBERED_LENGTH) return hashed
    if (young.size >= REMEMBERED_MAX) [old, young] = [young, new Map()]
    young.set(text, hashed)
    return hashed
  }
}

/** Lower-case hex with 0x. */
export function hexOf(bytes: Uint8Array): Hex {
  return `0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`
}

/** Bytes of checked hex with 0x. */
export function bytesOf(hex: string): Buffer {
  return Buffer.from(hex.slice(2), 'hex')
}

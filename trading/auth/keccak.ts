import { createKeccak } from 'hash-wasm'
import type { Hex, KeccakOfText } from '../../protocol/signing/typed-data.ts'

/** Keccak-256 of bytes: 32 bytes of their own. */
export type Keccak256 = (bytes: Uint8Array) => Uint8Array

/** Loads the hash once; what it gives needs no waiting. */
export async function createKeccak256(): Promise<Keccak256> {
  const hasher = await createKeccak(256)
  return (bytes) => hasher.init().update(bytes).digest('binary')
}

/** The same over text in UTF-8, as messages need it. */
export function keccakOfText(keccak: Keccak256): KeccakOfText {
  return (text) => hexOf(keccak(Buffer.from(text, 'utf8')))
}

/** Longer texts are seldom the same twice. */
const REMEMBERED_LENGTH = 80
/** Texts remembered at most, twice. */
const REMEMBERED_MAX = 4_096

/**
 * Keccak-256 of text in UTF-8 that remembers what it hashed lately: ids of markets and accounts, prices and modes come with every
 * order. The bytes are shared: they are read only.
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

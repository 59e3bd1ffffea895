import { ProofFault } from './proof-fault.ts'

/** Byte strings of proofs, with what every browser has. */

export type Bytes = Uint8Array<ArrayBuffer>

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

/** Returns the UTF-8 bytes of a text. */
export function utf8(text: string): Bytes {
  return new TextEncoder().encode(text)
}

/** Returns the text of UTF-8 bytes. @throws {ProofFault} they are not UTF-8 */
export function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new ProofFault('A text of the log is not UTF-8.')
  }
}

/** Returns the bytes of a base64 text; null if it is not the standard form. */
export function fromBase64(text: string): Bytes | null {
  if (!BASE64.test(text) || text.length % 4 !== 0) return null
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
  // The last letter may have unused bits, which the standard form leaves 0.
  return toBase64(bytes) === text ? bytes : null
}

/** Returns the base64 text of bytes. */
export function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

/** Returns bytes as lower-case hex. */
function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Returns the bytes of a hex text; null if it is none. */
export function fromHex(text: string): Bytes | null {
  if (!/^([0-9a-f]{2})*$/.test(text)) return null
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}

/** Joins byte strings. */
export function joined(...parts: readonly Uint8Array[]): Bytes {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

/** Reports whether two byte strings are the same. */
export function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at])
}

/** Returns the SHA-256 of bytes. */
export async function sha256(bytes: Bytes): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
}

/** Returns the SHA-256 of a text as hex. */
export async function sha256Hex(text: string): Promise<string> {
  return toHex(await sha256(utf8(text)))
}

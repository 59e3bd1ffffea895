import { refusedValue } from '../../primitives/errors.ts'

/** Longest entry: its length is written in two bytes. */
export const ENTRY_BYTES_MAX = 65_535

const LENGTH_BYTES = 2

/** Returns the bytes of a bundle: each entry after its length as a big-endian uint16. */
export function encodeBundle(entries: readonly Uint8Array[]): Uint8Array {
  const bytes = Buffer.alloc(entries.reduce((sum, entry) => sum + LENGTH_BYTES + entry.length, 0))
  let at = 0
  for (const entry of entries) {
    if (entry.length > ENTRY_BYTES_MAX) {
      throw refusedValue('LOG_CORRUPT', 'length of an entry', String(entry.length), `at most ${ENTRY_BYTES_MAX} bytes`)
    }
    bytes.writeUInt16BE(entry.length, at)
    bytes.set(entry, at + LENGTH_BYTES)
    at += LENGTH_BYTES + entry.length
  }
  return bytes
}

/** Returns the entries of a bundle; null if its bytes do not end with an entry. */
export function decodeBundle(bytes: Uint8Array): readonly Uint8Array[] | null {
  const entries: Uint8Array[] = []
  for (let at = 0; at < bytes.length; ) {
    if (at + LENGTH_BYTES > bytes.length) return null
    const end = at + LENGTH_BYTES + bytes[at]! * 256 + bytes[at + 1]!
    if (end > bytes.length) return null
    entries.push(bytes.subarray(at + LENGTH_BYTES, end))
    at = end
  }
  return entries
}

import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils'

/** First byte in which two texts differ, in UTF-8. */
export type Departure = {
  /** Zero-based offset of the byte. */
  readonly byte: number
  /** Hex of the byte; null: the text has ended. */
  readonly expected: string | null
  readonly signed: string | null
}

/** Finds the first byte in which two texts differ; null: they are equal. */
export function departure(expected: string, signed: string): Departure | null {
  const [a, b] = [utf8ToBytes(expected), utf8ToBytes(signed)]
  for (let byte = 0; byte < Math.max(a.length, b.length); byte += 1) {
    if (a[byte] !== b[byte]) return { byte, expected: hexAt(a, byte), signed: hexAt(b, byte) }
  }
  return null
}

function hexAt(bytes: Uint8Array, at: number): string | null {
  return at < bytes.length ? bytesToHex(bytes.subarray(at, at + 1)) : null
}

/** Writes a departure for readers: the byte, its hex and its character. */
export function departureText({ byte, expected, signed }: Departure): string {
  return `byte ${byte}: expected ${byteText(expected)}, signed ${byteText(signed)}`
}

function byteText(hex: string | null): string {
  if (hex === null) return 'the end'
  const code = Number.parseInt(hex, 16)
  return code > 0x20 && code < 0x7f ? `${hex} (${String.fromCharCode(code)})` : hex
}

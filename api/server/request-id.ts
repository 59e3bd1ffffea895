import { randomBytes } from 'node:crypto'

/** Random bytes drawn at once for many ids: one draw for each id would cost more than the rest of it. */
const POOL_BYTES = 4096
const DIGITS_OF_AN_ID = 19
const VARIANTS = ['8', '9', 'a', 'b'] as const

let digits = ''
let used = 0
let last_ms = -1
let last_prefix = ''

/**
 * Creates a request id: a version 7 UUID (RFC 9562) of 48 bits of `now_ms` and 74 random bits, so that ids sort by time and
 * reveal nothing else.
 */
export function newRequestId(now_ms: number): string {
  if (used + DIGITS_OF_AN_ID > digits.length) {
    digits = randomBytes(POOL_BYTES).toString('hex')
    used = 0
  }
  const at = used
  used += DIGITS_OF_AN_ID
  const variant = VARIANTS[digits.charCodeAt(at) & 3]!
  return `${prefixOf(now_ms)}${digits.slice(at + 1, at + 4)}-${variant}${digits.slice(at + 4, at + 7)}-${digits.slice(at + 7, at + 19)}`
}

/** Returns the digits with which all ids of one millisecond begin. */
function prefixOf(now_ms: number): string {
  if (now_ms !== last_ms) {
    const time = now_ms.toString(16).padStart(12, '0')
    last_prefix = `${time.slice(0, 8)}-${time.slice(8)}-7`
    last_ms = now_ms
  }
  return last_prefix
}

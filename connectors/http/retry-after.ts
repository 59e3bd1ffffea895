import { rfc822Micros } from '../../pipelines/venues/gdacs/rfc822-instant.ts'
import type { Micros } from '../../primitives/instants.ts'

/**
 * Reads a `Retry-After` header, seconds or a date, as milliseconds from now; null if it is absent or unreadable.
 * @see RFC 9110, section 10.2.3
 */
export function retryAfterMs(header: string | undefined, now: Micros): number | null {
  if (header === undefined) return null
  const text = header.trim()
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  const at = rfc822Micros(text)
  return at === null ? null : Math.max(0, Math.ceil((at - now) / 1000))
}

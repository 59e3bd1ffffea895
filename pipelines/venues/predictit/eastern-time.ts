import { Temporal } from 'temporal-polyfill'
import type { Micros } from '../../../primitives/instants.ts'

const ZONE = 'America/New_York'
const LOCAL = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?$/

/**
 * Converts a US Eastern wall-clock text without a zone, `2019-11-12T21:23:42.1052091`, to an instant, truncated to
 * microseconds. In the hour that repeats in autumn the later instant counts, unless it is after `not_after`: a record is read
 * soon after it is written.
 * @returns null for any other text, an unreal time, or one that the clocks skip in spring
 */
export function easternMicros(text: string, not_after: Micros): Micros | null {
  const [, seconds, fraction = ''] = LOCAL.exec(text) ?? []
  const local = seconds === undefined ? null : plainDateTime(seconds)
  if (local === null) return null
  const later = local.toZonedDateTime(ZONE, { disambiguation: 'later' })
  if (!later.toPlainDateTime().equals(local)) return null
  const micros_of_second = Number(fraction.slice(0, 6).padEnd(6, '0'))
  const micros = later.epochMilliseconds * 1000 + micros_of_second
  if (micros <= not_after) return micros
  return local.toZonedDateTime(ZONE, { disambiguation: 'earlier' }).epochMilliseconds * 1000 + micros_of_second
}

function plainDateTime(seconds: string): Temporal.PlainDateTime | null {
  try {
    return Temporal.PlainDateTime.from(seconds, { overflow: 'reject' })
  } catch {
    return null
  }
}

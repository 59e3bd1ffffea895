import { ServiceError } from './errors.ts'
import {
  type DurationString,
  dayMicros,
  durationMicros,
  formatMicros,
  INSTANT_ALLOWED,
  type Instant,
  isMicros,
  type Micros,
  microsOf,
} from './instants.ts'

/** Direction of a relative instant: `2h` before now, or `2h` after it. */
export type RelativeTo = 'past' | 'future'

const SHORT = /^(?=\d)(?:(\d{1,6})w)?(?:(\d{1,6})d)?(?:(\d{1,6})h)?(?:(\d{1,6})m)?(?:(\d{1,6})s)?$/

/**
 * Parses a duration as people type it: `90s`, `2h`, `1d12h`, or ISO 8601 of fixed length. Returns its ISO 8601 text.
 * @throws {ServiceError} VALIDATION_DURATION_INVALID names `field` and the text
 */
export function typedDuration(text: string, field: string): DurationString {
  const duration = isoDuration(text)
  if (duration !== null) return duration
  throw new ServiceError(
    'VALIDATION_DURATION_INVALID',
    `${field} is ${JSON.stringify(text)}; allowed: a duration such as 90s, 10m, 2h or 1d, or ISO 8601 of fixed length such as PT10M`,
    { field, value: text },
  )
}

/**
 * Parses an instant as people type it: RFC 3339 with Z, a date (midnight UTC), `now`, or a duration from now. A canonical text and
 * any other RFC 3339 text stay as they are, so that answers repeat what was asked.
 * @param relative  whether a duration leads into the past (`2h`, `2h ago`) or the future (`2h`, `in 2h`)
 * @throws {ServiceError} VALIDATION_INSTANT_INVALID names `field` and the text
 */
export function typedInstant(text: string, field: string, now: Micros, relative: RelativeTo): Instant {
  if (text.endsWith('Z') && microsOf(text) !== null) return text
  const micros = text === 'now' ? now : (dayMicros(text) ?? relativeMicros(text, now, relative))
  if (micros !== null && isMicros(micros)) return formatMicros(micros)
  const from_now = relative === 'past' ? 'a time ago such as 2h or 1d' : 'a time from now such as 2h or 1d'
  throw new ServiceError(
    'VALIDATION_INSTANT_INVALID',
    `${field} is ${JSON.stringify(text)}; allowed: ${INSTANT_ALLOWED}; a date such as 2026-01-17 (midnight UTC); or ${from_now}`,
    { field, value: text },
  )
}

function relativeMicros(text: string, now: Micros, relative: RelativeTo): Micros | null {
  const bare = relative === 'past' ? text.replace(/ ago$/, '') : text.replace(/^in /, '')
  const duration = isoDuration(bare)
  if (duration === null) return null
  return relative === 'past' ? now - durationMicros(duration) : now + durationMicros(duration)
}

/** Returns the ISO 8601 text of a duration in either form; null for any other text. */
function isoDuration(text: string): DurationString | null {
  const short = SHORT.exec(text)
  if (short !== null) return isoOf(short.slice(1).map((digits) => Number(digits ?? 0)))
  try {
    durationMicros(text)
    return text
  } catch {
    return null
  }
}

function isoOf([weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0]: readonly number[]): DurationString {
  const part = (count: number, unit: string) => (count === 0 ? '' : `${count}${unit}`)
  const date = part(weeks * 7 + days, 'D')
  const time = `${part(hours, 'H')}${part(minutes, 'M')}${part(seconds, 'S')}`
  if (date === '' && time === '') return 'PT0S'
  return `P${date}${time === '' ? '' : `T${time}`}`
}

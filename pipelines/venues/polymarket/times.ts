import { dayMicros, MICROS_PER_SECOND, type Micros, microsOf } from '../../../primitives/instants.ts'
import type { JsonText } from '../../text/json-text.ts'
import { wholeNumber } from '../../text/whole-number.ts'
import { Quarantined } from '../quarantine.ts'
import { scheduleTime } from '../source-times.ts'

/** The venue's clocks (P10): milliseconds as text, whole seconds, RFC 3339, and `2026-07-24 00:00:16+00`. */

const MICROS_PER_MILLISECOND = 1000
const ZERO = 48
const VENUE_TEXT = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2})(?:\.(\d{1,6})\d*)?(Z|[+-]\d{2})(?::?(\d{2}))?$/

/** Reads epoch milliseconds, as in the order book and the websocket. @throws Quarantined MISSING_FIELD, BAD_DATE */
export function readMillis(value: JsonText | undefined): Micros {
  return readEpoch(value, MICROS_PER_MILLISECOND)
}

/** Reads epoch seconds, as in price history and trades. @throws Quarantined MISSING_FIELD, BAD_DATE */
export function readSeconds(value: JsonText | undefined): Micros {
  return readEpoch(value, MICROS_PER_SECOND)
}

/**
 * Reads an instant in the forms of Gamma, truncated to microseconds; null if absent.
 * @throws Quarantined BAD_DATE for an implausible instant
 */
export function readVenueTime(value: JsonText | undefined): Micros | null {
  if (value === undefined || value === null || value === '') return null
  return plausible(venueMicros(value))
}

/** Reads an instant or day of a schedule; null if it is absent, unreal or out of range: a schedule is not evidence. */
export function readSchedule(value: JsonText | undefined): Micros | null {
  return scheduleTime(typeof value === 'string' ? (venueMicros(value) ?? dayMicros(value)) : null)
}

/** Checks that an instant is in the years 2000 to 2100. @throws Quarantined BAD_DATE */
export function plausible(micros: Micros | null): Micros {
  const found = scheduleTime(micros)
  if (found === null) throw new Quarantined('BAD_DATE')
  return found
}

function venueMicros(value: JsonText): Micros | null {
  const match = typeof value === 'string' ? VENUE_TEXT.exec(value) : null
  if (match === null) return null
  const [, day, time, fraction = '0', zone, minutes = '00'] = match
  return microsOf(`${day}T${time}.${fraction}${zone === 'Z' ? 'Z' : `${zone}:${minutes}`}`)
}

function readEpoch(value: JsonText | undefined, micros_per_unit: number): Micros {
  if (value === undefined || value === null || value === '') throw new Quarantined('MISSING_FIELD')
  if (typeof value !== 'string' || value.charCodeAt(0) === ZERO) throw new Quarantined('BAD_DATE')
  return plausible(wholeNumber(value) * micros_per_unit)
}

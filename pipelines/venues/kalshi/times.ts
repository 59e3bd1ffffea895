import { MICROS_PER_SECOND, type Micros, microsOf } from '../../../primitives/instants.ts'
import { requiredText, textOrNull } from '../../text/json-fields.ts'
import type { JsonText, JsonTextObject } from '../../text/json-text.ts'
import { wholeNumber } from '../../text/whole-number.ts'
import { Quarantined } from '../quarantine.ts'
import type { VenuePayload } from '../record.ts'
import { scheduleTime } from '../source-times.ts'

/**
 * Reader of Kalshi's times. RFC 3339 in `*_time` (0 to 9 fraction digits, truncated to microseconds), epoch seconds in `*_ts`
 * and `ts`, epoch milliseconds in `ts_ms`; `settlement_ts` is a text or seconds. Within the plausible range seconds have 9 or
 * 10 digits and milliseconds 12 or 13, so they cannot be confused.
 */

/** Reads an instant from 2000 up to 2100. @throws Quarantined BAD_DATE */
export function readTime(text: string): Micros {
  const micros = plausibleTime(text)
  if (micros === null) throw new Quarantined('BAD_DATE')
  return micros
}

/** Reads a required time. */
export function timeField(object: JsonTextObject, field: string): Micros {
  return readTime(requiredText(object, field))
}

/** Reads a time, or null if absent. */
export function optionalTimeField(object: JsonTextObject, field: string): Micros | null {
  return optionalTime(object[field])
}

function optionalTime(value: JsonText | undefined): Micros | null {
  const text = textOrNull(value)
  return text === null ? null : readTime(text)
}

/** Reads a time of a schedule; null if absent or implausible: year 1 and year 9999 mean none, 2099 is a plan. */
export function scheduleField(object: JsonTextObject, field: string): Micros | null {
  const value = object[field]
  return typeof value === 'string' ? plausibleTime(value) : null
}

/** Reads the time of a message: `ts_ms` before `ts` (whole seconds or text), else the receipt. */
export function messageTime(msg: JsonTextObject, payload: VenuePayload): Micros {
  return optionalTime(msg.ts_ms) ?? optionalTime(msg.ts) ?? payload.received_at
}

function plausibleTime(text: string): Micros | null {
  return scheduleTime(
    epochMicros(text) ??
      utcMicros(text) ??
      microsOf(text.length > UTC_LENGTH ? text.replace(/(\.\d{6})\d{1,3}(?=Z|[+-])/, '$1') : text),
  )
}

const UTC_LENGTH = '2026-01-17T00:00:00.000000Z'.length
const [POINT, UPPER_Z, DAY_LENGTH, MINUTE_LENGTH] = [46, 90, 10, 17]

/**
 * Reads the form of every message; null for another form. A stream stays in one minute for long, so each minute is parsed once.
 */
function utcMicros(text: string): Micros | null {
  if (text.length !== UTC_LENGTH || text.charCodeAt(26) !== UPPER_Z || text.charCodeAt(19) !== POINT) return null
  const [second, micros] = [wholeNumber(text, 17, 19), wholeNumber(text, 20, 26)]
  if (second < 0 || second > 59 || micros < 0) return null
  const minute = isKnownMinute(text) ? known_minute.micros : minuteMicros(text.slice(0, MINUTE_LENGTH))
  return minute === null ? null : minute + second * MICROS_PER_SECOND + micros
}

/** Memo of the last minute read, up to its seconds: its day, then the rest. */
let known_minute = { day: '', rest: '', micros: 0 }

/** Compares with the known minute. Two short slices compare faster than a long one, which would not be copied. */
function isKnownMinute(text: string): boolean {
  return text.slice(DAY_LENGTH, MINUTE_LENGTH) === known_minute.rest && text.slice(0, DAY_LENGTH) === known_minute.day
}

function minuteMicros(text: string): Micros | null {
  const micros = microsOf(`${text}00Z`)
  if (micros !== null) known_minute = { day: text.slice(0, DAY_LENGTH), rest: text.slice(DAY_LENGTH), micros }
  return micros
}

function epochMicros(text: string): Micros | null {
  const { length } = text
  if (length === 9 || length === 10) return timesUnit(text, MICROS_PER_SECOND)
  if (length === 12 || length === 13) return timesUnit(text, 1000)
  return null
}

function timesUnit(digits: string, micros_per_unit: number): Micros | null {
  const count = wholeNumber(digits)
  return count < 0 ? null : count * micros_per_unit
}

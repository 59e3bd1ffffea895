import { MICROS_PER_SECOND, type Micros, microsOf } from '../../../primitives/instants.ts'
import { optionalText, requiredText } from '../json-fields.ts'
import type { JsonTextObject } from '../json-text.ts'
import { Quarantined } from '../quarantine.ts'
import type { VenuePayload } from '../record.ts'
import { scheduleTime } from '../source-times.ts'
import { remembering } from './prices.ts'

/**
 * The one reader of Kalshi's times. RFC 3339 in `*_time` (0 to 9 fraction digits, those past the microsecond are cut),
 * epoch seconds in `*_ts` and `ts`, epoch milliseconds in `ts_ms`; `settlement_ts` comes as text or as seconds. Within the
 * plausible range seconds have 9 or 10 digits and milliseconds 12 or 13, so that none can be taken for the other.
 */

/** An instant from 2000 up to 2100. @throws Quarantined BAD_DATE */
export function readTime(text: string): Micros {
  const micros = plausibleTime(text)
  if (micros === null) throw new Quarantined('BAD_DATE')
  return micros
}

/** A time that must be there. */
export function timeField(object: JsonTextObject, field: string): Micros {
  return readTime(requiredText(object, field))
}

/** A time, or null where there is none. */
export function optionalTimeField(object: JsonTextObject, field: string): Micros | null {
  const text = optionalText(object, field)
  return text === null ? null : readTime(text)
}

/** A time of a schedule; null where it is absent or no plausible time: year 1 and year 9999 mean none, 2099 is a plan. */
export function scheduleField(object: JsonTextObject, field: string): Micros | null {
  const value = object[field]
  return typeof value === 'string' ? plausibleTime(value) : null
}

/** When a message says that it was so: `ts_ms` before `ts` (whole seconds or text); the receipt where it says neither. */
export function messageTime(msg: JsonTextObject, payload: VenuePayload): Micros {
  return optionalTimeField(msg, 'ts_ms') ?? optionalTimeField(msg, 'ts') ?? payload.received_at
}

function plausibleTime(text: string): Micros | null {
  if (text.length === 27 && UTC_MICROS.test(text)) return scheduleTime(utcMicros(text))
  return scheduleTime(
    /^\d+$/.test(text)
      ? epochMicros(text)
      : microsOf(text.length > 27 ? text.replace(/(\.\d{6})\d{1,3}(?=Z|[+-])/, '$1') : text),
  )
}

/** The form of every message: a stream stays in a minute for long, so that minutes are read once each. */
const UTC_MICROS = /T\d\d:\d\d:[0-5]\d\.\d{6}Z$/

function utcMicros(text: string): Micros | null {
  const minute = minuteMicros(text.slice(0, 17))
  return minute === null ? null : minute + Number(text.slice(17, 19)) * MICROS_PER_SECOND + Number(text.slice(20, 26))
}

const minuteMicros = remembering((minute: string) => microsOf(`${minute}00Z`))

function epochMicros(digits: string): Micros | null {
  if (digits.length === 9 || digits.length === 10) return Number(digits) * MICROS_PER_SECOND
  if (digits.length === 12 || digits.length === 13) return Number(digits) * 1000
  return null
}

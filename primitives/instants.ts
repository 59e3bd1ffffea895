import { Temporal } from 'temporal-polyfill'
import { ServiceError } from './errors.ts'

/**
 * RFC 3339 UTC instant with a trailing Z and up to six fraction digits (microseconds).
 * The canonical text has no fraction, three or six digits; compare instants by `toMicros`, never as text.
 */
export type Instant = string

/** Microseconds since 1970-01-01T00:00:00Z: a safe integer for every instant between the years 1685 and 2255. */
export type Micros = number

export const MICROS_PER_SECOND = 1_000_000
export const MICROS_PER_DAY = 86_400 * MICROS_PER_SECOND

/** Instants that are accepted from users and in signed documents, as messages say it. */
export const INSTANT_ALLOWED =
  'an RFC 3339 instant in UTC such as 2026-01-17T00:00:00Z, at most six decimals of a second, a real date of the years 1700 to 2199'

const PATTERN = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,6}))?(Z|[+-]\d{2}:\d{2})$/
const FIRST = Date.UTC(1700, 0, 1) * 1000
const LAST = Date.UTC(2200, 0, 1) * 1000

/** Returns the microseconds of an RFC 3339 text with any offset; null if it has another form, is no real date or outside 1700 to 2200. */
export function microsOf(text: unknown): Micros | null {
  return typeof text === 'string' ? (microsOfKnownDay(text) ?? readMicros(text)) : null
}

/** Day read last, up to its `T`: successive instants mostly share a day, and calendar arithmetic is slow. */
let known_day = { text: '1970-01-01T', midnight: 0 }

const DAY_LENGTH = known_day.text.length
const [POINT, COLON, UPPER_Z] = [46, 58, 90]

/** Parses a UTC instant of the day read last; null for any other text. */
function microsOfKnownDay(text: string): Micros | null {
  // Comparing a short slice is fastest.
  if (text.charCodeAt(text.length - 1) !== UPPER_Z || text.slice(0, DAY_LENGTH) !== known_day.text) return null
  if (text.charCodeAt(13) !== COLON || text.charCodeAt(16) !== COLON) return null
  const [hour, minute, second] = [digitsOf(text, 11, 13), digitsOf(text, 14, 16), digitsOf(text, 17, 19)]
  const fraction = text.length === 20 ? 0 : fractionOf(text)
  if (!(hour < 24 && minute < 60 && second < 60) || Number.isNaN(fraction)) return null
  return known_day.midnight + ((hour * 60 + minute) * 60 + second) * MICROS_PER_SECOND + fraction
}

/** Parses a fraction between the seconds and the `Z`; NaN for any other text. */
function fractionOf(text: string): number {
  const digits = text.length - 21
  if (text.charCodeAt(19) !== POINT || digits < 1 || digits > 6) return Number.NaN
  return digitsOf(text, 20, 20 + digits) * 10 ** (6 - digits)
}

/** Returns the number of the digits in [from, to); NaN if one is not a digit. */
function digitsOf(text: string, from: number, to: number): number {
  let number = 0
  for (let at = from; at < to; at += 1) {
    const digit = text.charCodeAt(at) - 48
    if (!(digit >= 0 && digit <= 9)) return Number.NaN
    number = number * 10 + digit
  }
  return number
}

function readMicros(text: string): Micros | null {
  const match = PATTERN.exec(text)
  if (match === null) return null
  const [, year, month, day, hour, minute, second, fraction = '', offset = 'Z'] = match
  const millis = Date.UTC(+year!, +month! - 1, +day!, +hour!, +minute!, +second!)
  const check = new Date(millis)
  // The year is compared too: Date.UTC reads the years 0 to 99 as 1900 to 1999.
  const sameDay =
    check.getUTCFullYear() === +year! && check.getUTCMonth() === +month! - 1 && check.getUTCDate() === +day!
  const real = sameDay && +hour! < 24 && +minute! < 60 && +second! < 60
  const shift = offsetMinutes(offset)
  if (!real || shift === null) return null
  const micros = (millis - shift * 60_000) * 1000 + +fraction.padEnd(6, '0')
  if (micros < FIRST || micros >= LAST) return null
  if (offset === 'Z')
    known_day = { text: text.slice(0, DAY_LENGTH), midnight: Math.floor(micros / MICROS_PER_DAY) * MICROS_PER_DAY }
  return micros
}

/** Returns whether a value is whole microseconds of an instant from 1700 to 2200, which has a text. */
export function isMicros(value: unknown): value is Micros {
  return Number.isSafeInteger(value) && (value as number) >= FIRST && (value as number) < LAST
}

/**
 * Parses an instant given by a user or a record; UTC with Z only.
 * @throws {ServiceError} VALIDATION_INSTANT_INVALID names `field` and the text
 */
export function toMicros(text: unknown, field = 'instant'): Micros {
  const micros = typeof text === 'string' && text.endsWith('Z') ? microsOf(text) : null
  if (micros === null) {
    throw new ServiceError(
      'VALIDATION_INSTANT_INVALID',
      `${field} is ${JSON.stringify(text)}; allowed: ${INSTANT_ALLOWED}`,
      { field, value: String(text) },
    )
  }
  return micros
}

/** Instant formatted last: most values of one batch or record share it. */
let known_instant = { micros: 0, text: '1970-01-01T00:00:00Z' }

/** Returns the canonical text of an instant: no fraction when whole seconds, else three or six digits. */
export function formatMicros(micros: Micros): Instant {
  if (micros !== known_instant.micros) known_instant = { micros, text: instantText(micros) }
  return known_instant.text
}

function instantText(micros: Micros): Instant {
  const second = Math.floor(micros / MICROS_PER_SECOND)
  const rest = micros - second * MICROS_PER_SECOND
  const text = secondText(second)
  if (rest === 0) return `${text}Z`
  const millis = Math.floor(rest / 1000)
  const fraction = threeDigits(millis)
  return rest % 1000 === 0 ? `${text}.${fraction}Z` : `${text}.${fraction}${threeDigits(rest - millis * 1000)}Z`
}

/** Day and second formatted last: neighboring instants mostly share one, and dates are slow to format. */
let printed = { second: 0, text: '1970-01-01T00:00:00', day: 0, date: '1970-01-01T' }

function secondText(second: number): string {
  if (second === printed.second) return printed.text
  const day = Math.floor(second / SECONDS_PER_DAY)
  const date = day === printed.day ? printed.date : new Date(day * SECONDS_PER_DAY * 1000).toISOString().slice(0, -13)
  const of_day = second - day * SECONDS_PER_DAY
  const [hour, minute] = [Math.floor(of_day / 3600), Math.floor((of_day % 3600) / 60)]
  const text = `${date}${TWO_DIGITS[hour]!}:${TWO_DIGITS[minute]!}:${TWO_DIGITS[of_day % 60]!}`
  printed = { second, text, day, date }
  return text
}

const SECONDS_PER_DAY = 86_400
const TWO_DIGITS = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'))

function threeDigits(number: number): string {
  if (number >= 100) return `${number}`
  return number >= 10 ? `0${number}` : `00${number}`
}

/** Returns the canonical text of any accepted instant. */
export function canonicalInstant(text: unknown, field = 'instant'): Instant {
  return formatMicros(toMicros(text, field))
}

/** Returns whether an end has been reached; null: it never is. */
export function isOver(end: Micros | null, now: Micros): boolean {
  return end !== null && end <= now
}

/** Returns the UTC calendar day `YYYY-MM-DD` of an instant. */
export function utcDay(micros: Micros): string {
  return new Date(Math.floor(micros / 1000)).toISOString().slice(0, 10)
}

/** Returns midnight UTC of a calendar day `YYYY-MM-DD`, or null when there is no such day. */
export function dayMicros(day: string): Micros | null {
  return /^\d{4}-\d{2}-\d{2}$/.test(day) ? microsOf(`${day}T00:00:00Z`) : null
}

/** Returns the microseconds after midnight of a time of day such as 16:00 or 16:00:30Z; null: it is none. */
export function timeOfDay(text: string): Micros | null {
  const time = text.replace(/Z$/, '')
  if (!/^\d{2}:\d{2}(:\d{2})?$/.test(time)) return null
  return microsOf(`1970-01-01T${time.length === 5 ? `${time}:00` : time}Z`)
}

/** ISO 8601 duration text such as PT1M, P2D or PT1H30M. */
export type DurationString = string

/**
 * Parses an ISO 8601 duration of fixed length (weeks, days of 24 h, hours, minutes, seconds); at least 0.
 * @throws {ServiceError} VALIDATION_DURATION_INVALID for other text, years, months or a negative duration
 */
export function durationMicros(text: unknown, field = 'duration'): Micros {
  const duration = parseIsoDuration(text)
  if (duration === null || duration.years !== 0 || duration.months !== 0 || duration.sign < 0) {
    throw new ServiceError(
      'VALIDATION_DURATION_INVALID',
      `${field} is ${JSON.stringify(text)}; allowed: an ISO 8601 duration of fixed length such as PT1M or P2D`,
      { field, value: String(text) },
    )
  }
  const days = duration.weeks * 7 + duration.days
  const seconds = ((days * 24 + duration.hours) * 60 + duration.minutes) * 60 + duration.seconds
  return seconds * MICROS_PER_SECOND + duration.milliseconds * 1000 + duration.microseconds
}

/** Returns microseconds as an ISO 8601 duration of days, hours, minutes and seconds. */
export function formatDuration(micros: Micros): DurationString {
  return Temporal.Duration.from({ microseconds: micros }).round({ largestUnit: 'days' }).toString()
}

function parseIsoDuration(text: unknown): Temporal.Duration | null {
  if (typeof text !== 'string') return null
  try {
    return Temporal.Duration.from(text)
  } catch {
    return null
  }
}

function offsetMinutes(offset: string): number | null {
  if (offset === 'Z') return 0
  const hours = +offset.slice(1, 3)
  const minutes = +offset.slice(4, 6)
  if (hours > 23 || minutes > 59) return null
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes)
}

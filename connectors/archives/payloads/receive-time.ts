import { type Micros, microsOf } from '../../../primitives/instants.ts'
import { uncompressedName } from '../archive-file.ts'

/** Instants as recorders write them: epoch seconds, milliseconds, microseconds or nanoseconds, or RFC 3339. */

const EPOCH = /^(\d{9,19})(?:\.(\d+))?$/
const RFC3339 = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2})?)(?:[.,](\d{1,9}))?\s?(Z|UTC|[+-]\d{2}:?(?:\d{2})?)?$/i

/**
 * Reads an instant; null for any other text. The digits before the point tell the unit of a number: 9 or 10 are seconds, 12 or
 * 13 milliseconds, 15 or 16 microseconds, 18 or 19 nanoseconds. What is finer than a microsecond is cut off.
 * @param is_utc whether a text without a zone is UTC; else it is none, because nobody knows whose time it is
 */
export function receiveTime(text: string, is_utc = false): Micros | null {
  const number = EPOCH.exec(text)
  if (number !== null) return epochMicros(number[1]!, number[2] ?? '')
  const [, day, time, fraction = '', zone] = RFC3339.exec(text) ?? []
  if (day === undefined || (zone === undefined && !is_utc)) return null
  const clock = time!.length === 5 ? `${time}:00` : time
  return microsOf(`${day}T${clock}${fraction === '' ? '' : `.${fraction.slice(0, 6)}`}${zoneOf(zone)}`)
}

function zoneOf(zone: string | undefined): string {
  const [, hours, minutes = '00'] = /^([+-]\d{2}):?(\d{2})?$/.exec(zone ?? '') ?? []
  return hours === undefined ? 'Z' : `${hours}:${minutes}`
}

function epochMicros(digits: string, fraction: string): Micros | null {
  const length = digits.length
  const places = length <= 10 ? 6 : length <= 13 ? 3 : length <= 16 ? 0 : -3
  if (length === 11 || length === 14 || length === 17) return null
  const micros = places < 0 ? digits.slice(0, places) : digits + fraction.slice(0, places).padEnd(places, '0')
  return Number(micros)
}

/** Instants in a file's name: a day and a time to the second, or an epoch in one of the units. */
const NAMED_DAY =
  /(?<!\d)(\d{4})-?(\d{2})-?(\d{2})[T_ -]?(\d{2})[-:.]?(\d{2})[-:.]?(\d{2})(?:[.,](\d{1,9}))?(?!\d)(Z|[+-]\d{2}:?\d{2}(?!\d))?/g
const NAMED_EPOCH = /(?<![\d.])((?:1[3-9]\d|[2-3]\d{2})\d{7}(?:\d{3}){0,3})(?:\.(\d{1,9}))?(?!\.?\d)/

/**
 * Returns the instant that a file's name states; null if it states none. A time without a zone is taken for UTC: a payload that
 * states a later one counts anyway.
 */
export function timeInName(name: string): Micros | null {
  const base = uncompressedName(name)
    .split('/')
    .at(-1)!
    .replace(/\.[a-z]+$/i, '')
  for (const [, year, month, day, hour, minute, second, fraction = '', zone = 'Z'] of base.matchAll(NAMED_DAY)) {
    const digits = fraction === '' ? '' : `.${fraction.slice(0, 6)}`
    const at = microsOf(`${year}-${month}-${day}T${hour}:${minute}:${second}${digits}${zoneOf(zone)}`)
    if (at !== null) return at
  }
  const [, epoch, fraction] = NAMED_EPOCH.exec(base) ?? []
  if (epoch === undefined) return null
  return receiveTime(fraction === undefined || epoch.length > 10 ? epoch : `${epoch}.${fraction}`)
}

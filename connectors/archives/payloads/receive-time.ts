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

/** An instant in a file's name: `…_20260117T000005Z.json`, `2026-01-17T00-00-05Z`, or ten or thirteen digits of an epoch. */
const NAMED = [
  /(\d{4})-?(\d{2})-?(\d{2})[T_ ](\d{2})[-:]?(\d{2})[-:]?(\d{2})Z/,
  /(?<![\d.])(1[3-9]\d{8}|[2-3]\d{9})(?![\d.]*\d)/,
  /(?<![\d.])(1[3-9]\d{11})(?![\d.]*\d)/,
] as const

/** Returns the instant that a file's name states; null if it states none. */
export function timeInName(name: string): Micros | null {
  const base = uncompressedName(name)
    .split('/')
    .at(-1)!
    .replace(/\.[a-z]+$/i, '')
  const [, year, month, day, hour, minute, second] = NAMED[0].exec(base) ?? []
  if (year !== undefined) return microsOf(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  const epoch = NAMED[2].exec(base)?.[1] ?? NAMED[1].exec(base)?.[1]
  return epoch === undefined ? null : receiveTime(epoch)
}

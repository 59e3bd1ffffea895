import { type Micros, microsOf } from '../../../primitives/instants.ts'
import { MONTH_NAMES } from '../../../vocabulary/month.ts'

const PATTERN =
  /^(?:[A-Z][a-z]{2}, )?(\d{1,2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}:\d{2}(?::\d{2})?) (GMT|UT|UTC|Z|[+-]\d{4})$/

/** Reads an RFC 822 date with a four-digit year, `Mon, 30 Dec 2019 01:35:11 GMT`, as microseconds; null for any other text. */
export function rfc822Micros(text: string): Micros | null {
  const match = PATTERN.exec(text)
  if (match === null) return null
  const [, day, month, year, time, zone] = match
  const number = MONTH_NAMES.indexOf(month!) + 1
  const seconds = time!.length === 5 ? ':00' : ''
  const offset = /^[+-]/.test(zone!) ? `${zone!.slice(0, 3)}:${zone!.slice(3)}` : 'Z'
  return microsOf(`${year}-${pad(number)}-${pad(day!)}T${time}${seconds}${offset}`)
}

const pad = (number: number | string) => String(number).padStart(2, '0')

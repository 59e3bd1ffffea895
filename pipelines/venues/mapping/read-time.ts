import { dayMicros, isMicros, type Micros, microsOf, toMicros } from '../../../primitives/instants.ts'
import { localInstants, startOfDay } from '../../../primitives/local-time.ts'
import { remembering } from '../../text/remembering.ts'
import { Quarantined } from '../quarantine.ts'
import { decimalOf } from './convert-price.ts'
import type { Mapping } from './mapping.ts'

const ZONED = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(:\d{2})?(?:\.(\d{1,9}))?\s?(Z|UTC|[+-]\d{2}(?::?\d{2})?)$/
const LOCAL = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(:\d{2})?(?:\.(\d{1,9}))?$/
const EPOCH = /^(\d{1,16})(?:\.(\d+))?$/
/** Digits of a microsecond that a unit of an epoch has after its point. */
const PLACES = { epoch_seconds: 6, epoch_milliseconds: 3, epoch_microseconds: 0 } as const

const UNITS = Object.keys(PLACES) as readonly (keyof typeof PLACES)[]
/** Before 1980 there was no prediction market: such an epoch is of another unit. */
const EARLIEST = toMicros('1980-01-01T00:00:00Z')
const LATEST = toMicros('2100-01-01T00:00:00Z')

/** Reads an instant of a file. */
export type ReadTime = (text: string) => Micros

/**
 * Returns the reader of a mapping's instants, truncated to microseconds. A local time that its zone shows twice or never, and a text
 * of another form, are rejected, and so is an epoch before 1980. A day is what is known at its end.
 * @throws from the reader: Quarantined MISSING_FIELD, BAD_DATE, AMBIGUOUS_TIME
 */
export function timeReader({ format, zone }: Mapping['time']): ReadTime {
  const readers = {
    rfc3339: zoned,
    epoch_seconds: (text: string) => epoch(text, PLACES.epoch_seconds),
    epoch_milliseconds: (text: string) => epoch(text, PLACES.epoch_milliseconds),
    epoch_microseconds: (text: string) => epoch(text, PLACES.epoch_microseconds),
    local: (text: string) => local(text, zone!),
    day: (text: string) => (dayMicros(text) === null ? null : startOfDay(text, zone!, 1)),
  }
  return remembering((text: string) => {
    if (text === '') throw new Quarantined('MISSING_FIELD')
    const micros = readers[format](text)
    const is_epoch = format in PLACES
    if (micros === null || (is_epoch && micros < EARLIEST)) {
      throw new Quarantined('BAD_DATE', is_epoch ? otherUnit(text) : undefined)
    }
    return micros
  })
}

function zoned(text: string): Micros | null {
  const [, day, minute, second = ':00', fraction = '', zone] = ZONED.exec(text) ?? []
  if (day === undefined) return null
  const [, hours, minutes = '00'] = /^([+-]\d{2}):?(\d{2})?$/.exec(zone!) ?? []
  return microsOf(
    `${day}T${minute}${second}${fractionOf(fraction)}${hours === undefined ? 'Z' : `${hours}:${minutes}`}`,
  )
}

function local(text: string, zone: string): Micros | null {
  const [, day, minute, second = ':00', fraction = ''] = LOCAL.exec(text) ?? []
  if (day === undefined) return null
  const found = localInstants(`${day}T${minute}${second}`, zone)
  if (found.length > 1) throw new Quarantined('AMBIGUOUS_TIME')
  return found.length === 0 ? null : found[0]! + Number(fraction.slice(0, 6).padEnd(6, '0'))
}

function epoch(text: string, places: number): Micros | null {
  const [, whole, fraction = ''] = EPOCH.exec(/e/i.test(text) ? decimalOf(text) : text) ?? []
  if (whole === undefined) return null
  const micros = Number(`${whole}${fraction.slice(0, places).padEnd(places, '0')}`)
  return isMicros(micros) ? micros : null
}

/** Says which unit would make an instant of our time of a number; undefined if none would. */
function otherUnit(text: string): string | undefined {
  const unit = UNITS.find((one) => {
    const micros = epoch(text, PLACES[one])
    return micros !== null && micros >= EARLIEST && micros < LATEST
  })
  return unit && `no instant from 1980 on in the unit of the mapping; as ${unit} it would be one`
}

function fractionOf(digits: string): string {
  return digits === '' ? '' : `.${digits.slice(0, 6)}`
}

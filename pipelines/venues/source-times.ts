import { MICROS_PER_SECOND, type Micros, toMicros } from '../../primitives/instants.ts'
import type { JsonText, JsonTextObject } from '../text/json-text.ts'
import { wholeNumber } from '../text/whole-number.ts'
import type { PayloadVenue } from './payload-venues.ts'
import { Quarantined } from './quarantine.ts'

/** Half-open range of plausible source instants: no venue or feed is older, none is of the future. */
const SOURCE_TIME_FIRST = toMicros('2000-01-01T00:00:00Z')
const SOURCE_TIME_END = toMicros('2100-01-01T00:00:00Z')

/**
 * Largest lead of a source’s clock over the receipt of its records, in microseconds. Such a record keeps its instant as
 * written, and shows by it (`source_at` after `received_at`) that the clocks differ. GDACS dates running events to the end of
 * its computation, minutes after the feed's own pubDate; USGS stamps a feature when its feed is already being written. Venues
 * and their recorders keep their clocks in step, and a price from the future would be looked ahead at, so they have none. docs/archives.md has the same table; test/pipelines/venues/clock-ahead.test.ts compares them.
 */
export const CLOCK_AHEAD_MAX: Readonly<Record<PayloadVenue, Micros>> = {
  kalshi: 0,
  polymarket: 0,
  manifold: 0,
  predictit: 0,
  betfair: 0,
  gdacs: 15 * 60 * MICROS_PER_SECOND,
  usgs: 60 * MICROS_PER_SECOND,
}

/**
 * Returns an instant that is plausible and not after its receipt by more than the source's clock may be ahead.
 * @throws Quarantined BAD_DATE for none or one outside 2000 to 2100, SOURCE_AFTER_RECEIVED for one too far after the receipt
 */
export function sourceTime(micros: Micros | null, received_at: Micros, ahead_max: Micros): Micros {
  if (micros === null || !isSourceTime(micros)) throw new Quarantined('BAD_DATE')
  if (micros > received_at + ahead_max) throw new Quarantined('SOURCE_AFTER_RECEIVED')
  return micros
}

/** Reads epoch milliseconds of a source instant; null if absent or null. @throws Quarantined like sourceTime */
export function optionalSourceMillis(
  object: JsonTextObject,
  field: string,
  received_at: Micros,
  ahead_max: Micros,
): Micros | null {
  return sourceMillis(object[field], received_at, ahead_max)
}

/** Reads a source instant from a value: `object.timestamp` is faster than `object[field]`. */
export function sourceMillis(value: JsonText | undefined, received_at: Micros, ahead_max: Micros): Micros | null {
  if (value === undefined || value === null) return null
  return sourceTime(typeof value === 'string' ? epochMillis(value) : null, received_at, ahead_max)
}

/** Reads epoch milliseconds of a schedule; null if absent or unreal. */
export function scheduleMillis(object: JsonTextObject, field: string): Micros | null {
  const value = object[field]
  return typeof value === 'string' ? scheduleTime(epochMillis(value)) : null
}

/** Returns an instant of a schedule; null outside 2000 to 2100, because a plan is not evidence. */
export function scheduleTime(micros: Micros | null): Micros | null {
  return micros !== null && isSourceTime(micros) ? micros : null
}

/** Reads epoch milliseconds as a whole number, a fraction of zeros allowed; null for any other text. */
function epochMillis(text: string): Micros | null {
  const millis = text.length < 15 ? wholeNumber(text) : -1
  if (millis >= 0) return millis * 1000
  return /^\d{1,14}\.0+$/.test(text) ? Number(text) * 1000 : null
}

function isSourceTime(micros: Micros): boolean {
  return micros >= SOURCE_TIME_FIRST && micros < SOURCE_TIME_END
}

import { Temporal } from 'temporal-polyfill'
import type { Micros } from './instants.ts'

/** Returns whether a text names a time zone of the IANA database, as `America/New_York`. */
export function isTimeZone(zone: string): boolean {
  try {
    return zone !== '' && new Temporal.ZonedDateTime(0n, zone).timeZoneId !== ''
  } catch {
    return false
  }
}

/**
 * Returns the instants at which the clocks of a zone show a local time `YYYY-MM-DDTHH:MM:SS`, earliest first: one, two in the hour
 * that repeats in autumn, none in the hour that is skipped in spring or for a text that is not a real time.
 */
export function localInstants(text: string, zone: string): readonly Micros[] {
  const local = localTime(text)
  if (local === null) return []
  const found = (['earlier', 'later'] as const).flatMap((disambiguation) => {
    const zoned = local.toZonedDateTime(zone, { disambiguation })
    return zoned.toPlainDateTime().equals(local) ? [zoned.epochMilliseconds * 1000] : []
  })
  return [...new Set(found)]
}

/** Returns the instant at which a calendar day `YYYY-MM-DD`, or the one `days` later, begins in a zone; null if there is no such day. */
export function startOfDay(day: string, zone: string, days = 0): Micros | null {
  const local = localTime(`${day}T00:00:00`)
  return local === null ? null : local.toPlainDate().add({ days }).toZonedDateTime(zone).epochMilliseconds * 1000
}

function localTime(text: string): Temporal.PlainDateTime | null {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/.test(text)) return null
  try {
    return Temporal.PlainDateTime.from(text, { overflow: 'reject' })
  } catch {
    return null
  }
}

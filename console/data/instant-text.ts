/** Instants as people read and write them, always in UTC. */

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const WRITTEN = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,6}))?)?)?\s*(?:Z|UTC)?$/i

/** Converts an instant of the API to milliseconds since 1970. */
export function millisOf(instant: string): number {
  return Date.parse(instant)
}

/** Converts milliseconds to an instant of the API; whole seconds have no fraction. */
export function instantOf(millis: number): string {
  return new Date(millis).toISOString().replace('.000Z', 'Z')
}

/** Formats "2025-12-05T08:30:00.000000Z" as "2025-12-05 08:30:00"; a non-zero fraction stays. */
export function showInstant(instant: string): string {
  return instant.replace('T', ' ').replace(/(?:\.0+)?Z$/, '')
}

/** Formats an instant without zero seconds: "2025-12-05 08:30". */
export function showMinute(instant: string): string {
  return showInstant(instant).replace(/(\d{2}:\d{2}):00$/, '$1')
}

/**
 * Parses an entered instant in UTC: "2025-12-05", "2025-12-05 08:30" or any RFC 3339 text that ends in Z.
 * @returns null if the text is not a real date
 */
export function parseWritten(text: string): string | null {
  const parts = WRITTEN.exec(text.trim())
  if (parts === null) return null
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = ''] = parts
  const whole = `${year}-${month}-${day}T${hour}:${minute}:${second}`
  const millis = Date.parse(`${whole}Z`)
  // Date turns 31 February into March; the text then differs.
  if (Number.isNaN(millis) || !instantOf(millis).startsWith(whole)) return null
  return `${whole}${fraction === '' ? '' : `.${fraction}`}Z`
}

/** Formats an age in one unit: "now", "40 s ago", "12 min ago", "3 h ago", "350 d ago". */
export function showAge(millis: number): string {
  if (millis < SECOND) return 'now'
  const [unit, name] = (
    [
      [DAY, 'd'],
      [HOUR, 'h'],
      [MINUTE, 'min'],
    ] as const
  ).find(([length]) => millis >= length) ?? [SECOND, 's']
  return `${Math.floor(millis / unit)} ${name} ago`
}

const DURATION = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/

/** Returns the milliseconds of an ISO 8601 duration of days, hours, minutes and seconds; null for any other. */
export function durationMillis(text: string): number | null {
  const parts = DURATION.exec(text)
  if (parts === null) return null
  const [days, hours, minutes, seconds] = parts.slice(1).map((part) => Number(part ?? 0))
  return days! * DAY + hours! * HOUR + minutes! * MINUTE + seconds! * SECOND
}

/** Formats a duration: "PT15M" is "15 min". */
export function showDuration(text: string): string {
  const millis = durationMillis(text)
  if (millis === null || millis === 0) return text
  const [unit, name] = (
    [
      [DAY, 'd'],
      [HOUR, 'h'],
      [MINUTE, 'min'],
    ] as const
  ).find(([length]) => millis % length === 0) ?? [SECOND, 's']
  return `${millis / unit} ${name}`
}

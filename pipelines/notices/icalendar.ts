import { deriveId } from '../../primitives/ids.ts'
import { formatMicros, type Instant, MICROS_PER_DAY, toMicros, utcDay } from '../../primitives/instants.ts'
import { plainLines } from '../../primitives/plain-text.ts'
import type { CalendarEntry } from './calendar.ts'

/** Longest line in octets, without its end (RFC 5545 3.1). */
const LINE_OCTETS_MAX = 75

/** A calendar needs a component (RFC 5545 3.6): an empty one has the time zone of its instants. */
const NO_EVENTS = [
  'BEGIN:VTIMEZONE',
  'TZID:UTC',
  'BEGIN:STANDARD',
  'DTSTART:19700101T000000',
  'TZOFFSETFROM:+0000',
  'TZOFFSETTO:+0000',
  'END:STANDARD',
  'END:VTIMEZONE',
]

/**
 * Returns a calendar file (RFC 5545). Equal entries give equal bytes. The fixings of a version are one event that recurs.
 * @param entries     ascending
 * @param events_max  only the first events are in the file
 */
export function icalendarOf(entries: readonly CalendarEntry[], events_max = Number.POSITIVE_INFINITY): string {
  const events = eventsOf(entries).slice(0, events_max)
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Tidemark//Governance calendar//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    ...(events.length === 0 ? NO_EVENTS : events.flatMap(eventLines)),
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${folded(line)}\r\n`).join('')
}

/** An event: one entry, or the fixings of a version, which recur. */
type Event = { readonly uid: string; readonly first: CalendarEntry; readonly recurrence: readonly string[] }

/** Returns the events of entries, in the order of their first instants. */
function eventsOf(entries: readonly CalendarEntry[]): readonly Event[] {
  const fixings = new Map<string, CalendarEntry[]>()
  for (const entry of entries)
    if (entry.kind === 'fixing') fixings.set(entry.subject_id, [...(fixings.get(entry.subject_id) ?? []), entry])
  return entries.flatMap((entry): Event[] => {
    if (entry.kind !== 'fixing') return [{ uid: entry.entry_id, first: entry, recurrence: [] }]
    const all = fixings.get(entry.subject_id)!
    if (all[0] !== entry) return []
    // The id does not name the first instant, which moves on from day to day.
    return [{ uid: deriveId('cal', 'fixing', entry.subject_id), first: entry, recurrence: recurrenceOf(all) }]
  })
}

/** Returns the rule by which daily instants recur, without the days that have none (RFC 5545 3.8.5). */
function recurrenceOf(entries: readonly CalendarEntry[]): readonly string[] {
  const instants = entries.map(({ at }) => toMicros(at))
  const [first, last] = [instants[0]!, instants.at(-1)!]
  const days = instants.map((at) => (at - first) / MICROS_PER_DAY)
  if (days.length === 1) return []
  const step = days.reduce(greatestDivisor)
  const held = new Set(instants)
  const count = (last - first) / MICROS_PER_DAY / step
  const regular = Array.from({ length: count }, (_, n) => first + n * step * MICROS_PER_DAY)
  const without = regular.filter((at) => !held.has(at)).map((at) => `EXDATE:${instantText(formatMicros(at))}`)
  return [`RRULE:FREQ=DAILY;INTERVAL=${step};UNTIL=${instantText(entries.at(-1)!.at)}`, ...without]
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b)
}

function eventLines({ uid, first, recurrence }: Event): string[] {
  const { kind, at, title, subject_id, published_at } = first
  return [
    'BEGIN:VEVENT',
    `UID:${uid}@tidemark`,
    `DTSTAMP:${instantText(published_at)}`,
    `DTSTART:${instantText(at)}`,
    ...recurrence,
    `SUMMARY:${escaped(title)}`,
    `DESCRIPTION:${escaped(subject_id)}`,
    `CATEGORIES:${escaped(kind)}`,
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ]
}

/** Returns an instant as UTC, to the second. */
function instantText(instant: Instant): string {
  const day = utcDay(toMicros(instant)).replaceAll('-', '')
  const [, hour, minute, second] = /T(\d{2}):(\d{2}):(\d{2})/.exec(instant)!
  return `${day}T${hour}${minute}${second}Z`
}

/** Escapes a text value (RFC 5545 3.3.11). */
export function escaped(text: string): string {
  return plainLines(text)
    .replace(/[\\;,]/g, (one) => `\\${one}`)
    .replaceAll('\n', '\\n')
}

/** Folds a line after at most 75 octets, never within a character (RFC 5545 3.1). */
export function folded(line: string): string {
  let text = ''
  let octets = 0
  for (const character of line) {
    const size = Buffer.byteLength(character)
    if (octets + size > LINE_OCTETS_MAX) {
      text += '\r\n '
      octets = 1
    }
    text += character
    octets += size
  }
  return text
}

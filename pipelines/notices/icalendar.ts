import { type Instant, toMicros, utcDay } from '../../primitives/instants.ts'
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

/** Returns a calendar file (RFC 5545). Equal entries give equal bytes. */
export function icalendarOf(entries: readonly CalendarEntry[]): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Tidemark//Governance calendar//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    ...(entries.length === 0 ? NO_EVENTS : entries.flatMap(eventLines)),
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${folded(line)}\r\n`).join('')
}

function eventLines({ entry_id, kind, at, title, subject_id, published_at }: CalendarEntry): string[] {
  return [
    'BEGIN:VEVENT',
    `UID:${entry_id}@tidemark`,
    `DTSTAMP:${instantText(published_at)}`,
    `DTSTART:${instantText(at)}`,
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

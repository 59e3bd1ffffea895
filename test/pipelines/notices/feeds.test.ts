import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { atomOf } from '../../../pipelines/notices/atom.ts'
import type { CalendarEntry } from '../../../pipelines/notices/calendar.ts'
import { escaped, folded, icalendarOf } from '../../../pipelines/notices/icalendar.ts'
import { plainLines } from '../../../primitives/plain-text.ts'
import { anyText } from '../../support/any-text.ts'

const HOSTILE = 'A & B <script> "q" \'a\' ]]> \u202eevil\u0007 \ufffe \ud800 é 𝟘\nsecond; line, with \\ and : colon'

const notice = (text: string) => ({
  notice_id: 'ntc_a',
  kind: 'correction' as const,
  title: text,
  text,
  published_at: '2026-01-05T00:00:00.123456Z',
})

/** Reads a feed with another parser of XML, in a process of its own. @returns tag and text of each element */
function readByExpat(feed: string): readonly (readonly [string, string])[] {
  const script =
    "import sys, json, xml.etree.ElementTree as e; print(json.dumps([[x.tag, x.text or ''] for x in e.fromstring(sys.stdin.buffer.read()).iter()]))"
  return JSON.parse(execFileSync('python3', ['-c', script], { input: feed, encoding: 'utf8' })) as [string, string][]
}

test('an Atom feed is well-formed whatever notices say, and has the elements that RFC 4287 requires', () => {
  const elements = readByExpat(atomOf([notice(HOSTILE), notice('plain')]))
  const textsOf = (name: string) =>
    elements.flatMap(([tag, text]) => (tag === `{http://www.w3.org/2005/Atom}${name}` ? [text] : []))
  const shown = plainLines(HOSTILE).replace('\ufffe', '?').replace('\ud800', '?')
  expect(textsOf('title')).toEqual(['Tidemark notices', shown, 'plain'])
  expect(textsOf('summary')).toEqual([shown, 'plain'])
  expect(textsOf('updated')).toHaveLength(3)
  expect([textsOf('id').length, textsOf('name')]).toEqual([3, ['Tidemark']])
  expect(readByExpat(atomOf([])).map(([tag]) => tag)).not.toContain('{http://www.w3.org/2005/Atom}entry')
})

const entry = (title: string): CalendarEntry => ({
  entry_id: 'cal_a',
  kind: 'rebalance',
  at: '2026-01-05T16:30:15.5Z',
  title,
  subject_id: 'idv_a',
  index_id: 'idx_a',
  market_id: null,
  published_at: '2026-01-01T00:00:00Z',
})

/** Reads a file of iCalendar as RFC 5545 3.1 says: lines end with CRLF, and one that begins with a space continues the one before. */
function readCalendar(text: string): readonly (readonly [string, string])[] {
  expect(text.endsWith('\r\n')).toBe(true)
  expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
  const lines = text.slice(0, -2).split('\r\n')
  for (const line of lines) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
  const whole: string[] = []
  for (const line of lines) {
    if (line.startsWith(' ')) whole[whole.length - 1] += line.slice(1)
    else whole.push(line)
  }
  return whole.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)])
}

/** Text of a value, by the escapes of RFC 5545 3.3.11. */
const unescaped = (value: string) =>
  value.replace(/\\([\\;,nN])/g, (_, one: string) => (one.toLowerCase() === 'n' ? '\n' : one))

describe('a file of iCalendar', () => {
  test('keeps every text, folds lines within characters never, and balances its components', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 120 }), (title) => {
        const lines = readCalendar(icalendarOf([entry(title), entry('other')]))
        const summaries = lines.flatMap(([name, value]) => (name === 'SUMMARY' ? [unescaped(value)] : []))
        expect(summaries).toEqual([plainLines(title), 'other'])
        const open = lines.flatMap(([name, value]) => (name === 'BEGIN' ? [value] : []))
        const closed = lines.flatMap(([name, value]) => (name === 'END' ? [value] : []))
        expect([...open].sort()).toEqual([...closed].sort())
      }),
    )
  })

  test('has what RFC 5545 requires of an event: its id, when it was written, and when it is', () => {
    const fields = Object.fromEntries(readCalendar(icalendarOf([entry(HOSTILE)])))
    expect(fields).toMatchObject({
      VERSION: '2.0',
      UID: 'cal_a@tidemark',
      DTSTAMP: '20260101T000000Z',
      DTSTART: '20260105T163015Z',
      CATEGORIES: 'rebalance',
    })
    expect(fields.PRODID).toBeTruthy()
  })

  test('without entries has a component all the same', () => {
    expect(readCalendar(icalendarOf([])).map(([, value]) => value)).toContain('VTIMEZONE')
  })

  /** Instants of an event that recurs, by RFC 5545 3.8.5: the rule from DTSTART to UNTIL without EXDATE. */
  function instantsOf(lines: readonly (readonly [string, string])[]): readonly string[] {
    const fields = Object.fromEntries(lines)
    const without = lines.flatMap(([name, value]) => (name === 'EXDATE' ? [value] : []))
    const read = (text: string) => Date.parse(text.replace(/(....)(..)(..T..)(..)(..Z)/, '$1-$2-$3:$4:$5'))
    const [, interval, until] = /^FREQ=DAILY;INTERVAL=(\d+);UNTIL=(\w+)$/.exec(fields.RRULE ?? '') ?? []
    const first = read(fields.DTSTART!)
    if (interval === undefined) return [new Date(first).toISOString()]
    const all: string[] = []
    for (let at = first; at <= read(until!); at += Number(interval) * 86_400_000) all.push(new Date(at).toISOString())
    return all.filter((at) => !without.some((one) => read(one) === Date.parse(at)))
  }

  test('the fixings of a version are one event with the same instants, and a limit counts events', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(60), { minLength: 1 }), fc.constantFrom(1, 2, 7), (days, step) => {
        const fixings = days
          .toSorted((a, b) => a - b)
          .map((day) => new Date(Date.UTC(2026, 0, 1 + day * step, 16)).toISOString())
          .map((at) => ({ ...entry('Fixing'), kind: 'fixing' as const, entry_id: `cal_${at}`, at }))
        const lines = readCalendar(icalendarOf(fixings))
        expect(lines.filter(([, value]) => value === 'VEVENT')).toHaveLength(2)
        expect(instantsOf(lines)).toEqual(fixings.map(({ at }) => at))
        const text = icalendarOf([...fixings, entry('last')], 1)
        expect(text).not.toContain('last')
        expect(icalendarOf([...fixings, entry('last')], 2)).toContain('last')
      }),
    )
  })

  test('an event that recurs keeps its id while its first instants pass', () => {
    const at = (day: string) => ({
      ...entry('F'),
      kind: 'fixing' as const,
      entry_id: day,
      at: `2026-01-${day}T16:00:00Z`,
    })
    const idOf = (text: string) => Object.fromEntries(readCalendar(text)).UID
    expect(idOf(icalendarOf([at('01'), at('02'), at('03')]))).toBe(idOf(icalendarOf([at('02'), at('03')])))
    expect(idOf(icalendarOf([at('03')]))).toBe(idOf(icalendarOf([at('02'), at('03')])))
  })

  test('a fold never splits a character, and escapes are those of the standard', () => {
    const line = `SUMMARY:${'é𝟘'.repeat(60)}`
    expect(folded(line).split('\r\n ').join('')).toBe(line)
    expect(folded('x'.repeat(75))).toHaveLength(75)
    const lengths = folded('x'.repeat(300))
      .split('\r\n')
      .map((part) => part.length)
    expect(lengths).toEqual([75, 75, 75, 75, 4])
    expect(escaped('a;b,c\\d\ne')).toBe('a\\;b\\,c\\\\d\\ne')
  })
})

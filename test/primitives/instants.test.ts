import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  canonicalInstant,
  dayMicros,
  durationMicros,
  formatMicros,
  INSTANT_ALLOWED,
  MICROS_PER_DAY,
  MICROS_PER_SECOND,
  microsOf,
  toMicros,
  utcDay,
} from '../../primitives/instants.ts'

const EPOCH = 0
const FIRST = microsOf('1700-01-01T00:00:00Z')!
const LAST = microsOf('2199-12-31T23:59:59.999999Z')!
const anyMicros = fc.integer({ min: FIRST, max: LAST })

describe('reading an instant', () => {
  const READ = [
    ['1970-01-01T00:00:00Z', EPOCH],
    ['1970-01-01T00:00:00.000001Z', 1],
    ['1970-01-01T00:00:00.1Z', 100_000],
    ['1970-01-01T00:00:00.123456Z', 123_456],
    ['1969-12-31T23:59:59.999999Z', -1],
    ['1970-01-02T00:00:00Z', MICROS_PER_DAY],
    ['2024-02-29T00:00:00Z', Date.UTC(2024, 1, 29) * 1000],
    ['2000-02-29T12:00:00Z', Date.UTC(2000, 1, 29, 12) * 1000],
    ['2026-01-17T00:00:00Z', 1_768_608_000_000_000],
  ] as const
  test.each(READ)('%s', (text, micros) => {
    expect(toMicros(text)).toBe(micros)
  })

  test('offsets are read, but not from a user', () => {
    expect(microsOf('2025-11-09T01:35:01+00:00')).toBe(microsOf('2025-11-09T01:35:01Z'))
    expect(microsOf('2026-01-01T01:30:00+01:30')).toBe(microsOf('2026-01-01T00:00:00Z'))
    expect(microsOf('2025-12-31T19:00:00-05:00')).toBe(microsOf('2026-01-01T00:00:00Z'))
    expect(() => toMicros('2026-01-01T00:00:00+00:00', 'as_of')).toThrow(
      'as_of is "2026-01-01T00:00:00+00:00"; allowed: an RFC 3339 instant in UTC such as 2026-01-17T00:00:00Z',
    )
  })

  test.each(['', '2026-01-17T00:00:00.123456789Z', '2026-01-17'])('%j is refused by what is accepted', (text) => {
    expect(() => toMicros(text, 'as_of')).toThrow(`as_of is ${JSON.stringify(text)}; allowed: ${INSTANT_ALLOWED}`)
    expect(INSTANT_ALLOWED).toContain('at most six decimals of a second')
  })

  const REFUSED = [
    '2025-02-29T00:00:00Z', // no leap year
    '1900-02-29T00:00:00Z', // a century that is no leap year
    '2026-04-31T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-10T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T23:60:00Z',
    '2026-01-01T23:59:60Z', // a leap second has no place in microseconds since the epoch
    '2026-01-01T00:00:00', // no zone
    '2026-01-01T00:00:00z',
    '2026-01-01t00:00:00Z',
    '2026-01-01 00:00:00Z',
    '2026-01-01T00:00Z',
    '2026-01-01',
    '2026-1-1T00:00:00Z',
    '2026-01-01T00:00:00.Z',
    '2026-01-01T00:00:00.1234567Z', // nanoseconds would be lost without a word
    '2026-01-01T00:00:00,5Z',
    '2026-01-01T00:00:00+24:00',
    '2026-01-01T00:00:00+01:60',
    '2026-01-01T00:00:00+0100',
    '+002026-01-01T00:00:00Z',
    '0000-01-01T00:00:00Z',
    '0026-01-17T00:00:00Z', // two-digit years are no years of the 1900s
    '1699-12-31T23:59:59.999999Z',
    '2200-01-01T00:00:00Z',
    '1768608000',
    '',
  ]
  test.each(REFUSED)('%j is refused', (text) => {
    expect(microsOf(text)).toBeNull()
    expect(() => toMicros(text)).toThrow(/^instant is /)
  })

  /** A text read after an instant of its own day, and after one of another: the reader remembers a day. */
  const bothWays = (text: string) =>
    [`${text.slice(0, 10)}T12:00:00Z`, '1999-01-01T00:00:00Z'].map((before) => {
      microsOf(before)
      return microsOf(text)
    })

  test('it makes no difference what was read before', () => {
    for (const [text, micros] of READ) expect(bothWays(text), text).toEqual([micros, micros])
    for (const text of REFUSED) expect(bothWays(text), text).toEqual([null, null])
    const odd = fc.constantFrom('', '0', '9', ':', '.', '-', '+', 'Z', 'T', ' ', '1234567', '24', '60', '٣')
    fc.assert(
      fc.property(anyMicros, fc.nat(30), fc.nat(3), odd, (micros, at, removed, inserted) => {
        const text = formatMicros(micros)
        const [of_day, of_other] = bothWays(text.slice(0, at) + inserted + text.slice(at + removed))
        expect(of_day).toBe(of_other)
      }),
      { numRuns: 5000 },
    )
  })

  test.each([null, undefined, 0, 1768608000, {}, []])('%o is refused', (value) => {
    expect(microsOf(value)).toBeNull()
  })
})

describe('printing an instant', () => {
  const PRINTED = [
    [0, '1970-01-01T00:00:00Z'],
    [1, '1970-01-01T00:00:00.000001Z'],
    [1000, '1970-01-01T00:00:00.001Z'],
    [1001, '1970-01-01T00:00:00.001001Z'],
    [500_000, '1970-01-01T00:00:00.500Z'],
    [-1, '1969-12-31T23:59:59.999999Z'],
    [-MICROS_PER_SECOND, '1969-12-31T23:59:59Z'],
    [-1_500_000, '1969-12-31T23:59:58.500Z'],
  ] as const
  test.each(PRINTED)('%i is %s', (micros, text) => {
    expect(formatMicros(micros)).toBe(text)
  })

  test('is undone by reading, for every microsecond from 1700 to 2199', () => {
    fc.assert(
      fc.property(anyMicros, (micros) => toMicros(formatMicros(micros)) === micros),
      { numRuns: 5000 },
    )
    expect(toMicros(formatMicros(FIRST))).toBe(FIRST)
    expect(toMicros(formatMicros(LAST))).toBe(LAST)
  })

  test('one instant has one canonical text', () => {
    expect(canonicalInstant('2026-01-01T00:00:00.000Z')).toBe('2026-01-01T00:00:00Z')
    expect(canonicalInstant('2026-01-01T00:00:00.5Z')).toBe('2026-01-01T00:00:00.500Z')
    expect(canonicalInstant('2026-01-01T00:00:00.123450Z')).toBe('2026-01-01T00:00:00.123450Z')
  })
})

describe('days', () => {
  test('a day starts at midnight UTC, also before 1970', () => {
    expect(utcDay(-1)).toBe('1969-12-31')
    expect(utcDay(0)).toBe('1970-01-01')
    expect(utcDay(MICROS_PER_DAY - 1)).toBe('1970-01-01')
    expect(dayMicros('2024-02-29')).toBe(toMicros('2024-02-29T00:00:00Z'))
  })

  test.each(['2025-02-29', '2026-2-1', '20260201', '2026-02-30', '', '2026-02-01T00:00:00Z'])('%j is no day', (day) => {
    expect(dayMicros(day)).toBeNull()
  })

  test('an instant lies in its day', () => {
    fc.assert(
      fc.property(anyMicros, (micros) => {
        const start = dayMicros(utcDay(micros))!
        return start <= micros && micros < start + MICROS_PER_DAY
      }),
    )
  })
})

describe('durations', () => {
  const READ = [
    ['PT0S', 0],
    ['PT1M', 60 * MICROS_PER_SECOND],
    ['P1D', MICROS_PER_DAY],
    ['P2D', 2 * MICROS_PER_DAY],
    ['P1W', 7 * MICROS_PER_DAY],
    ['PT1H30M', 5400 * MICROS_PER_SECOND],
    ['P1DT12H', 1.5 * MICROS_PER_DAY],
    ['PT0.000001S', 1],
    ['PT24H', MICROS_PER_DAY],
  ] as const
  test.each(READ)('%s', (text, micros) => {
    expect(durationMicros(text)).toBe(micros)
  })

  test.each(['P1M', 'P1Y', '-PT1M', '1D', 'PT', 'P', '', 'PT1', '60', null, 60])('%j is refused', (text) => {
    expect(() => durationMicros(text, 'admission.grace')).toThrow(
      /^admission.grace is .*; allowed: an ISO 8601 duration/,
    )
  })
})

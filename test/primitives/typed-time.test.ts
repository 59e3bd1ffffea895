import fc from 'fast-check'
import { expect, test } from 'vitest'
import { durationMicros, formatMicros, MICROS_PER_DAY, toMicros } from '../../primitives/instants.ts'
import { typedDuration, typedInstant } from '../../primitives/typed-time.ts'
import { refusal } from '../support/refusal.ts'

const NOW = toMicros('2026-01-17T12:00:00Z')
const past = (text: string) => typedInstant(text, '--from', NOW, 'past')
const future = (text: string) => typedInstant(text, '--expires', NOW, 'future')

test.each([
  ['2026-01-17T00:00:00Z', '2026-01-17T00:00:00Z'],
  ['2026-01-17T00:00:00.5Z', '2026-01-17T00:00:00.5Z'],
  ['2026-01-17', '2026-01-17T00:00:00Z'],
  ['now', '2026-01-17T12:00:00Z'],
  ['1d', '2026-01-16T12:00:00Z'],
  ['2h ago', '2026-01-17T10:00:00Z'],
  ['1d12h', '2026-01-16T00:00:00Z'],
  ['PT90S', '2026-01-17T11:58:30Z'],
])('%s is an instant of the past', (text, instant) => expect(past(text)).toBe(instant))

test.each([
  ['1d', '2026-01-18T12:00:00Z'],
  ['in 2h', '2026-01-17T14:00:00Z'],
  ['2026-02-01', '2026-02-01T00:00:00Z'],
])('%s is an instant of the future', (text, instant) => expect(future(text)).toBe(instant))

test.each([
  '',
  'yesterday',
  '2026-02-30',
  '2026-1-17',
  '2026-01-17T00:00:00+01:00',
  '-1d',
  '1y',
  'in 2h',
  'P1M',
  '999999w',
])('%j is refused with the field, the value and what is accepted', (text) => {
  const { message, facts } = refusal('VALIDATION_INSTANT_INVALID', () => past(text))
  expect(message).toContain(`--from is ${JSON.stringify(text)}; allowed: an RFC 3339 instant in UTC such as`)
  expect(message).toMatch(/a date such as 2026-01-17 \(midnight UTC\); or a time ago such as 2h or 1d$/)
  expect(facts).toEqual({ field: '--from', value: text })
})

test('a time ago and a time from now lie at the same distance', () => {
  fc.assert(
    fc.property(fc.nat(50_000), fc.constantFrom('s', 'm', 'h', 'd'), (count, unit) => {
      const text = `${count}${unit}`
      expect(NOW - toMicros(past(text))).toBe(toMicros(future(text)) - NOW)
      expect(past(`${text} ago`)).toBe(past(text))
    }),
  )
})

test('the parts of a short duration add up, and its ISO 8601 text has the same length', () => {
  const part = fc.integer({ min: 0, max: 999 })
  fc.assert(
    fc.property(part, part, part, part, part, (w, d, h, m, s) => {
      const seconds = (((w * 7 + d) * 24 + h) * 60 + m) * 60 + s
      expect(durationMicros(typedDuration(`${w}w${d}d${h}h${m}m${s}s`, '--for'))).toBe(seconds * 1e6)
    }),
  )
})

test('an ISO 8601 duration and a date stay what they are', () => {
  expect(typedDuration('P1DT2H', '--for')).toBe('P1DT2H')
  fc.assert(
    fc.property(fc.integer({ min: -90_000, max: 80_000 }), (day) => {
      const text = formatMicros(day * MICROS_PER_DAY)
      expect(past(text.slice(0, 10))).toBe(text)
    }),
  )
})

test.each(['', '1', 'h', '1h1d', '1.5h', 'P1M', '-PT1S', '1 h'])('%j is refused as a duration', (text) => {
  const { message } = refusal('VALIDATION_DURATION_INVALID', () => typedDuration(text, '--for'))
  expect(message).toBe(
    `--for is ${JSON.stringify(text)}; allowed: a duration such as 90s, 10m, 2h or 1d, or ISO 8601 of fixed length such as PT10M`,
  )
})

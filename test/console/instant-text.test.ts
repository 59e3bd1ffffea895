import { describe, expect, test } from 'vitest'
import {
  durationMillis,
  instantOf,
  parseWritten,
  showAge,
  showDuration,
  showInstant,
  showMinute,
} from '../../console/data/instant-text.ts'

describe('what a person writes', () => {
  test.each([
    ['2025-12-05', '2025-12-05T00:00:00Z'],
    [' 2025-12-05 08:30 ', '2025-12-05T08:30:00Z'],
    ['2025-12-05T08:30:59Z', '2025-12-05T08:30:59Z'],
    ['2025-12-05 08:30:59.123456 utc', '2025-12-05T08:30:59.123456Z'],
    ['2024-02-29', '2024-02-29T00:00:00Z'],
  ])('%s is %s', (text, instant) => expect(parseWritten(text)).toBe(instant))

  test.each([
    '',
    'yesterday',
    '2025-02-29',
    '2025-12-05 24:00',
    '2025-12-05 08:60',
    '2025-12-05T08:30:00+01:00',
    '1.5.2025',
  ])('%s is no instant', (text) => expect(parseWritten(text)).toBeNull())
})

describe('what a person reads', () => {
  test('digits that say nothing are left out, others are not', () => {
    expect(showInstant('2025-12-05T08:30:00.000Z')).toBe('2025-12-05 08:30:00')
    expect(showInstant('2025-12-05T08:30:00.120300Z')).toBe('2025-12-05 08:30:00.120300')
    expect(showMinute('2025-12-05T08:30:00Z')).toBe('2025-12-05 08:30')
    expect(showMinute('2025-12-05T08:30:01Z')).toBe('2025-12-05 08:30:01')
    expect(instantOf(1_764_923_400_000)).toBe('2025-12-05T08:30:00Z')
  })

  test.each([
    [-5, 'now'],
    [999, 'now'],
    [59_999, '59 s ago'],
    [60_000, '1 min ago'],
    [3_600_000, '1 h ago'],
    [86_400_000 * 3, '3 d ago'],
  ])('%i ms is %s', (millis, text) => expect(showAge(millis)).toBe(text))

  test.each([
    ['PT1M', 60_000, '1 min'],
    ['PT90M', 5_400_000, '90 min'],
    ['P1D', 86_400_000, '1 d'],
    ['P1M', null, 'P1M'],
  ])('%s', (text, millis, shown) => {
    expect(durationMillis(text)).toBe(millis)
    expect(showDuration(text)).toBe(shown)
  })
})

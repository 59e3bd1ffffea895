import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { easternMicros } from '../../../../pipelines/venues/predictit/eastern-time.ts'
import { toMicros } from '../../../../primitives/instants.ts'

const LATE = toMicros('2100-01-01T00:00:00Z')

describe('easternMicros', () => {
  test.each([
    ['2024-05-13T12:06:16', '2024-05-13T16:06:16Z', 'summer: four hours behind'],
    ['2019-11-12T21:23:42.1052091', '2019-11-13T02:23:42.105209Z', 'winter: five, and the seventh digit is cut off'],
    ['2020-03-08T01:59:59', '2020-03-08T06:59:59Z', 'the last second before the clocks go forward'],
    ['2020-03-08T03:00:00', '2020-03-08T07:00:00Z', 'and the next one'],
    ['2006-03-26T12:00:00', '2006-03-26T17:00:00Z', 'until 2006 summer began in April'],
    ['2019-11-12T21:23:42.5', '2019-11-13T02:23:42.500Z', 'any number of digits'],
  ])('%s is %s (%s)', (text, instant) => {
    expect(easternMicros(text, LATE)).toBe(toMicros(instant))
  })

  test('the hour that passes twice is the later one, unless that is after the receipt', () => {
    const text = '2019-11-03T01:30:00'
    expect(easternMicros(text, toMicros('2019-11-03T06:30:00Z'))).toBe(toMicros('2019-11-03T06:30:00Z'))
    expect(easternMicros(text, toMicros('2019-11-03T06:29:59Z'))).toBe(toMicros('2019-11-03T05:30:00Z'))
  })

  test.each([
    '2020-03-08T02:30:00',
    '2019-02-29T00:00:00',
    '2019-01-01T24:00:00',
    '2019-01-01',
    '2019-01-01T00:00:00Z',
    '',
    'N/A',
  ])('%j is no Eastern time', (text) => expect(easternMicros(text, LATE)).toBeNull())

  test('every instant of a century is read back from what a clock in New York shows', () => {
    const clock = new Intl.DateTimeFormat('sv-SE', {
      timeZone: 'America/New_York',
      dateStyle: 'short',
      timeStyle: 'medium',
    })
    fc.assert(
      fc.property(fc.integer({ min: 946_684_800, max: 4_102_444_799 }), (seconds) => {
        const text = clock.format(seconds * 1000).replace(' ', 'T')
        expect(easternMicros(text, seconds * 1_000_000)).toBe(seconds * 1_000_000)
      }),
      { numRuns: 2000 },
    )
  })
})

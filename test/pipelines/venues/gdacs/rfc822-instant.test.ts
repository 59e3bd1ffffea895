import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rfc822Micros } from '../../../../pipelines/venues/gdacs/rfc822-instant.ts'
import { toMicros } from '../../../../primitives/instants.ts'

test.each([
  ['Mon, 30 Dec 2019 01:35:11 GMT', '2019-12-30T01:35:11Z'],
  ['Sun, 1 Mar 2020 00:00:00 UT', '2020-03-01T00:00:00Z'],
  ['01 Mar 2020 00:00 UTC', '2020-03-01T00:00:00Z'],
  ['Mon, 30 Dec 2019 01:35:11 +0130', '2019-12-30T00:05:11Z'],
  ['Mon, 30 Dec 2019 01:35:11 -0500', '2019-12-30T06:35:11Z'],
])('%s is %s', (text, instant) => {
  expect(rfc822Micros(text)).toBe(toMicros(instant))
})

test.each([
  '',
  '2019-12-30T01:35:11Z',
  'Mon, 30 Dec 2019 01:35:11',
  'Mon, 30 Dez 2019 01:35:11 GMT',
  'Mon, 31 Feb 2019 01:35:11 GMT',
  'Mon, 30 Dec 19 01:35:11 GMT',
  'Mon, 30 Dec 2019 24:00:00 GMT',
  'Mon, 30 Dec 2019 01:35:11 EST',
  'Mon, 30 Dec 2019 01:35:11 +9999',
])('%j is none', (text) => {
  expect(rfc822Micros(text)).toBeNull()
})

test('every second of a century is read back from its text', () => {
  fc.assert(
    fc.property(fc.integer({ min: 946_684_800, max: 4_102_444_799 }), (seconds) => {
      expect(rfc822Micros(new Date(seconds * 1000).toUTCString())).toBe(seconds * 1_000_000)
    }),
  )
})

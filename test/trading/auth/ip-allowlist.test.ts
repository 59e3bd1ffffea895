import { expect, test } from 'vitest'
import { isAddressAllowed, isAddressRange } from '../../../trading/auth/ip-allowlist.ts'

test.each([
  ['203.0.113.0/24', '203.0.113.0', true],
  ['203.0.113.0/24', '203.0.113.255', true],
  ['203.0.113.0/24', '203.0.114.0', false],
  ['203.0.113.77/24', '203.0.113.9', true],
  ['203.0.113.9', '203.0.113.9', true],
  ['203.0.113.9', '203.0.113.10', false],
  ['203.0.113.9/32', '::ffff:203.0.113.9', true],
  ['203.0.113.9/32', '::FFFF:203.0.113.9', true],
  ['203.0.113.9/32', '::ffff:203.0.113.10', false],
  ['0.0.0.0/0', '198.51.100.1', true],
  ['0.0.0.0/0', '2001:db8::1', false],
  ['2001:db8::/32', '2001:db8:ffff::1', true],
  ['2001:db8::/32', '2001:db9::1', false],
  ['2001:db8::1', '2001:0db8:0:0:0:0:0:1', true],
  ['::/0', '2001:db8::1', true],
  ['::/0', '203.0.113.9', false],
  ['203.0.113.0/24', '', false],
  ['203.0.113.0/24', 'unix', false],
])('%s and %s: %s', (range, ip, allowed) => {
  expect(isAddressRange(range)).toBe(true)
  expect(isAddressAllowed([range], ip)).toBe(allowed)
  expect(isAddressAllowed(['192.0.2.1', range], ip)).toBe(allowed)
})

test('an empty list allows every address', () => {
  expect(isAddressAllowed([], '203.0.113.9')).toBe(true)
})

test.each([
  '',
  'localhost',
  '203.0.113',
  '203.0.113.0/33',
  '203.0.113.0/',
  '203.0.113.0/024',
  '203.0.113.0/-1',
  '203.0.113.0/2/4',
  '2001:db8::/129',
  'fe80::1%eth0',
  '203.0.113.256',
  '01.2.3.4',
  '*',
])('%j is no range', (text) => {
  expect(isAddressRange(text)).toBe(false)
})

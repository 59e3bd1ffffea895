import { expect, test } from 'vitest'
import { checkedEoaSignature } from '../../../trading/auth/eoa-signature.ts'
import { CURVE_ORDER } from '../../support/trading/signing-world.ts'

const word = (value: bigint) => value.toString(16).padStart(64, '0')
const signature = (r: bigint, s: bigint, v: string) => `0x${word(r)}${word(s)}${v}`
const HALF = CURVE_ORDER / 2n

test.each([
  ['the least r and s', signature(1n, 1n, '1b')],
  ['the greatest r', signature(CURVE_ORDER - 1n, 1n, '1c')],
  ['the greatest s of the lower half', signature(1n, HALF, '1b')],
])('%s is taken', (_what, text) => {
  const checked = checkedEoaSignature(text)
  expect(typeof checked === 'string' ? checked : Buffer.from(checked).toString('hex')).toBe(text.slice(2))
})

test.each([
  ['s one above the half', signature(1n, HALF + 1n, '1b'), 'upper half'],
  ['s one below the order', signature(1n, CURVE_ORDER - 1n, '1b'), 'upper half'],
  ['s of the order', signature(1n, CURVE_ORDER, '1b'), 's is outside'],
  ['s of zero', signature(1n, 0n, '1b'), 's is outside'],
  ['r of the order', signature(CURVE_ORDER, 1n, '1b'), 'r is outside'],
  ['r past the order', signature(2n ** 256n - 1n, 1n, '1b'), 'r is outside'],
  ['r of zero', signature(0n, 1n, '1b'), 'r is outside'],
  ['v of 26', signature(1n, 1n, '1a'), 'v is 26'],
  ['v of 29', signature(1n, 1n, '1d'), 'v is 29'],
  ['v of 0', signature(1n, 1n, '00'), 'v is 0'],
  ['64 bytes', signature(1n, 1n, ''), '130 hex digits'],
  ['66 bytes', signature(1n, 1n, '1b00'), '130 hex digits'],
])('%s is refused', (_what, text, reason) => {
  expect(checkedEoaSignature(text)).toContain(reason)
})

import { describe, expect, test } from 'vitest'
import { KeyFilter } from '../../../trading/store/key-filter.ts'

const BITS = 2 ** 16
const keyOf = (n: number): readonly string[] => [`acct_${n % 40}`, `nonce-${n}`]

describe('a filter of keys', () => {
  test('says of every key that was added that it may be there, however full it is', () => {
    const filter = new KeyFilter(BITS)
    for (let n = 0; n < 50_000; n += 1) filter.add(0, keyOf(n))
    for (let n = 0; n < 50_000; n += 1) expect(filter.add(0, keyOf(n)), `key ${n}`).toBe(true)
  })

  test('takes few new keys for known ones while it has room', () => {
    const filter = new KeyFilter(BITS)
    let mistaken = 0
    // 16 bits a key: of those added last about one in 400 is taken for a known one, on average one in 2,000.
    for (let n = 0; n < BITS / 16; n += 1) mistaken += filter.add(0, keyOf(n)) ? 1 : 0
    expect(mistaken).toBeLessThan(10)
  })

  test('keeps kinds apart, and where a part ends', () => {
    const filter = new KeyFilter(BITS)
    expect(filter.add(0, ['ab', 'c'])).toBe(false)
    expect(filter.add(1, ['ab', 'c'])).toBe(false)
    expect(filter.add(0, ['a', 'bc'])).toBe(false)
    expect(filter.add(0, ['abc'])).toBe(false)
    expect(filter.add(0, ['ab', 'c'])).toBe(true)
  })
})

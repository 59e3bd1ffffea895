import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { RecentMap } from '../../primitives/recent-map.ts'

const SIZE = 4

/** The keys set last, the newest first, each once. */
function newest(sets: readonly (readonly [number, number])[]): number[] {
  return [...new Set(sets.map(([key]) => key).reverse())]
}

describe('RecentMap', () => {
  test('holds the latest value of the keys set last, and of no more than twice as many', () => {
    const entry = fc.tuple(fc.nat(20), fc.nat())
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 60 }), (sets) => {
        const map = new RecentMap<number, number>(SIZE)
        for (const [key, value] of sets) map.set(key, value)
        const latest = new Map(sets)
        const keys = newest(sets)
        for (const key of keys.slice(0, SIZE)) expect(map.get(key)).toBe(latest.get(key))
        const held = keys.filter((key) => map.get(key) !== undefined)
        expect(held.length).toBeLessThanOrEqual(2 * SIZE)
        for (const key of held) expect(map.get(key)).toBe(latest.get(key))
      }),
    )
  })

  test('a key that is set again does not push others out', () => {
    const map = new RecentMap<string, number>(2)
    map.set('a', 1)
    map.set('b', 2)
    for (let n = 0; n < 10; n += 1) map.set('b', n)
    expect(map.get('a')).toBe(1)
    expect(map.get('b')).toBe(9)
  })
})

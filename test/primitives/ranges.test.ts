import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseRange, ticksIn } from '../../primitives/ranges.ts'

const _range = (from: number, to: number | null) => ({ from, to })

describe('parseRange', () => {
  test('reads two instants', () => {
    expect(parseRange('1970-01-01T00:00:00Z', '1970-01-01T00:00:01Z')).toEqual({ from: 0, to: 1_000_000 })
  })

  test('refuses an empty and a backward range, naming both ends', () => {
    const same = '2026-01-01T00:00:00Z'
    expect(() => parseRange(same, same)).toThrow(`to is ${same}; allowed: an instant after from (${same})`)
    expect(() => parseRange('2026-01-02T00:00:00Z', same)).toThrow(/^to is /)
  })

  test('names the end that is no instant', () => {
    expect(() => parseRange('yesterday', '2026-01-01T00:00:00Z')).toThrow(/^from is "yesterday"/)
    expect(() => parseRange('2026-01-01T00:00:00Z', 'tomorrow')).toThrow(/^to is "tomorrow"/)
  })
})

describe('ticks', () => {
  test('are the multiples of the step from the epoch, the end excluded', () => {
    expect([...ticksIn({ from: 0, to: 30 }, 10)]).toEqual([0, 10, 20])
    expect([...ticksIn({ from: 1, to: 31 }, 10)]).toEqual([10, 20, 30])
    expect([...ticksIn({ from: 11, to: 20 }, 10)]).toEqual([])
    expect([...ticksIn({ from: -15, to: 5 }, 10)]).toEqual([-10, 0])
  })

  test('splitting a range splits its ticks', () => {
    const bound = fc.integer({ min: -1000, max: 1000 })
    fc.assert(
      fc.property(bound, bound, bound, fc.integer({ min: 1, max: 50 }), (a, b, c, step) => {
        const [from, middle, to] = [a, b, c].sort((x, y) => x - y) as [number, number, number]
        const parts = [...ticksIn({ from, to: middle }, step), ...ticksIn({ from: middle, to }, step)]
        expect(parts).toEqual([...ticksIn({ from, to }, step)])
      }),
    )
  })
})

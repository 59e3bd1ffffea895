import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatRange, parseRange, rangeContains, rangesOverlap, ticksIn } from '../../primitives/ranges.ts'

const range = (from: number, to: number | null) => ({ from, to })

describe('half-open', () => {
  test('the start belongs to the range, the end does not', () => {
    expect(rangeContains(range(10, 20), 9)).toBe(false)
    expect(rangeContains(range(10, 20), 10)).toBe(true)
    expect(rangeContains(range(10, 20), 19)).toBe(true)
    expect(rangeContains(range(10, 20), 20)).toBe(false)
    expect(rangeContains(range(10, null), Number.MAX_SAFE_INTEGER)).toBe(true)
  })

  const PAIRS = [
    [range(0, 10), range(10, 20), false],
    [range(0, 11), range(10, 20), true],
    [range(0, null), range(10, 20), true],
    [range(20, null), range(10, 20), false],
    [range(0, null), range(5, null), true],
    [range(12, 13), range(10, 20), true],
  ] as const
  test.each(PAIRS)('%o and %o overlap: %s', (a, b, expected) => {
    expect(rangesOverlap(a, b)).toBe(expected)
    expect(rangesOverlap(b, a)).toBe(expected)
  })

  test('two ranges overlap exactly when some instant lies in both', () => {
    const bounds = fc.tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 1, max: 10 }))
    const anyRange = bounds.map(([from, length]) => range(from, from + length))
    fc.assert(
      fc.property(anyRange, anyRange, (a, b) => {
        const shared = Array.from({ length: 32 }, (_, at) => rangeContains(a, at) && rangeContains(b, at))
        expect(rangesOverlap(a, b)).toBe(shared.includes(true))
      }),
    )
  })
})

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

test('a range is printed with its bounds', () => {
  expect(formatRange(range(0, 1))).toBe('[1970-01-01T00:00:00Z, 1970-01-01T00:00:00.000001Z)')
  expect(formatRange(range(0, null))).toBe('[1970-01-01T00:00:00Z, open)')
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { changeOfKey } from '../../console/charts/chart-keys.ts'
import { describeAt, whenAt } from '../../console/charts/chart-words.ts'
import { compareBars } from '../../console/charts/compare-bars.ts'
import { csvOfLayers } from '../../console/charts/csv.ts'
import { depthOf, depthShape } from '../../console/charts/depth.ts'
import { bucketsIn, fits, intervalFor, usualInterval, wholeBuckets } from '../../console/charts/intervals.ts'
import { type Bar, barsOf, closesOf, columnsOf, type Layer, middleOf } from '../../console/charts/series.ts'
import { isVisible, valueRange, volumeHeight, volumeMax } from '../../console/charts/value-range.ts'
import { dragged, panned, readWindow, wheelFactor, within, writeWindow, zoomed } from '../../console/charts/window.ts'
import { CANDLE_INTERVALS } from '../../vocabulary/market.ts'

const HOUR = 3600
const LIMITS = { from: 0, to: 1_000_000, length_min: 60 }

const priceText = fc.integer({ min: 0, max: 1000 }).map((thousandths) => (thousandths / 1000).toFixed(9))
const barAt = (t: number, fields: Partial<Bar> = {}): Bar => ({
  ...{ t, t_end: t + HOUR, open: '0.5', high: '0.6', low: '0.4', close: '0.55', volume: '10' },
  ...{ is_final: true, observation_count: 3, quality_states: ['valid'] },
  ...fields,
})
const bars = fc.uniqueArray(fc.integer({ min: 0, max: 200 }), { maxLength: 20 }).chain((hours) =>
  fc.tuple(
    ...hours
      .toSorted((a, b) => a - b)
      .map((hour) =>
        fc
          .record({ open: priceText, close: priceText, volume: fc.option(priceText, { nil: null }) })
          .map(({ open, close, volume }) => {
            const [low, high] = [open, close].toSorted() as [string, string]
            return barAt(hour * HOUR, { open, close, low, high, volume })
          }),
      ),
  ),
)
const window = fc
  .tuple(fc.integer({ min: 0, max: 999_000 }), fc.integer({ min: 60, max: 500_000 }))
  .map(([from, length]) => within({ from, to: from + length }, LIMITS))

describe('the window', () => {
  test('stays inside its limits, whatever is done, and a move keeps its length', () => {
    const inside = ({ from, to }: { from: number; to: number }) =>
      from >= LIMITS.from - 1e-6 && to <= LIMITS.to + 1e-6 && to - from >= LIMITS.length_min - 1e-6
    fc.assert(
      fc.property(
        window,
        fc.double({ min: 0.01, max: 100, noNaN: true }),
        fc.double({ min: -3, max: 3, noNaN: true }),
        (shown, factor, share) => {
          const at = shown.from + (shown.to - shown.from) * 0.3
          const moved = panned(shown, share, LIMITS)
          expect(inside(zoomed(shown, at, factor, LIMITS))).toBe(true)
          expect(inside(moved)).toBe(true)
          expect(moved.to - moved.from).toBeCloseTo(shown.to - shown.from, 3)
        },
      ),
    )
  })

  test('a zoom leaves the instant under the pointer where it is, and the opposite zoom returns', () => {
    const wide = { from: -1e9, to: 1e9, length_min: 1 }
    fc.assert(
      fc.property(window, fc.double({ min: 0, max: 1, noNaN: true }), (shown, share) => {
        const at = shown.from + (shown.to - shown.from) * share
        const near = zoomed(shown, at, 0.8, wide)
        expect((at - near.from) / (near.to - near.from)).toBeCloseTo(share, 6)
        const again = zoomed(near, at, 1 / 0.8, wide)
        expect(again.from).toBeCloseTo(shown.from, 3)
        expect(again.to).toBeCloseTo(shown.to, 3)
      }),
    )
  })

  test('a drag selects the same in either direction; the wheel shows less away from the reader', () => {
    expect(dragged(500, 100, LIMITS)).toEqual(dragged(100, 500, LIMITS))
    expect(dragged(100, 110, LIMITS)).toEqual({ from: 100, to: 160 })
    expect([wheelFactor(-100), wheelFactor(0), wheelFactor(100)]).toEqual([0.8, 1, 1.25])
  })

  test('is written to the address and read again; another text is no window', () => {
    fc.assert(
      fc.property(window, (shown) => {
        expect(readWindow(writeWindow(shown))).toEqual(shown)
      }),
    )
    const other = ['P7D', 'all', '', null, 'a/b', '2026-01-02T00:00:00Z/2026-01-01T00:00:00Z', '1/2/3']
    expect(other.map(readWindow)).toEqual(other.map(() => null))
  })
})

describe('intervals', () => {
  test('the usual one is the shortest that fits, and whole buckets cover the window', () => {
    fc.assert(
      fc.property(window, fc.constantFrom(...CANDLE_INTERVALS), (shown, interval) => {
        const usual = usualInterval(shown)
        const shorter = CANDLE_INTERVALS.slice(0, CANDLE_INTERVALS.indexOf(usual))
        expect(shorter.every((one) => bucketsIn(one, shown) > 400)).toBe(true)
        const whole = wholeBuckets(shown, interval)
        expect(whole.from <= shown.from && whole.to >= shown.to).toBe(true)
        expect(intervalFor(interval, shown)).toBe(fits(interval, shown) ? interval : usual)
      }),
    )
    expect(intervalFor('PT2H', { from: 0, to: 86_400 })).toBe('PT5M')
  })
})

describe('layers', () => {
  test('candles become bars with the texts of the API, a missing volume stays missing', () => {
    const candle = {
      ...{ bucket_start: '2026-01-01T00:00:00Z', bucket_end: '2026-01-01T01:00:00Z', open: '0.100000000' },
      ...{ high: '0.3', low: '0.05', close: '0.2', observation_count: 4, coverage_ratio_min: null, volume: null },
      ...{ quality_states: ['valid' as const], methodology_version: null, published_at: 'x', final: false },
    }
    const [bar] = barsOf([candle])
    expect(bar).toMatchObject({ t: 1767225600, t_end: 1767229200, open: '0.100000000', volume: null, is_final: false })
  })

  test('are aligned on the instants of all: each value once, nothing where a layer has nothing', () => {
    fc.assert(
      fc.property(bars, bars, (a, b) => {
        const layers: Layer[] = [
          { kind: 'candles', name: 'a', ink: 'main', bars: a },
          { kind: 'volume', name: 'b', bars: b },
        ]
        const { xs, cells, ys } = columnsOf(layers)
        expect(xs).toEqual([...new Set([...a, ...b].map(middleOf))].sort((x, y) => x - y))
        expect(cells[0]!.filter((cell) => cell !== undefined)).toEqual(a)
        expect(cells[1]!.filter((cell) => cell !== undefined)).toEqual(b)
        expect(ys[0]!.filter((y) => y !== undefined)).toEqual(a.map(({ close }) => Number(close)))
      }),
    )
  })

  test('a line through closes is interrupted where buckets are missing', () => {
    const points = closesOf([barAt(0), barAt(HOUR), barAt(3 * HOUR)])
    expect(points.map(({ value }) => value)).toEqual(['0.55', '0.55', null, '0.55'])
    expect(points.map(({ t }) => t)).toEqual([1800, 5400, 7200, 12_600])
  })

  test('the vertical axis holds every visible value, above the volumes', () => {
    fc.assert(
      fc.property(bars, window, (some, shown) => {
        const candles: Layer = { kind: 'candles', name: 'a', ink: 'main', bars: some }
        const volume: Layer = { kind: 'volume', name: 'v', bars: some }
        const visible = some.filter((bar) => isVisible(bar, shown))
        const [low, high] = valueRange([candles, volume], shown)
        const tallest = low + (high - low) * 0.24
        for (const bar of visible) {
          expect(Number(bar.high)).toBeLessThanOrEqual(high)
          expect(Number(bar.low)).toBeGreaterThanOrEqual(tallest - 1e-9)
        }
        const max = volumeMax([candles, volume], shown)
        const heights = visible.flatMap((bar) => (bar.volume === null ? [] : [volumeHeight(bar.volume, max)]))
        expect(heights.every((share) => share >= 0 && share <= 0.24)).toBe(true)
        expect(low).toBeLessThan(high)
      }),
    )
  })

  test('no volume is drawn of unknown or zero volumes', () => {
    const unknown: Layer = {
      kind: 'volume',
      name: 'v',
      bars: [barAt(0, { volume: null }), barAt(HOUR, { volume: '0' })],
    }
    expect(volumeMax([unknown], { from: 0, to: 10 * HOUR })).toBe(0)
    expect(volumeHeight('0', 0)).toBe(0)
  })
})

describe('two instants of knowledge', () => {
  test('nothing differs from itself; what differs is found once, on the same side in reverse', () => {
    fc.assert(
      fc.property(bars, bars, (a, b) => {
        expect(compareBars(a, a)).toEqual([])
        const [there, back] = [compareBars(a, b), compareBars(b, a)]
        expect(back.map(({ t, fields }) => [t, fields])).toEqual(there.map(({ t, fields }) => [t, fields]))
        const opposite = { added: 'removed', removed: 'added', changed: 'changed' }
        expect(back.map(({ kind }) => kind)).toEqual(there.map(({ kind }) => opposite[kind]))
        // The differences are what leads from one to the other.
        const patched = new Map(a.map((bar) => [bar.t, bar]))
        for (const { t, after } of there) after === null ? patched.delete(t) : patched.set(t, after)
        expect([...patched.values()].sort((x, y) => x.t - y.t)).toEqual(b)
      }),
    )
  })

  test('digits count, and a volume that became known does', () => {
    const before = [barAt(0, { close: '0.5', volume: null }), barAt(HOUR)]
    const after = [barAt(0, { close: '0.50', volume: '0' }), barAt(HOUR, { quality_states: ['stale'] })]
    expect(compareBars(before, after)).toMatchObject([{ t: 0, kind: 'changed', fields: ['close', 'volume'] }])
  })
})

describe('the CSV file', () => {
  test('has every value with its digits, a missing one empty, and quotes what needs it', () => {
    const layers: Layer[] = [
      { kind: 'candles', name: 'mark, "now"', ink: 'main', bars: [barAt(0, { open: '0.500000000', volume: null })] },
      {
        kind: 'line',
        name: '=1+1',
        ink: 'other',
        points: [
          { t: 60, value: '-0.10' },
          { t: 120, value: null },
        ],
      },
    ]
    expect(csvOfLayers(layers)).toBe(
      [
        'series,bucket_start,bucket_end,open,high,low,close,value,volume,observation_count,final',
        '"mark, ""now""",1970-01-01T00:00:00Z,1970-01-01T01:00:00Z,0.500000000,0.6,0.4,0.55,,,3,true',
        "'=1+1,1970-01-01T00:01:00Z,,,,,,-0.10,,,",
        '',
      ].join('\r\n'),
    )
  })

  test('gives the values of the bars again', () => {
    fc.assert(
      fc.property(bars, (some) => {
        const [, ...lines] = csvOfLayers([{ kind: 'candles', name: 'a', ink: 'main', bars: some }]).split('\r\n')
        const cells = lines.slice(0, -1).map((line) => line.split(','))
        expect(cells.map(([, , , open, high, low, close]) => [open, high, low, close])).toEqual(
          some.map(({ open, high, low, close }) => [open, high, low, close]),
        )
        expect(cells.map((cell) => cell[8])).toEqual(some.map(({ volume }) => volume ?? ''))
      }),
    )
  })
})

describe('keys', () => {
  const layers: Layer[] = [
    { kind: 'candles', name: 'mark', ink: 'main', bars: [0, 1, 2, 3].map((n) => barAt(n * HOUR)) },
  ]
  const columns = columnsOf(layers)
  const whole = { from: 0, to: 4 * HOUR }
  const limits = { ...whole, length_min: 60 }
  const press = (key: string, at = 1, with_shift = false, shown = whole) =>
    changeOfKey(key, with_shift, { columns, at, window: shown, limits, whole })

  test('arrows move between visible values and stop at the ends', () => {
    expect([press('ArrowRight'), press('ArrowLeft', 0), press('End'), press('Home', 3)]).toEqual(
      [2, 0, 3, 0].map((at) => ({ at })),
    )
    expect(press('ArrowRight', 1, false, { from: 0, to: 2 * HOUR })).toEqual({ at: 1 })
  })

  test('plus and minus zoom at the crosshair, Shift moves, 0 shows everything, other keys do nothing', () => {
    const half = { from: HOUR, to: 3 * HOUR }
    expect(press('+')).toEqual({ window: zoomed(whole, 1.5 * HOUR, 0.8, limits) })
    expect(press('-', 1, false, half)).toEqual({ window: zoomed(half, 1.5 * HOUR, 1.25, limits) })
    expect(press('ArrowRight', 1, true, half)).toEqual({ window: panned(half, 0.25, limits) })
    expect(press('0', 1, false, half)).toEqual({ window: whole })
    expect([press('a'), press('Tab'), press('Enter')]).toEqual([null, null, null])
  })

  test('a value is described with its bucket and every digit', () => {
    expect(describeAt(layers, columns, 1)).toBe(
      '1970-01-01 01:00 to 02:00 UTC, mark: open 0.5, high 0.6, low 0.4, close 0.55',
    )
    expect(describeAt(layers, columns, -1)).toBe('no values')
    const day = columnsOf([{ kind: 'candles', name: 'd', ink: 'main', bars: [barAt(0, { t_end: 86_400 })] }])
    expect(whenAt(day, 0)).toBe('1970-01-01')
  })
})

describe('depth of a book', () => {
  const levels = fc.uniqueArray(fc.integer({ min: 1, max: 999 }), { minLength: 1, maxLength: 12 }).chain((prices) =>
    fc.tuple(
      ...prices.map((price) =>
        fc.integer({ min: 1, max: 1_000_000 }).map((cents) => ({
          price: (price / 1000).toFixed(3),
          quantity: (cents / 100).toFixed(2),
        })),
      ),
    ),
  )

  test('is the exact sum of all quantities up to a price, on each side by itself', () => {
    fc.assert(
      fc.property(levels, levels, (bids, asks) => {
        const depth = depthOf({ bids, asks })
        for (const [steps, side] of [
          [depth.bids, bids],
          [depth.asks, asks],
        ] as const)
          for (const [at, step] of steps.entries()) {
            const cents = side
              .slice(0, at + 1)
              .reduce((sum, { quantity }) => sum + BigInt(quantity.replace('.', '')), 0n)
            expect(BigInt(step.depth.replace('.', ''))).toBe(cents)
          }
      }),
    )
  })

  test('is drawn inside its box, cheaper prices further left; without orders there is no shape', () => {
    const box = { width: 100, height: 40 }
    const depth = depthOf({
      bids: [
        { price: '0.40', quantity: '1' },
        { price: '0.30', quantity: '3' },
      ],
      asks: [{ price: '0.50', quantity: '2' }],
    })
    const shape = depthShape(depth, box)!
    expect([shape.x('0.30') < shape.x('0.40'), shape.x('0.40') < shape.x('0.50')]).toEqual([true, true])
    expect(shape.bids).toMatch(/^M[\d.]+ 40H.*V0H0V40Z$/)
    expect(shape.asks).toMatch(/V20H100V40Z$/)
    expect(depthShape(depthOf({ bids: [], asks: [] }), box)).toBeNull()
  })
})

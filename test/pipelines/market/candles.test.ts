import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Candle,
  type CandleRange,
  type CandleRow,
  buildCandles as candlesOf,
  latestPerInterval,
  parseInterval,
  type TradedQuantity,
} from '../../../pipelines/market/candles.ts'
import { isServiceError } from '../../../primitives/errors.ts'
import { durationMicros, toMicros } from '../../../primitives/instants.ts'
import { Candle as CandleSchema } from '../../../protocol/resources/candle.ts'
import { CANDLE_INTERVALS } from '../../../vocabulary/market.ts'
import { DAY, MINUTE, NOW } from '../../support/index-world.ts'

const row = (minute: number, level: string | null, rest: Partial<CandleRow> = {}): CandleRow => ({
  tick_at: NOW + minute * MINUTE,
  source_cutoff_at: NOW + minute * MINUTE,
  level,
  quality_state: 'valid',
  coverage_ratio: '1.000000',
  published_at: NOW + minute * MINUTE + 5,
  row_ordinal: 0,
  methodology_version: '1.0.0',
  ...rest,
})
/** Candles of a range that is over, with no trades known. */
const buildCandles = (rows: readonly CandleRow[], range: CandleRange): Candle[] =>
  candlesOf(rows, range, { at: Number.MAX_SAFE_INTEGER, trades: null })
const HOUR_RANGE = { from: NOW, to: NOW + 60 * MINUTE, interval: 'PT5M' } as const

describe('buckets', () => {
  test('are half-open: the row at the end belongs to the next one', () => {
    const candles = buildCandles([row(0, '1.0000'), row(4, '2.0000'), row(5, '3.0000')], HOUR_RANGE)
    expect(candles.map((c) => [c.bucket_start.slice(11, 16), c.bucket_end.slice(11, 16), c.close])).toEqual([
      ['00:00', '00:05', '2.0000'],
      ['00:05', '00:10', '3.0000'],
    ])
  })

  test('the range is half-open too: a row at its end is outside', () => {
    const range = { from: NOW, to: NOW + 3 * MINUTE, interval: 'PT5M' } as const
    expect(buildCandles([row(0, '1.0000'), row(3, '9.0000')], range)[0]).toMatchObject({ close: '1.0000' })
  })

  test('are aligned to the Unix epoch, wherever the range begins', () => {
    const range = { from: NOW + 2 * MINUTE, to: NOW + 3 * DAY, interval: 'P1D' } as const
    const [first] = buildCandles([row(1, '9.0000'), row(3, '1.0000')], range)
    expect(first).toMatchObject({
      bucket_start: '2026-11-21T00:00:00Z',
      bucket_end: '2026-11-22T00:00:00Z',
      open: '1.0000',
    })
  })

  test('an empty one is omitted (P4), and so is one with states but no price', () => {
    const quiet = [row(10, null, { quality_state: 'suspended' }), row(20, '1.0000', { quality_state: 'stale' })]
    expect(buildCandles([row(0, '1.0000'), ...quiet], HOUR_RANGE)).toHaveLength(1)
    expect(buildCandles([], HOUR_RANGE)).toEqual([])
  })
})

describe('prices', () => {
  test('a stale row repeats an old level: it gives its state, in the bucket of its tick, and no price', () => {
    const stale = row(7, '9.0000', { source_cutoff_at: NOW, quality_state: 'stale', coverage_ratio: '0.000000' })
    const [first, second] = buildCandles([row(0, '1.0000'), stale, row(8, '2.0000')], HOUR_RANGE)
    expect(first).toMatchObject({ high: '1.0000', observation_count: 1, quality_states: ['valid'] })
    expect(second).toMatchObject({ high: '2.0000', coverage_ratio_min: '1.000000', quality_states: ['valid', 'stale'] })
  })

  test('open and close go by source time, then publication, then place in the commit', () => {
    const at = { published_at: NOW + 9 }
    const same = [row(1, '3.0000', { ...at, row_ordinal: 2 }), row(1, '2.0000', { ...at, row_ordinal: 1 })]
    const [candle] = buildCandles([...same, row(1, '1.0000', { published_at: NOW + 8 })], HOUR_RANGE)
    expect(candle).toMatchObject({ open: '1.0000', close: '3.0000' })
    const [late] = buildCandles(
      [row(2, '1.0000', { published_at: NOW }), row(1, '2.0000', { published_at: NOW + DAY })],
      HOUR_RANGE,
    )
    expect(late).toMatchObject({ open: '2.0000', close: '1.0000', published_at: '2026-11-22T00:00:00Z' })
  })

  test('high and low compare numbers, not text', () => {
    const [candle] = buildCandles([row(0, '9.0000'), row(1, '10.0000'), row(2, '-1.0000')], HOUR_RANGE)
    expect(candle).toMatchObject({ high: '10.0000', low: '-1.0000' })
  })

  test('states are listed once each, in the order of the enum', () => {
    const states = ['corrected', 'suspended', 'degraded', 'valid', 'valid', 'indicative']
    const rows = states.map((quality_state, i) =>
      row(i % 5, quality_state === 'suspended' ? null : '1.0000', { quality_state }),
    )
    expect(buildCandles(rows, HOUR_RANGE)[0]!.quality_states).toEqual([
      'valid',
      'indicative',
      'degraded',
      'suspended',
      'corrected',
    ])
  })

  test('the methodology version is the one in force at the close', () => {
    const rows = [row(3, '1.0000', { methodology_version: '2.0.0' }), row(0, '1.0000')]
    expect(buildCandles(rows, HOUR_RANGE)[0]!.methodology_version).toBe('2.0.0')
  })
})

test('latest per interval: the last priced row of each bucket, whole', () => {
  const rows = [row(0, '1.0000'), row(3, '2.0000'), row(4, null, { quality_state: 'suspended' }), row(9, '3.0000')]
  expect(latestPerInterval(rows, HOUR_RANGE)).toEqual([rows[1], rows[3]])
})

test.each(['PT2M', 'P2D', '', 'pt1m'])('%s is refused with the intervals there are', (interval) => {
  const refused = (() => {
    try {
      return parseInterval(interval)
    } catch (error) {
      return error
    }
  })()
  expect(isServiceError(refused, 'VALIDATION_DURATION_INVALID')).toBe(true)
  expect(String(refused)).toContain(`interval is ${JSON.stringify(interval)}; allowed: PT1M, PT5M, PT15M, PT1H, P1D`)
})

const anyRow = fc
  .record({
    minute: fc.nat(3000),
    level: fc.option(fc.nat(999_999), { freq: 5 }),
    quality_state: fc.constantFrom('valid', 'degraded', 'stale', 'indicative'),
    row_ordinal: fc.nat(3),
  })
  .map(({ minute, level, quality_state, row_ordinal }) =>
    row(minute, level === null ? null : (level / 10_000).toFixed(4), {
      quality_state: level === null ? 'suspended' : quality_state,
      row_ordinal,
    }),
  )

describe('for any rows and interval', () => {
  const cases = fc.tuple(
    fc.uniqueArray(anyRow, { selector: (r) => r.tick_at, maxLength: 60 }),
    fc.constantFrom(...CANDLE_INTERVALS),
  )
  const range = (interval: (typeof CANDLE_INTERVALS)[number]) => ({
    from: NOW + 100 * MINUTE,
    to: NOW + 2900 * MINUTE,
    interval,
  })

  test('low <= open, close <= high; counts add up to the priced rows of the range', () => {
    fc.assert(
      fc.property(cases, ([rows, interval]) => {
        const { from, to } = range(interval)
        const candles = buildCandles(rows, range(interval))
        for (const c of candles) expect([c.open, c.close].every((v) => +v >= +c.low && +v <= +c.high)).toBe(true)
        const priced = rows.filter(
          (r) => r.level !== null && r.quality_state !== 'stale' && r.tick_at >= from && r.tick_at < to,
        )
        expect(candles.reduce((sum, c) => sum + c.observation_count, 0)).toBe(priced.length)
        expect(candles.every((c) => toMicros(c.bucket_start) % durationMicros(interval) === 0)).toBe(true)
        expect(latestPerInterval(rows, range(interval)).map((r) => r.level)).toEqual(candles.map((c) => c.close))
      }),
    )
  })

  test('neither the order of the rows nor a row outside the range matters', () => {
    fc.assert(
      fc.property(cases, ([rows, interval]) => {
        const outside = [row(50, '77.0000'), row(2950, '77.0000')]
        expect(buildCandles([...outside, ...rows].reverse(), range(interval))).toEqual(
          buildCandles(rows, range(interval)),
        )
      }),
    )
  })
})

describe('finality', () => {
  const rows = [1, 6, 11].map((minute) => row(minute, '1.0000'))
  const finals = (range: CandleRange, at: number) => candlesOf(rows, range, { at, trades: null }).map((c) => c.final)

  test('a bucket that the range cuts, at either end, is not final', () => {
    const whole = { from: NOW, to: NOW + 15 * MINUTE, interval: 'PT5M' } as const
    expect(finals(whole, NOW + DAY)).toEqual([true, true, true])
    expect(finals({ ...whole, from: NOW + 1 }, NOW + DAY)).toEqual([false, true, true])
    expect(finals({ ...whole, to: NOW + 15 * MINUTE - 1 }, NOW + DAY)).toEqual([true, true, false])
  })

  test('a bucket is open until its end, exclusive', () => {
    expect(finals(HOUR_RANGE, NOW + 10 * MINUTE)).toEqual([true, true, false])
    expect(finals(HOUR_RANGE, NOW + 10 * MINUTE - 1)).toEqual([true, false, false])
  })
})

test('fields have the order of the contract, which is that of the columns of a table', () => {
  const [candle] = buildCandles([row(0, '0.5')], HOUR_RANGE)
  expect(Object.keys(candle!)).toEqual(Object.keys(CandleSchema.properties))
})

describe('volume', () => {
  const trade = (minute: number, quantity: string): TradedQuantity => ({ at: NOW + minute * MINUTE, quantity })
  const known = (trades: readonly TradedQuantity[] | null) => ({ at: Number.MAX_SAFE_INTEGER, trades })

  test('is the exact sum of the trades of a bucket inside the range; unknown is null, none is zero', () => {
    const rows = [row(0, '0.5'), row(5, '0.5')]
    const trades = [trade(0, '0.1'), trade(4, '0.2'), trade(60, '9')]
    expect(candlesOf(rows, HOUR_RANGE, known(trades)).map((c) => c.volume)).toEqual(['0.300000', '0.000000'])
    expect(candlesOf(rows, HOUR_RANGE, known(null)).map((c) => c.volume)).toEqual([null, null])
  })

  test('candles of trades are a fold of the trades', () => {
    const trades = fc.array(
      fc.record({
        second: fc.integer({ min: 0, max: 3599 }),
        cents: fc.integer({ min: 1, max: 99 }),
        lots: fc.nat(999),
      }),
      { maxLength: 40 },
    )
    fc.assert(
      fc.property(trades, (drawn) => {
        const rows = drawn.map(({ second, cents }, row_ordinal) => {
          const at = NOW + second * 1_000_000
          return row(0, `0.${String(cents).padStart(2, '0')}`, { tick_at: at, source_cutoff_at: at, row_ordinal })
        })
        const sizes = drawn.map(({ second, lots }) => ({ at: NOW + second * 1_000_000, quantity: `${lots}.5` }))
        for (const candle of candlesOf(rows, HOUR_RANGE, known(sizes))) {
          const [start, end] = [toMicros(candle.bucket_start), toMicros(candle.bucket_end)]
          const own = drawn
            .map((one, ordinal) => ({ ...one, ordinal }))
            .filter(({ second }) => NOW + second * 1_000_000 >= start && NOW + second * 1_000_000 < end)
            .sort((a, b) => a.second - b.second || a.ordinal - b.ordinal)
          const cents = own.map((one) => one.cents)
          expect(candle.observation_count).toBe(own.length)
          expect([candle.open, candle.close].map((text) => Number(text.slice(2)))).toEqual([cents[0], cents.at(-1)])
          expect([candle.low, candle.high].map((text) => Number(text.slice(2)))).toEqual([
            Math.min(...cents),
            Math.max(...cents),
          ])
          expect(Number(candle.volume)).toBe(own.reduce((sum, { lots }) => sum + lots + 0.5, 0))
        }
      }),
    )
  })

  test('values without a methodology or coverage have null there', () => {
    const [candle] = buildCandles([row(0, '0.5', { coverage_ratio: null, methodology_version: null })], HOUR_RANGE)
    expect(candle).toMatchObject({ coverage_ratio_min: null, methodology_version: null })
  })
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { integerParameters } from '../../../../pipelines/index/exact/integer-parameters.ts'
import { OutlierFilter } from '../../../../pipelines/index/exact/outlier-filter.ts'
import { decodeParameters, resolveParameters } from '../../../../pipelines/index/parameters.ts'
import { C_RULE, type Mark } from '../../../../pipelines/market/mark.ts'
import { filterOutlier, NO_OUTLIER_STATE, outlierWindow } from '../../../../pipelines/market/outlier.ts'
import { Decimal, formatDecimal } from '../../../../primitives/decimal.ts'
import { MARK_RULES } from '../../../../vocabulary/index-level.ts'
import { sized } from '../../../support/sized.ts'
import { MINUTE } from './support/random-data.ts'
import { versionOfParameters } from './support/random-spec.ts'

const sheet = fc.record({
  'outlier.window': fc.constantFrom('11', '6', '2', '1'),
  'outlier.min_n': fc.constantFrom('5', '2', '1'),
  'outlier.k': fc.constantFrom('5', '2.5', '0.333', '0'),
  'outlier.floor': fc.constantFrom('0.01', '0.0000005', '0'),
  'outlier.confirm_n': fc.constantFrom('3', '2', '1'),
  'outlier.band': fc.constantFrom('0.02', '0'),
  'outlier.window_max_age': fc.constantFrom('PT1H', 'PT3M'),
})
/** Marks in 1e-6: steps of up to 0.03, spikes, and the same observation again. */
const steps = fc.array(
  fc.record({
    step: fc.oneof(
      fc.integer({ min: -30_000, max: 30_000 }),
      fc.constantFrom(0, 50_000, -50_000, 50_001, 25_000, 25_001),
    ),
    spike: fc.option(fc.integer({ min: 0, max: 1_000_000 }), { freq: 5, nil: null }),
    repeated: fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
    minutes: fc.integer({ min: 0, max: 2 }),
  }),
  { minLength: 1, maxLength: 60 },
)

test('every decision, and the numbers behind every refusal, are the reference filter’s', () => {
  fc.assert(
    fc.property(sheet, steps, (texts, items) => {
      const parameters = decodeParameters(resolveParameters(texts))
      const p = integerParameters(versionOfParameters(parameters)).outlier
      const filter = new OutlierFilter()
      let state = NO_OUTLIER_STATE
      let cutoff = 0
      let value = 400_000
      let key = 0
      for (const item of items) {
        cutoff += item.minutes * MINUTE
        if (!item.repeated || key === 0) {
          value = item.spike ?? Math.min(1_000_000, Math.max(0, value + item.step))
          key += 8
        }
        const decision = filterOutlier(mark(value, key, cutoff), state, cutoff, parameters.outlier, [])
        state = decision.state
        expect(filter.admit({ ...INTEGER, value, key, confirmed_at: cutoff }, cutoff, p, false)).toBe(decision.accepted)
        if (decision.accepted) continue
        const { median, limit } = filter.refusal(p)
        expect(formatDecimal(median, 6)).toBe(formatDecimal(decision.window!.median, 6))
        expect(formatDecimal(limit, 6)).toBe(formatDecimal(decision.limit!, 6))
      }
    }),
    { numRuns: sized(150, 1500) },
  )
})

test('worked example E6: the window’s numbers, .468 pending and .461 accepted', () => {
  const window = [412, 415, 410, 418, 414, 411, 416, 413, 415, 412, 417].map((m) => m * 1000)
  const parameters = decodeParameters(resolveParameters({}))
  const p = integerParameters(versionOfParameters(parameters)).outlier
  const filter = new OutlierFilter()
  window.forEach((value, i) => {
    expect(filter.admit({ ...INTEGER, value, key: 8 * i }, 0, p, false)).toBe(true)
  })
  const copy = filter.clone()
  expect(filter.admit({ ...INTEGER, value: 468_000, key: 800 }, 0, p, false)).toBe(false)
  expect(formatDecimal(filter.refusal(p).median, 6)).toBe('0.414000')
  expect(formatDecimal(filter.refusal(p).limit, 6)).toBe('0.050000')
  expect(copy.admit({ ...INTEGER, value: 461_000, key: 800 }, 0, p, false)).toBe(true)
  const reference = outlierWindow(
    window.map((value, i) => mark(value, 8 * i, 0)),
    parameters.outlier,
  )
  expect(reference.mad.toFixed(6)).toBe('0.002000')
})

const INTEGER = { rule: MARK_RULES.indexOf('M1'), value: 0, c: 100, confirmed_at: 0, source_at: 0, key: 0 }

function mark(value: number, key: number, at: number): Mark {
  return {
    rule: 'M1',
    origin_rule: 'M1',
    value: new Decimal(value).div(1_000_000),
    c_rule: C_RULE.M1,
    source_at: at,
    confirmed_at: at,
    cutoff_at: at,
    source_ids: [`obs_${key}.bid`, `obs_${key}.ask`],
    derivation_rule: null,
  }
}

import '../../support/fast-check.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { columnsOf } from '../../../pipelines/governance/impact/level-columns.ts'
import { ruledBy } from '../../../pipelines/governance/impact/side-specs.ts'
import type { LegData } from '../../../pipelines/index/admission.ts'
import { admissionOf, legsOf } from '../../../pipelines/index/admit.ts'
import type { TickResult } from '../../../pipelines/index/calculate.ts'
import { quietAdmission } from '../../../pipelines/index/quiet-admission.ts'
import { type Admission, indexSeries } from '../../../pipelines/index/series.ts'
import type { IndexSpec } from '../../../pipelines/index/version.ts'
import { outlierWindow } from '../../../pipelines/market/outlier.ts'
import { Decimal as D, medianDecimal } from '../../../primitives/decimal.ts'
import { randomMarket, versionOf } from '../../support/impact-world.ts'
import {
  DAY,
  HOUR,
  legData,
  MINUTE,
  mark,
  marketState,
  NOW,
  parameters,
  resolution,
} from '../../support/index-world.ts'

/** A random market: some of them resolve, close, pause, or have another outcome. */
function market(seed: number): LegData {
  const base = randomMarket(seed)
  const at = NOW + (seed % 7) * 5 * HOUR
  switch (seed % 5) {
    case 0:
      return { ...base, resolutions: [resolution(at, '1', { final_at: at + HOUR })] }
    case 1:
      return { ...base, states: [marketState(NOW - DAY, 'open'), marketState(at, 'paused')] }
    case 2:
      return { ...base, states: [marketState(NOW - DAY, 'open', { closes_at: at }), marketState(at + HOUR, 'closed')] }
    case 3:
      return { ...legData([]), other: base.quotes }
    default:
      return base
  }
}

/** Fields of a tick that its number or state follows from. */
const factsOf = ({ version: _same, constituents, ...facts }: TickResult) => ({
  ...facts,
  link_factor: facts.link_factor?.toFixed(),
  used_weight: facts.used_weight.toFixed(),
  inputs: constituents.map((one) => [
    one.x?.toFixed(),
    one.freshness,
    one.confidence.toFixed(),
    one.mark_rule,
    one.reasons,
  ]),
})

const worlds = fc.record({
  seed: fc.integer({ min: 1, max: 10_000 }),
  frequency: fc.constantFrom('PT5M', 'PT20M'),
  parameters: fc.constantFrom<Record<string, string>>(
    {},
    { 'fresh.stale_after': 'PT3H', 'fresh.max_carry': 'PT6H', settle_from: 'final_at' },
    { 'outlier.window_max_age': 'P2D', 'mark.book_max_age': 'PT2H', 'outlier.floor': '0.0001', 'outlier.k': '1' },
  ),
})

test('a leg that is not evaluated anew gives what a new evaluation gives, to the last digit', () => {
  let repeated = 0
  fc.assert(
    fc.property(worlds, ({ seed, frequency, parameters: given }) => {
      const weights = { a: '0.4', b: '0.3', c_inverse: '0.3' }
      const rest = { calculation_frequency: frequency }
      const { index, version } = versionOf({ weights, parameters: { mode: 'gauge', ...given }, rest })
      const spec: IndexSpec = ruledBy(index, version, NOW - DAY)
      const data = new Map(legsOf(spec).map((leg, i) => [leg.key, market(seed + i * 31)]))
      const ticks = (admission: Admission) =>
        [...indexSeries(spec, admission, { to: NOW + 2 * DAY })].map(({ result }) => result)
      const [plain, quiet] = [ticks(admissionOf(data)), ticks(quietAdmission(admissionOf(data)))]
      expect(quiet.map(factsOf)).toEqual(plain.map(factsOf))
      expect(columnsOf(quiet)).toEqual(columnsOf(plain))
      const markOf = (tick: TickResult | undefined) => tick?.constituents[0]?.used[0]?.evaluation
      repeated += quiet.filter(
        (tick, i) => i > 0 && markOf(tick) !== undefined && markOf(tick) === markOf(quiet[i - 1]),
      ).length
    }),
    { numRuns: 8 },
  )
  expect(repeated).toBeGreaterThan(100)
})

test('the window of the filter is that of decimals: median, distances and sigma, exact', () => {
  const units = fc.array(fc.integer({ min: 0, max: 1_000_000 }), { minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(units, (values) => {
      const p = parameters().outlier
      const marks = values.map((unit, i) => mark(new D(unit).div(1_000_000).toFixed(6), NOW + i * MINUTE))
      const median = medianDecimal(marks.map(({ value }) => value))
      const mad = medianDecimal(marks.map(({ value }) => value.minus(median).abs()))
      const window = outlierWindow(marks, p)
      expect([window.median, window.mad, window.sigma].map((one) => one.toFixed())).toEqual(
        [median, mad, D.max(mad.times('1.4826'), p.floor)].map((one) => one.toFixed()),
      )
    }),
  )
})

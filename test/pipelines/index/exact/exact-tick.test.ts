import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { admissionOf } from '../../../../pipelines/index/admit.ts'
import { type LastLevel, OPEN_GATE, type TickResult } from '../../../../pipelines/index/calculate.ts'
import { compareTwin } from '../../../../pipelines/index/exact/compare-twin.ts'
import { exactSeries } from '../../../../pipelines/index/exact/exact-series.ts'
import { exactTick } from '../../../../pipelines/index/exact/exact-tick.ts'
import { twinInputs } from '../../../../pipelines/index/exact/twin-inputs.ts'
import { indexSeries } from '../../../../pipelines/index/series.ts'
import type { IndexSpec } from '../../../../pipelines/index/version.ts'
import { isServiceError } from '../../../../primitives/errors.ts'
import { MINUTE, START } from './support/random-data.ts'
import { randomSpec } from './support/random-spec.ts'
import { randomWorld } from './support/random-world.ts'
import type { Legs } from './support/step-texts.ts'

const OPTIONS = { to: START + 32 * MINUTE }

test('from the published strings alone the twin has the same level, contributions, ratios and state', () => {
  fc.assert(
    fc.property(randomSpec, randomWorld, (spec, legs) => {
      for (const { result, before } of ticksOf(spec, legs)) {
        const twin = exactTick(twinInputs(result, before, OPEN_GATE))
        expect(compareTwin(result, twin)).toBeNull()
      }
    }),
    { numRuns: 60 },
  )
}, 120_000)

test('the twin series agrees in its lists too', () => {
  fc.assert(
    fc.property(randomSpec, randomWorld, (spec, legs) => {
      const ticks = ticksOf(spec, legs)
      const twins = exactSeries(spec, (leg) => legs.get(leg.key)!, OPTIONS)
      for (const { result } of ticks) expect(compareTwin(result, twins.next().value!.result)).toBeNull()
    }),
    { numRuns: 30 },
  )
}, 120_000)

describe('a difference is named by its first field, with both values', () => {
  const [spec, legs] = fc.sample(fc.tuple(randomSpec, randomWorld), { seed: 7, numRuns: 40 }).find(isPricedWorld)!
  const { result, before } = ticksOf(spec, legs).find(({ result: { level } }) => level !== null)!
  const inputs = twinInputs(result, before, OPEN_GATE)

  test('a level off by one unit', () => {
    const level = result.level!
    expect(compareTwin({ ...result, level: '0.0001' }, { ...exactTick(inputs), level })).toBe(
      `level: 0.0001, twin ${level}`,
    )
  })

  test('a weight that is not the published one', () => {
    const [first, ...rest] = inputs.constituents
    const wrong = exactTick({ ...inputs, constituents: [{ ...first!, w: '0.0000000001' }, ...rest] })
    expect(compareTwin(result, wrong)).not.toBeNull()
  })

  test('an operator halt that the reference did not see', () => {
    const halted = exactTick({ ...inputs, gate: { halted: true, scheduled: false } })
    expect(compareTwin(result, halted)).toMatch(/^level: |^quality_state: /)
  })
})

type Tick = { readonly result: TickResult; readonly before: LastLevel | null }

/** The reference's ticks, each with the last level before it; an error ends them. */
function ticksOf(spec: IndexSpec, legs: Legs): Tick[] {
  const ticks: Tick[] = []
  let before: LastLevel | null = null
  try {
    for (const { result } of indexSeries(spec, admissionOf(legs), OPTIONS)) {
      ticks.push({ result, before })
      if (result.level !== null && result.quality_state !== 'stale')
        before = { level: result.level, source_cutoff_at: result.tick_at }
    }
  } catch (error) {
    if (!isServiceError(error)) throw error
  }
  return ticks
}

function isPricedWorld([spec, legs]: readonly [IndexSpec, Legs]): boolean {
  return ticksOf(spec, legs).some(({ result }) => result.level !== null && result.constituents.length > 1)
}

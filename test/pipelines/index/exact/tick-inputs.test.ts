import fc from 'fast-check'
import { expect, test } from 'vitest'
import { admissionOf } from '../../../../pipelines/index/admit.ts'
import { exactSeries } from '../../../../pipelines/index/exact/exact-series.ts'
import { tickInputs } from '../../../../pipelines/index/exact/tick-inputs.ts'
import { buildObservation } from '../../../../pipelines/index/observation.ts'
import { indexSeries } from '../../../../pipelines/index/series.ts'
import { FIRST_REVISION } from '../../../../primitives/append-only.ts'
import { SEED } from '../../../support/seed.ts'
import { sized } from '../../../support/sized.ts'
import { MINUTE, START } from './support/random-data.ts'
import { randomSpec } from './support/random-spec.ts'
import { randomWorld } from './support/random-world.ts'

const TO = START + 32 * MINUTE
const PUBLICATION = { ...FIRST_REVISION, index_id: 'idx_random', unit: 'index_points', calculated_at: TO }

test('every string of every input is the one that would be published, over random versions and worlds', () => {
  let missing = 0
  let unpriced = 0
  fc.assert(
    fc.property(randomSpec, randomWorld, (spec, legs) => {
      const published = seriesOr(() => [...indexSeries(spec, admissionOf(legs), { to: TO })])
      const exact = seriesOr(() => [...exactSeries(spec, (leg) => legs.get(leg.key)!, { to: TO })])
      expect(exact.length).toBe(published.length)
      published.forEach(({ result }, i) => {
        const inputs = tickInputs(exact[i]!.result)
        const wanted = buildObservation(result, PUBLICATION).inputs
        expect(inputs).toEqual(
          inputs.map((input, at) =>
            Object.fromEntries(Object.keys(input).map((key) => [key, wanted[at]?.[key as keyof typeof input]])),
          ),
        )
        expect(inputs.length).toBe(wanted.length)
        if (
          inputs.some(({ normalized_value }) => normalized_value === null) &&
          result.source_cutoff_at === result.tick_at
        )
          missing += 1
        if (inputs.every(({ contribution }) => contribution === null)) unpriced += 1
      })
    }),
    { numRuns: sized(20, 60), seed: SEED, endOnFailure: true },
  )
  expect([missing > 50, unpriced > 50]).toEqual([true, true])
}, 120_000)

/** A world whose link is refused has no ticks here; both engines refuse the same ones. */
function seriesOr<T>(series: () => T[]): T[] {
  try {
    return series()
  } catch {
    return []
  }
}

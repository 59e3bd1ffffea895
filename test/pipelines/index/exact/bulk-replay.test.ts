import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type BulkTick, bulkReplay } from '../../../../pipelines/index/exact/bulk-replay.ts'
import { exactSeries } from '../../../../pipelines/index/exact/exact-series.ts'
import type { LinkRecord } from '../../../../pipelines/index/series.ts'
import type { IndexSpec } from '../../../../pipelines/index/version.ts'
import { isServiceError } from '../../../../primitives/errors.ts'
import type { Micros } from '../../../../primitives/instants.ts'
import { SEED } from '../../../support/seed.ts'
import { sized } from '../../../support/sized.ts'
import { denseLegData, MINUTE, START } from './support/random-data.ts'
import { LEG_NAMES, randomPlainSpec, randomSpec } from './support/random-spec.ts'
import { randomWorld } from './support/random-world.ts'
import type { Legs } from './support/step-texts.ts'

const TO = START + 32 * MINUTE

test('columns say the same as the series, tick by tick, over random plain versions and inputs', () => {
  fc.assert(
    fc.property(randomPlainSpec, randomWorld, (spec, legs) => expectSame(spec, legs, TO)),
    { numRuns: sized(25, 300), seed: SEED, endOnFailure: true },
  )
}, 300_000)

test('and over markets that send a book a minute, across blocks and versions', () => {
  const MINUTES = 1400
  const dense = fc
    .tuple(...LEG_NAMES.map((name) => denseLegData(name, MINUTES)))
    .map((legs): Legs => new Map(legs.map((leg, i) => [LEG_NAMES[i]!, leg])))
  fc.assert(
    fc.property(randomPlainSpec, dense, fc.integer({ min: 30, max: 900 }), (spec, legs, second) => {
      const minutely = spec.versions.map((version, i) => ({
        ...version,
        frequency: MINUTE,
        effective_from: START + (i === 0 ? 0 : (second + i) * MINUTE),
        effective_to: i === spec.versions.length - 1 ? null : START + (second + i + 1) * MINUTE,
      }))
      expectSame({ ...spec, versions: minutely }, legs, START + MINUTES * MINUTE)
    }),
    { numRuns: sized(6, 60), seed: SEED, endOnFailure: true },
  )
}, 300_000)

describe('what it does not replay', () => {
  test('is answered with null, not with something else', () => {
    fc.assert(
      fc.property(randomSpec, randomWorld, (spec, legs) => {
        const common = spec.versions.every(
          (v) =>
            v.fixing === null && v.constituents.every((c) => ['probability_0_1', 'inverse'].includes(c.normalization)),
        )
        fc.pre(!common)
        expect(bulkReplay(spec, (leg) => legs.get(leg.key)!, { to: TO })).toBeNull()
      }),
      { numRuns: 20, seed: SEED, endOnFailure: true },
    )
  })
})

function expectSame(spec: IndexSpec, legs: Legs, to: Micros): void {
  const bulk = bulkTexts(spec, legs, to)
  const series = seriesTexts(spec, legs, to)
  const first = series.findIndex((text, i) => text !== bulk[i])
  if (first >= 0) expect(bulk[first]).toEqual(series[first])
  expect(bulk.length).toBe(series.length)
}

function bulkTexts(spec: IndexSpec, legs: Legs, to: Micros): string[] {
  return textsOrError(() => {
    const series = bulkReplay(spec, (leg) => legs.get(leg.key)!, { to })!
    const links = series.links.map(linkText)
    return [...Array.from({ length: series.length }, (_, i) => tickText(series.tick(i))), ...links]
  })
}

function seriesTexts(spec: IndexSpec, legs: Legs, to: Micros): string[] {
  return textsOrError(() => {
    const steps = [...exactSeries(spec, (leg) => legs.get(leg.key)!, { to })]
    const links = steps.flatMap(({ links }) => links.map(linkText))
    return [...steps.map(({ result }) => tickText(result)), ...links]
  })
}

/** An error ends a series after its last tick and a bulk replay altogether, so it stands alone. */
function textsOrError(make: () => string[]): string[] {
  try {
    return make()
  } catch (error) {
    if (isServiceError(error)) return [error.message]
    throw error
  }
}

function tickText(tick: BulkTick): string {
  return [
    tick.tick_at,
    tick.version.version,
    tick.level,
    tick.source_cutoff_at,
    tick.quality_state,
    tick.coverage_ratio,
    tick.confidence,
  ].join(' ')
}

function linkText(link: LinkRecord): string {
  return `${link.version.version} ${link.link_at} ${link.link_factor.toFixed()} ${link.level_at_link} ${link.composition_step}`
}

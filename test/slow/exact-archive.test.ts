import { expect, test } from 'vitest'
import { bulkReplay } from '../../pipelines/index/exact/bulk-replay.ts'
import { exactSeries } from '../../pipelines/index/exact/exact-series.ts'
import { ARCHIVE_END, archiveLegs } from '../pipelines/index/exact/support/archive-legs.ts'
import { archiveSpec } from '../pipelines/index/exact/support/archive-specs.ts'
import { exactTexts, referenceTexts } from '../pipelines/index/exact/support/step-texts.ts'
import { recordedData } from '../support/recorded-data.ts'

const folder = recordedData('forecastbench')
const CONSTITUENTS = 60

test('every market of the recorded archive, in some index, equals the reference', async () => {
  const legs = await archiveLegs(folder)
  const names = [...legs.keys()].sort()
  let ticks = 0
  for (let from = 0; from < names.length; from += CONSTITUENTS) {
    const spec = archiveSpec(1000 + from, names.slice(from, from + CONSTITUENTS))
    const reference = referenceTexts(spec, legs, { to: ARCHIVE_END })
    expect(exactTexts(spec, legs, { to: ARCHIVE_END })).toEqual(reference)
    ticks += reference.length
  }
  expect(ticks).toBeGreaterThan(10_000)
})

test('the bulk replay of the whole archive in one index equals the series', async () => {
  const legs = await archiveLegs(folder)
  const { versions, ...spec } = archiveSpec(7, [...legs.keys()].sort().slice(0, 500))
  const plain = {
    ...spec,
    versions: versions.map((version) => ({
      ...version,
      constituents: version.constituents.map((c) => ({
        ...c,
        normalization: 'probability_0_1' as const,
        legs: c.legs.slice(0, 1),
      })),
    })),
  }
  const bulk = bulkReplay(plain, (leg) => legs.get(leg.key)!, { to: ARCHIVE_END })!
  let i = 0
  for (const { result } of exactSeries(plain, (leg) => legs.get(leg.key)!, { to: ARCHIVE_END })) {
    const { tick_at, level, quality_state, coverage_ratio, confidence, source_cutoff_at } = result
    expect(bulk.tick(i)).toMatchObject({ tick_at, level, quality_state, coverage_ratio, confidence, source_cutoff_at })
    i += 1
  }
  expect(bulk.length).toBe(i)
})

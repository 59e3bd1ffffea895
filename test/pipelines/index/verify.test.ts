import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isAdmitted, type LegData, quoteAt } from '../../../pipelines/index/admission.ts'
import { admissionOf, fixingMark, graceOf, LATE_DATA_GRACE, legsOf } from '../../../pipelines/index/admit.ts'
import { decodeDefinition } from '../../../pipelines/index/definition.ts'
import { type BuiltObservation, buildObservation } from '../../../pipelines/index/observation.ts'
import { recordHash } from '../../../pipelines/index/record-hash.ts'
import { indexSeries, type LinkRecord, type SeriesStep } from '../../../pipelines/index/series.ts'
import { type VerificationRecords, verifyObservation } from '../../../pipelines/index/verify.ts'
import type { IndexSpec } from '../../../pipelines/index/version.ts'
import { FIRST_REVISION, type Revised } from '../../../primitives/append-only.ts'
import { isServiceError } from '../../../primitives/errors.ts'
import { toMicros } from '../../../primitives/instants.ts'
import { definitionFile, legData, legsByKey, specOf } from '../../support/index-world.ts'
import { sized } from '../../support/sized.ts'
import { MINUTE, randomLegData } from './exact/support/random-data.ts'
import { LEG_NAMES, randomSpec } from './exact/support/random-spec.ts'

type Legs = ReadonlyMap<string, LegData>
const world: fc.Arbitrary<Legs> = fc
  .tuple(...LEG_NAMES.map((name) => randomLegData(name)))
  .map((legs) => new Map(legs.map((leg, i) => [LEG_NAMES[i]!, leg])))

/** The series as far as it goes: a link may be refused on the way. `links`: corrected with them and with late records. */
function stepsOf(spec: IndexSpec, legs: Legs, links: readonly LinkRecord[] | null = null): SeriesStep[] {
  const to = spec.base_date + 27 * MINUTE
  const published_links = new Map(links?.map(({ version, link_factor }) => [version.index_version_id, link_factor]))
  const admission = links === null ? admissionOf(legs) : admissionOf(legs, LATE_DATA_GRACE)
  const steps: SeriesStep[] = []
  try {
    for (const step of indexSeries(spec, admission, { to, published_links })) steps.push(step)
  } catch (error) {
    if (!isServiceError(error)) throw error
  }
  return steps
}

const publish = (spec: IndexSpec, { result }: SeriesStep, revised: Revised = FIRST_REVISION): BuiltObservation =>
  buildObservation(result, {
    ...revised,
    index_id: spec.index_id,
    unit: spec.unit,
    calculated_at: result.source_cutoff_at ?? result.tick_at,
  })

/** Returns the records that the warehouse would supply, from the same inputs. */
function recordsOf(
  spec: IndexSpec,
  legs: Legs,
  step: SeriesStep,
  published: readonly BuiltObservation[],
  links: readonly LinkRecord[],
): VerificationRecords {
  const { version } = step.result
  const p = version.methodology.parameters
  const grace = graceOf(published[0]!.revision, version)
  const columns = [...legs.values()].flatMap(({ quotes, other }) => (other === null ? [quotes] : [quotes, other]))
  const legOf = (outcome_id: string) => legs.get(legsOf(spec).find((leg) => leg.outcome_id === outcome_id)!.key)!
  return {
    link_factor: links.find((link) => link.version === version)?.link_factor ?? null,
    versionAt: (cutoff) => spec.versions.findLast((item) => item.effective_from <= cutoff)!,
    quote: (id) => {
      const found = columns
        .flatMap((c) => Array.from({ length: c.length }, (_, row) => [c, row] as const))
        .find(([c, row]) => c.recordId(row) === id)
      return found === undefined ? null : quoteAt(...found)
    },
    resolution: (outcome_id, id) => legOf(outcome_id).resolutions.find((item) => item.evidence_id === id) ?? null,
    fixing: (leg) =>
      version.fixing === null
        ? null
        : fixingMark(legOf(leg.outcome_id), version.fixing, toMicros(leg.mark_cutoff_at), grace, p),
    expectedResolution: (leg, tick) =>
      legs
        .get(leg.key)!
        .states.filter((state) => isAdmitted(state, tick, grace))
        .sort((a, b) => a.source_at - b.source_at || a.received_at - b.received_at || a.revision - b.revision)
        .at(-1)?.expected_resolution_at ?? null,
    levelAt: (cutoff) => published.find((row) => toMicros(row.tick_at) === cutoff)?.level ?? null,
  }
}

const CORRECTED: Revised = { revision: 2, supersedes_id: 'iob_first', correction_reason: 'LATE_DATA' }

/** Mismatches of a series, or of its correction with late records and its published links. */
const mismatchesOf = (spec: IndexSpec, legs: Legs, corrected = false) => {
  const first = stepsOf(spec, legs)
  const first_links = first.flatMap((step) => step.links)
  const steps = corrected ? stepsOf(spec, legs, first_links) : first
  // A published link stays; a version that had no level before gets its first.
  const links = [...first_links, ...steps.flatMap((step) => step.links)]
  const published = steps.map((step) => publish(spec, step, corrected ? CORRECTED : FIRST_REVISION))
  return steps.flatMap(
    (step, i) =>
      verifyObservation(published[i]!, step.result.version, recordsOf(spec, legs, step, published, links)) ?? [],
  )
}

test('every level is recomputed from the records it names, over random versions and inputs', () => {
  const { failed, seed, counterexamplePath, errorInstance } = fc.check(
    fc.property(randomSpec, world, (spec, legs) => {
      expect(mismatchesOf(spec, legs)).toEqual([])
      expect(mismatchesOf(spec, legs, true)).toEqual([])
    }),
    { numRuns: sized(5, 25), endOnFailure: true },
  )
  expect(failed, `seed ${seed}, path ${counterexamplePath}: ${String(errorInstance)}`).toBe(false)
})

test('before the base there is no K, from the base on there is', () => {
  const file = definitionFile([{ constituent_id: 'con_a', target_weight: '1' }], {
    parameters: { mode: 'chain_linked' },
  })
  const spec = specOf(decodeDefinition(file))
  const [key] = [...legsByKey(spec).keys()]
  const begins_at = toMicros('2026-11-21T00:02:00Z')
  const legs = new Map([[key!, legData([{ bid: '0.41', ask: '0.42', source_at: begins_at, record_id: 'obs_a' }])]])
  const steps = stepsOf(spec, legs).slice(0, 4)
  const published = steps.map((step) => publish(spec, step))
  expect(published.map(({ level }) => level)).toEqual([null, null, '1000.0000', '1000.0000'])
  const links = steps.flatMap((step) => step.links)
  const verify = (tick: number, change: Partial<BuiltObservation> = {}) => {
    const step = steps[tick]!
    const records = recordsOf(spec, legs, step, published, links)
    return verifyObservation({ ...published[tick]!, ...change }, step.result.version, records)
  }
  expect(steps.map((_, tick) => verify(tick))).toEqual([null, null, null, null])
  expect(verify(3, { link_factor: null })).toMatchObject({ step: 'link_factor', expected: 'null' })
  expect(verify(0, { link_factor: '1.000000000000' })).toMatchObject({ step: 'link_factor' })
  expect(verify(2, { level: null, link_factor: null })).not.toBeNull()
})

describe('a record that was changed', () => {
  const file = definitionFile([
    { constituent_id: 'con_a', target_weight: '0.6' },
    { constituent_id: 'con_b', target_weight: '0.4', normalization: 'inverse' },
  ])
  const spec = specOf(decodeDefinition(file))
  const [key_a, key_b] = [...legsByKey(spec).keys()]
  const legs = new Map([
    [key_a!, legData([{ bid: '0.41', ask: '0.42', record_id: 'obs_a' }])],
    [key_b!, legData([{ reported_probability: '0.3', record_id: 'obs_b' }])],
  ])
  const [step] = stepsOf(spec, legs)
  const record = publish(spec, step!)
  const verify = (changed: BuiltObservation, data: Legs = legs) =>
    verifyObservation(changed, step!.result.version, recordsOf(spec, data, step!, [record], step!.links))
  const withInput = (change: Partial<BuiltObservation['inputs'][number]>) => ({
    ...record,
    inputs: [{ ...record.inputs[0]!, ...change }, record.inputs[1]!],
  })
  const withLeg = (change: Partial<BuiltObservation['inputs'][number]['legs'][number]>) =>
    withInput({ legs: [{ ...record.inputs[0]!.legs[0]!, ...change }] })

  test('the unchanged one is reproduced', () => {
    expect(record.level).toBe('52.9000')
    expect(verify(record)).toBeNull()
  })

  test.each<[string, BuiltObservation]>([
    ['level', { ...record, level: '52.9001' }],
    ['confidence', { ...record, confidence: '0.8001' }],
    ['coverage_ratio', { ...record, coverage_ratio: '0.999999' }],
    ['link_factor', { ...record, link_factor: '100.000000000001' }],
    ['quality_state', { ...record, quality_state: 'corrected' }],
    ['input_observation_ids', { ...record, input_observation_ids: record.input_observation_ids.slice(1) }],
    ['missing_constituent_ids', { ...record, missing_constituent_ids: ['con_b'] }],
    ['record_hash', { ...record, record_hash: recordHash({ ...record, level: '1.0000' }) }],
    ['inputs: con_a contribution', withInput({ contribution: '24.900000000001' })],
    ['inputs: con_a weight_applied', withInput({ weight_applied: '0.6000000001' })],
    ['value', withLeg({ value: '0.415001' })],
    ['rule', withLeg({ origin_rule: 'M4', mark_rule: 'M4' })],
    ['source_at', withLeg({ source_at: '2026-11-20T23:59:59Z' })],
    ['source', withLeg({ source_observation_ids: ['obs_x.bid'] })],
    ['freshness_class', withLeg({ freshness_class: 'stale' })],
  ])('is found at its first differing step: %s', (place, changed) => {
    expect(verify(changed)?.step.endsWith(place)).toBe(true)
  })

  test('also when it is the source that changed', () => {
    const edited = new Map([...legs, [key_a!, legData([{ bid: '0.41', ask: '0.43', record_id: 'obs_a' }])]])
    expect(verify(record, edited)).toMatchObject({ expected: '0.415000', actual: '0.420000' })
  })
})

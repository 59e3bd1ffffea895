import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { admissionOf } from '../../../pipelines/index/admit.ts'
import { buildObservation } from '../../../pipelines/index/observation.ts'
import { indexSeries, type SeriesStep } from '../../../pipelines/index/series.ts'
import { agreesOnReasons, reasonsOfRecord } from '../../../pipelines/index/state-reasons.ts'
import { ServiceError } from '../../../primitives/errors.ts'
import { EXPLAINED_BY, STATE_REASONS } from '../../../vocabulary/index-level.ts'
import { sized } from '../../support/sized.ts'
import { MINUTE, randomLegData, START } from './exact/support/random-data.ts'
import { LEG_NAMES, randomSpec } from './exact/support/random-spec.ts'

const publication = {
  revision: 1,
  supersedes_id: null,
  correction_reason: null,
  index_id: 'idx_a',
  unit: 'p',
  calculated_at: START,
}
const observe = (result: Parameters<typeof buildObservation>[0], rest = {}) =>
  buildObservation(result, { ...publication, ...rest } as never)
const data = fc.record(Object.fromEntries(LEG_NAMES.map((name) => [name, randomLegData(name)])))

/** The steps of a series until its links fail. */
function* priced(steps: Iterable<SeriesStep>): Generator<SeriesStep> {
  try {
    yield* steps
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
  }
}

describe('random indexes', () => {
  test('every state other than valid has a reason that leads to it, stored or from before', () => {
    const seen = new Set<string>()
    fc.assert(
      fc.property(randomSpec, data, fc.constantFrom(undefined, 'halted', 'scheduled'), (spec, records, gate) => {
        const gated =
          gate === undefined ? {} : { gate: () => ({ halted: gate === 'halted', scheduled: gate === 'scheduled' }) }
        const admission = admissionOf(new Map(Object.entries(records)))
        for (const { result } of priced(indexSeries(spec, admission, { to: START + 30 * MINUTE, ...gated }))) {
          const record = observe(result)
          const state = record.underlying_quality_state
          seen.add(state)
          const explaining = EXPLAINED_BY[state]
          const leads = (codes: readonly string[]) =>
            explaining === null || codes.some((code) => explaining.includes(code))
          expect(leads(record.reason_codes), `${state}: ${record.reason_codes}`).toBe(true)
          const old = { ...record, reason_codes: result.reason_codes }
          expect(leads(reasonsOfRecord(old)), `old ${state}: ${reasonsOfRecord(old)}`).toBe(true)
          expect(reasonsOfRecord(record)).toEqual(record.reason_codes)
          if (gate === undefined)
            expect(agreesOnReasons({ ...old, reason_codes: reasonsOfRecord(old) }, record.reason_codes)).toBe(true)
          if (state === 'valid') expect(record.reason_codes).toEqual(result.reason_codes)
        }
      }),
      { numRuns: sized(8, 200), endOnFailure: true },
    )
    expect([...seen].sort()).toEqual(['degraded', 'indicative', 'stale', 'suspended', 'valid'])
  })

  test('reasons of a state are no part of the id or the hash of a record', () => {
    fc.assert(
      fc.property(randomSpec, data, (spec, records) => {
        const [step] = priced(indexSeries(spec, admissionOf(new Map(Object.entries(records))), { to: START + MINUTE }))
        if (step === undefined) return
        const { observation_id, record_hash, reason_codes } = observe(step.result)
        const own = reason_codes.filter((code) => (STATE_REASONS as readonly string[]).includes(code))
        expect(step.result.reason_codes.filter((code) => own.includes(code))).toEqual([])
        const again = observe({ ...step.result, reason_codes: [...step.result.reason_codes] })
        expect([again.observation_id, again.record_hash]).toEqual([observation_id, record_hash])
      }),
      { numRuns: 10, endOnFailure: true },
    )
  })
})

const record = {
  quality_state: 'degraded',
  underlying_quality_state: 'degraded',
  correction_reason: null,
  coverage_ratio: '0.700000',
  reason_codes: [] as string[],
  missing_constituent_ids: [] as string[],
} as const

test.each([
  [{ missing_constituent_ids: ['con_a'] }, ['CONSTITUENT_MISSING']],
  [{ coverage_ratio: '1.000000' }, ['FALLBACK_WEIGHT_HIGH']],
  [{}, ['COVERAGE_OR_FALLBACK']],
  [{ reason_codes: ['FROZEN', 'VENUE_DISPERSION'] }, ['FROZEN', 'VENUE_DISPERSION']],
  [{ reason_codes: ['FROZEN'], missing_constituent_ids: ['con_a'] }, ['CONSTITUENT_MISSING', 'FROZEN']],
  [{ underlying_quality_state: 'stale' }, ['NO_FRESH_INPUT']],
  [
    { underlying_quality_state: 'indicative', reason_codes: ['OVERROUND:0.010000'] },
    ['CONFIDENCE_LOW', 'OVERROUND:0.010000'],
  ],
  [{ underlying_quality_state: 'suspended', reason_codes: ['ENGINE_MISMATCH:level'] }, ['ENGINE_MISMATCH:level']],
  [
    { quality_state: 'corrected', underlying_quality_state: 'valid', correction_reason: 'RESOLUTION_CORRECTED' },
    ['RESOLUTION_CORRECTED'],
  ],
] as const)('a record from before states had reasons: %j', (rest, reasons) => {
  expect(reasonsOfRecord({ ...record, ...rest } as never)).toEqual(reasons)
})

test('a recomputation agrees where the record leaves out reasons of its state, and nowhere else', () => {
  const computed = ['CONSTITUENT_MISSING', 'COVERAGE_LOW', 'FROZEN']
  const agrees = (...reason_codes: string[]) => agreesOnReasons({ ...record, reason_codes }, computed)
  expect([agrees('FROZEN'), agrees(...computed), agrees('COVERAGE_OR_FALLBACK', 'FROZEN')]).toEqual([true, true, true])
  expect([agrees(), agrees('COVERAGE_LOW'), agrees('FROZEN', 'NO_FRESH_INPUT')]).toEqual([false, false, false])
})

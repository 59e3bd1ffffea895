import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decideQuality, labelQuality, type QualityFacts } from '../../../pipelines/index/quality.ts'
import { QUALITY_STATES } from '../../../vocabulary/index-level.ts'
import { d, parameters } from '../../support/index-world.ts'

const { quality } = parameters()
const GOOD: QualityFacts = {
  halted: false,
  scheduled: false,
  usable_ratio: d('1'),
  coverage_ratio: d('1'),
  confidence: d('1'),
  fallback_ratio: d('0'),
  any_fresh_or_settled: true,
  any_missing: false,
  dispersed: false,
  indicative: false,
  minimum_coverage_ratio: d('0.8'),
}
const state = (facts: Partial<QualityFacts>) => decideQuality({ ...GOOD, ...facts }, quality)

/** The first row that is true rules; each limit is on the better side. Ratios are compared unrounded. */
describe('rows in order', () => {
  test.each<[string, Partial<QualityFacts>, string]>([
    ['nothing is wrong', {}, 'valid'],
    ['halted', { halted: true }, 'suspended'],
    ['usable 0.50', { usable_ratio: d('0.50') }, 'valid'],
    ['usable just under 0.50, though it prints 0.500000', { usable_ratio: d('0.4999999999') }, 'suspended'],
    ['nothing fresh or settled', { any_fresh_or_settled: false }, 'stale'],
    ['coverage just under its minimum, though it prints 0.800000', { coverage_ratio: d('0.7999999999') }, 'degraded'],
    ['a missing constituent', { any_missing: true }, 'degraded'],
    ['venues apart', { dispersed: true }, 'degraded'],
    ['fallback weight 0.40', { fallback_ratio: d('0.40') }, 'valid'],
    ['fallback weight above 0.40', { fallback_ratio: d('0.4000000001') }, 'degraded'],
    ['scheduled', { scheduled: true }, 'indicative'],
    ['a provisional input', { indicative: true }, 'indicative'],
    ['confidence just under 0.60, though it prints 0.6000', { confidence: d('0.59999999') }, 'indicative'],
    ['halted and stale', { halted: true, any_fresh_or_settled: false }, 'suspended'],
    ['stale and degraded', { any_fresh_or_settled: false, any_missing: true }, 'stale'],
    ['degraded and indicative', { any_missing: true, indicative: true }, 'degraded'],
  ])('%s', (_, facts, expected) => {
    expect(state(facts)).toBe(expected)
  })
})

test('only a later revision that would be valid is labeled corrected', () => {
  for (const underlying of QUALITY_STATES) {
    expect(labelQuality(underlying, 1)).toBe(underlying)
    expect(labelQuality(underlying, 2)).toBe(underlying === 'valid' ? 'corrected' : underlying)
  }
})

test('better facts never give a worse state', () => {
  const RANK = ['valid', 'indicative', 'degraded', 'stale', 'suspended']
  const ratio = fc.nat(100).map((n) => d(String(n)).div(100))
  const facts = fc.record({
    usable_ratio: ratio,
    coverage_ratio: ratio,
    confidence: ratio,
    fallback_ratio: ratio,
    any_fresh_or_settled: fc.boolean(),
    any_missing: fc.boolean(),
    dispersed: fc.boolean(),
    indicative: fc.boolean(),
  })
  const better = {
    usable_ratio: d('1'),
    coverage_ratio: d('1'),
    confidence: d('1'),
    fallback_ratio: d('0'),
    any_fresh_or_settled: true,
    any_missing: false,
    dispersed: false,
    indicative: false,
  }
  fc.assert(
    fc.property(facts, fc.constantFrom(...(Object.keys(better) as (keyof typeof better)[])), (given, improved) => {
      const after = state({ ...given, [improved]: better[improved] })
      expect(RANK.indexOf(after)).toBeLessThanOrEqual(RANK.indexOf(state(given)))
    }),
  )
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  dataQuality,
  liquidity,
  manipulationResistance,
  resolutionClarity,
  sourceReliability,
  venueOperationalRisk,
} from '../../../pipelines/rating/components.ts'
import { RATING_PARAMETERS } from '../../../pipelines/rating/methodology.ts'
import { type ComponentScores, type EvidenceFact, rank, rateComponents } from '../../../pipelines/rating/rate.ts'
import { outlookOf, stableBand, watchOf } from '../../../pipelines/rating/stability.ts'
import { wilsonInterval } from '../../../pipelines/rating/wilson.ts'
import { type AssessmentFacts, currentAssessment } from '../../../pipelines/review/current-assessment.ts'
import { Decimal, formatDecimal } from '../../../primitives/decimal.ts'
import { toMicros } from '../../../primitives/instants.ts'
import { RATING_COMPONENTS, type RatingComponent } from '../../../vocabulary/rating.ts'
import { refusal } from '../../support/refusal.ts'

/** Methodology, worked example E11. */
const E11: ComponentScores = {
  resolution_clarity: resolutionClarity({
    points: ['30', '20', '0', '10', '15', '10', '5'],
    disputed_markets: 1,
    resolved_markets: 25,
  }),
  source_reliability: sourceReliability({
    authority: '1',
    availability: '0.995',
    revision_rate: '0.02',
    independent_sources: 2,
  }),
  liquidity: liquidity({ spread: '0.018', depth_usd: '12000', volume_usd: '250000' }),
  manipulation_resistance: manipulationResistance({
    cost_to_move_usd: '8000',
    concentration: '0.18',
    top_trader_share: '0.22',
    wash_share: '0.05',
  }),
  data_quality: dataQuality({
    gap_share: '0.01',
    sequence_gap_share: '0.002',
    crossed_share: '0.001',
    p95_latency_ms: '800',
  }),
  venue_operational_risk: venueOperationalRisk({
    uptime: '0.998',
    regulation: '0.5',
    settlement_delay_h: '18',
    incidents_365d: 2,
  }),
}

const EVIDENCE: readonly EvidenceFact[] = RATING_COMPONENTS.map((component) => ({
  component,
  tier: 'A',
  age_days: '0',
}))
const rate = (change: Partial<ComponentScores> = {}, evidence = EVIDENCE) =>
  rateComponents({ ...E11, ...change }, evidence, RATING_PARAMETERS)

describe('E11: components and composite', () => {
  test('the components are those of the example, to the last digit', () => {
    expect(E11).toEqual({
      resolution_clarity: '88.40',
      source_reliability: '96.12',
      liquidity: '85.68',
      manipulation_resistance: '82.43',
      data_quality: '99.58',
      venue_operational_risk: '32.25',
    })
  })

  test.each([
    ['all present', {}, '86.87', 'MR1', '1.00', []],
    ['source_reliability missing', { source_reliability: null }, '85.24', 'MR2', '0.85', ['COMPONENT_MISSING']],
    ['weak link', { manipulation_resistance: '31.00' }, '76.59', 'MR4', '1.00', ['WEAK_LINK:manipulation_resistance']],
  ] as const)('%s', (_name, change, score, band, weight_present, reason_codes) => {
    expect(rate(change)).toMatchObject({ score, band, weight_present, reason_codes })
  })

  test('a missing required component: not rated, without a score', () => {
    expect(rate({ resolution_clarity: null })).toMatchObject({
      band: 'NR',
      score: null,
      reason_codes: ['MISSING_REQUIRED:resolution_clarity', 'WEIGHT_BELOW_MINIMUM'],
    })
  })

  test('(e) and (f): all 90 and the risk 10 give 90.00; without data_quality the cap binds', () => {
    const ninety = Object.fromEntries(RATING_COMPONENTS.map((name) => [name, '90.00'])) as Record<
      RatingComponent,
      string
    >
    const e = { ...ninety, venue_operational_risk: '10.00' }
    expect(rate(e)).toMatchObject({ score: '90.00', band: 'MR1' })
    expect(rate({ ...e, data_quality: null })).toMatchObject({ score: '90.00', weight_present: '0.90', band: 'MR2' })
  })
})

describe('what is missing is never zero', () => {
  test('a component left out never scores as if it were the worst, and never better than MR2', () => {
    const score = fc.integer({ min: 100, max: 9_900 }).map((n) => formatDecimal(new Decimal(n).div(100), 2))
    const all = fc.record(
      Object.fromEntries(RATING_COMPONENTS.map((name) => [name, score])) as Record<RatingComponent, typeof score>,
    )
    fc.assert(
      fc.property(all, fc.constantFrom(...RATING_COMPONENTS), (components, name) => {
        const without = rate({ ...components, [name]: null })
        const worst = name === 'venue_operational_risk' ? '100.00' : '0.00'
        expect(without.score).not.toBe(rate({ ...components, [name]: worst }).score)
        expect(without.band).not.toBe('MR1')
      }),
    )
  })

  test('unknown parts of manipulation_resistance are left out and the rest reweighted: the cost alone decides', () => {
    const alone = { cost_to_move_usd: '100000', concentration: null, top_trader_share: null, wash_share: null }
    expect(manipulationResistance(alone)).toBe('100.00')
    expect(manipulationResistance({ ...alone, concentration: '1' })).toBe('61.54')
  })
})

describe('evidence', () => {
  test('a component without a recent piece of evidence makes the market NR', () => {
    const old = EVIDENCE.map((one) => (one.component === 'liquidity' ? { ...one, age_days: '30.5' } : one))
    expect(rate({}, old)).toMatchObject({ band: 'NR', score: null, reason_codes: ['EVIDENCE_INSUFFICIENT:liquidity'] })
  })

  test('confidence is weight x tier x freshness', () => {
    const half = EVIDENCE.map((one, place) => ({
      ...one,
      tier: place % 2 === 0 ? ('A' as const) : ('C' as const),
      age_days: '9',
    }))
    expect(rate({}, half).confidence).toBe('0.6750')
  })
})

describe('stability', () => {
  const day = (score: string, band: 'MR1' | 'MR2' | 'MR3') => ({ score, band })
  test.each([
    ['a downgrade comes at once', day('69.00', 'MR3'), 'MR2', day('80.00', 'MR2'), 'MR3'],
    ['the threshold alone is no upgrade', day('86.99', 'MR1'), 'MR2', day('88.00', 'MR1'), 'MR2'],
    ['the margin on one day is no upgrade', day('88.00', 'MR1'), 'MR2', day('86.00', 'MR1'), 'MR2'],
    ['the margin on two days is one', day('87.00', 'MR1'), 'MR2', day('87.00', 'MR1'), 'MR1'],
    ['two bands at once', day('90.00', 'MR1'), 'MR3', day('72.50', 'MR2'), 'MR2'],
    ['a cap of the day before forbids it', day('90.00', 'MR1'), 'MR2', day('90.00', 'MR2'), 'MR2'],
  ] as const)('%s', (_name, today, band, day_before, expected) => {
    expect(stableBand(today, { band, day_before, score_30d: null }, RATING_PARAMETERS)).toBe(expected)
  })

  test('what was not rated takes its band at once, and NR is not held back', () => {
    expect(stableBand(day('90.00', 'MR1'), { band: null, day_before: null, score_30d: null }, RATING_PARAMETERS)).toBe(
      'MR1',
    )
    const nr = { band: 'NR', score: null } as const
    expect(stableBand(nr, { band: 'MR1', day_before: null, score_30d: null }, RATING_PARAMETERS)).toBe('NR')
  })

  test('watch is negative within 3 above the threshold after a fall of 3; outlook tells the fall alone', () => {
    expect(watchOf('MR2', '72.99', '75.99', RATING_PARAMETERS)).toBe('negative')
    expect(watchOf('MR2', '73.00', '80.00', RATING_PARAMETERS)).toBe('none')
    expect(watchOf('MR2', '72.99', '75.98', RATING_PARAMETERS)).toBe('none')
    expect(['75.00', '72.01', '69.00', null].map((then) => outlookOf('72.00', then, RATING_PARAMETERS))).toEqual([
      'negative',
      'stable',
      'positive',
      'stable',
    ])
  })
})

test('E19: 3 disputes in 40 markets: Wilson 95 % [0.0258, 0.1986]', () => {
  const { low, high } = wilsonInterval(3, 40)!
  expect([formatDecimal(low, 4), formatDecimal(high, 4)]).toEqual(['0.0258', '0.1986'])
  expect(wilsonInterval(0, 0)).toBeNull()
})

describe('E24: the rating in force, as of', () => {
  const at = (text: string) => toMicros(text, 'at')
  const record = (change: Partial<AssessmentFacts> & { record_id: string }): AssessmentFacts => ({
    chain_id: 'rat_1',
    revision: 1,
    kind: 'model',
    review_state: 'approved',
    effective_from: at('2026-01-01T00:00:00Z'),
    effective_to: null,
    published_at: at('2026-01-01T00:10:00Z'),
    row_ordinal: 0,
    overrides: false,
    ...change,
  })
  const third = { chain_id: 'rat_3', effective_from: at('2026-01-20T00:00:00Z') }
  const records = [
    record({ record_id: 'rat_1' }),
    record({ record_id: 'rat_2', revision: 2, published_at: at('2026-01-10T00:00:00Z') }),
    record({ record_id: 'rat_3', ...third, published_at: at('2026-01-15T00:00:00Z') }),
    record({
      record_id: 'rat_3w',
      ...third,
      revision: 2,
      review_state: 'withdrawn',
      published_at: at('2026-02-01T00:00:00Z'),
    }),
  ]

  test.each([
    ['2026-01-05T00:00:00Z', 'rat_1'],
    ['2026-01-12T00:00:00Z', 'rat_2'],
    ['2026-01-16T00:00:00Z', 'rat_2'],
    ['2026-01-25T00:00:00Z', 'rat_3'],
    ['2026-02-02T00:00:00Z', 'rat_2'],
    ['2025-12-31T00:00:00Z', null],
  ])('%s: %s', (as_of, expected) => {
    expect(currentAssessment(records, at(as_of))?.record_id ?? null).toBe(expected)
  })

  test('committee before analyst before model; an override before all while it is in force; a dispute changes nothing', () => {
    const kinds = (['model', 'analyst', 'committee'] as const).map((kind) =>
      record({ record_id: kind, chain_id: kind, kind, review_state: 'disputed' }),
    )
    const override = record({
      record_id: 'override',
      chain_id: 'override',
      overrides: true,
      effective_to: at('2026-01-20T00:00:00Z'),
    })
    const now = at('2026-01-19T00:00:00Z')
    expect(currentAssessment(kinds, now)?.record_id).toBe('committee')
    expect(currentAssessment(kinds, now, 'analyst')?.record_id).toBe('analyst')
    expect(currentAssessment([...kinds, override], now)?.record_id).toBe('override')
    expect(currentAssessment([...kinds, override], at('2026-01-20T00:00:00Z'))?.record_id).toBe('committee')
  })
})

test('bad input names its field', () => {
  const measured = { authority: '1.2', availability: '1', revision_rate: '0', independent_sources: 1 }
  const { message } = refusal('VALIDATION_RANGE_INVALID', () => sourceReliability(measured))
  expect(message).toBe('authority is 1.2; allowed: a share from 0 to 1')
  expect(rank('MR1')).toBe(0)
})

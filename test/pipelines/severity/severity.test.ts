import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type AssessedComponent,
  type AssessedComponents,
  assess,
  levelOf,
  scoreOf,
} from '../../../pipelines/severity/assess.ts'
import {
  duration,
  economic,
  geographic,
  geopolitical,
  human,
  humanCount,
  infrastructure,
  logScale,
} from '../../../pipelines/severity/components.ts'
import { brier, crps, forecast } from '../../../pipelines/severity/forecast.ts'
import { SEVERITY_PARAMETERS } from '../../../pipelines/severity/methodology.ts'
import { SEVERITY_INDEX_PARAMETERS, severityIndex } from '../../../pipelines/severity/severity-index.ts'
import { needsPerson } from '../../../pipelines/severity/severity-record.ts'
import { Decimal, formatDecimal } from '../../../primitives/decimal.ts'
import { EVIDENCE_TIERS } from '../../../vocabulary/review.ts'
import { SEVERITY_COMPONENTS, type SeverityLevel } from '../../../vocabulary/severity.ts'
import { refusal } from '../../support/refusal.ts'

const one = (value: string, low = value, high = value, verified = false): AssessedComponent => ({
  value,
  low,
  high,
  verified,
})

/** Methodology, worked example E12. */
const E12: AssessedComponents = {
  human: one(
    human(humanCount({ deaths_or_missing: '320', seriously_injured: '1500', displaced: '42000' })),
    human(new Decimal(250)),
    human(new Decimal(2000)),
  ),
  economic: one(economic('4200', '0.006'), economic('2500', null), economic('8000', null)),
  infrastructure: one(infrastructure('35000000'), infrastructure('20000000'), infrastructure('60000000')),
  geographic: one(geographic('2100000', 2)),
  geopolitical: one(geopolitical('20'), geopolitical('0'), geopolitical('40')),
  duration: one(duration('21'), duration('14'), duration('45')),
}

describe('E12: one assessment', () => {
  test('components, to the last digit', () => {
    expect(SEVERITY_COMPONENTS.map((name) => E12[name]!.value)).toEqual([
      '66.03',
      '73.97',
      '56.71',
      '58.16',
      '20.00',
      '37.16',
    ])
  })

  test('score, range, level and confidence', () => {
    expect(assess(E12, ['A', 'B'], SEVERITY_PARAMETERS)).toEqual({
      level: 'SEV-4',
      score: '66.64',
      score_range: { low: '61.25', high: '71.66' },
      confidence: '0.8063',
      reason_codes: [],
    })
  })

  test('a missing component is left out: 66.56, not the 63.24 of a zero', () => {
    const values = Object.fromEntries(SEVERITY_COMPONENTS.map((name) => [name, E12[name]!.value]))
    const { infrastructure: _left_out, ...rest } = values
    expect(scoreOf(rest, SEVERITY_PARAMETERS)).toBe('66.56')
    expect(scoreOf({ ...rest, infrastructure: '0.00' }, SEVERITY_PARAMETERS)).toBe('63.24')
  })
})

describe('what is not known', () => {
  const nothing: AssessedComponents = {
    human: null,
    economic: null,
    infrastructure: null,
    geographic: null,
    geopolitical: null,
    duration: null,
  }

  test('no consequence known: UNKNOWN without a score, however much else is', () => {
    expect(assess({ ...nothing, geographic: one('90.00') }, ['A'], SEVERITY_PARAMETERS)).toEqual({
      level: 'UNKNOWN',
      score: null,
      score_range: null,
      confidence: '0.0000',
      reason_codes: ['NO_CONSEQUENCE'],
    })
  })

  test.each([
    [
      'less than half of the weight',
      { human: one('50.00'), geopolitical: one('50.00') },
      ['A'],
      ['WEIGHT_BELOW_MINIMUM'],
    ],
    [
      'a range of three levels',
      { human: one('50.00', '25.00', '90.00'), economic: one('50.00', '25.00', '50.00') },
      ['A'],
      ['RANGE_TOO_WIDE'],
    ],
    ['unverified evidence alone', { human: one('50.00'), economic: one('50.00') }, ['D', 'D'], ['EVIDENCE_UNVERIFIED']],
    ['a zero that nobody verified', { human: one('0.00'), economic: one('0.00') }, ['A'], ['ZERO_NOT_VERIFIED']],
  ] as const)('%s: UNKNOWN', (_name, known, tiers, reason_codes) => {
    expect(assess({ ...nothing, ...known }, tiers, SEVERITY_PARAMETERS)).toMatchObject({
      level: 'UNKNOWN',
      reason_codes,
    })
  })

  test('half of the weight is enough, and two levels apart are not too wide', () => {
    const known = { human: one('50.00', '25.00', '79.00'), economic: one('50.00', '25.00', '50.00') }
    expect(assess({ ...nothing, ...known }, ['C'], SEVERITY_PARAMETERS)).toMatchObject({
      level: 'SEV-3',
      reason_codes: [],
    })
  })

  test('a missing component enters the high end as bad as the worst known one', () => {
    const known = { human: one('50.00', '50.00', '60.00'), economic: one('50.00') }
    const { score_range } = assess({ ...nothing, ...known }, ['A'], SEVERITY_PARAMETERS)
    // mean of highs: (0.30 x 60 + 0.20 x 50 + 0.50 x 60) = 58; 0.6 x 60 + 0.4 x 58
    expect(score_range).toEqual({ low: '50.00', high: '59.20' })
  })

  test('SEV-0 is a finding of all consequences by an official source', () => {
    const zero = one('0.00', '0.00', '0.00', true)
    const all = { human: zero, economic: zero, infrastructure: zero, geopolitical: zero }
    expect(assess({ ...nothing, ...all }, ['A'], SEVERITY_PARAMETERS).level).toBe('SEV-0')
    expect(assess({ ...nothing, ...all }, ['B'], SEVERITY_PARAMETERS).level).toBe('UNKNOWN')
    expect(assess({ ...nothing, ...all, geopolitical: null }, ['A'], SEVERITY_PARAMETERS).level).toBe('UNKNOWN')
    expect(assess({ ...nothing, ...all, human: one('4.00') }, ['A'], SEVERITY_PARAMETERS).level).toBe('UNKNOWN')
  })
})

test('the scale: 16 points a decade, zero only where it was measured', () => {
  const points = ['1', '10', '100', '1000', '10000', '100000', '10000000'].map((x) =>
    logScale(new Decimal(x), 1).toFixed(),
  )
  expect(points).toEqual(['16', '32', '48', '64', '80', '96', '100'])
  expect([logScale(new Decimal(0), 1), logScale(new Decimal('0.01'), 1)].map(String)).toEqual(['0', '0'])
  expect(
    ['0', '4.99', '5', '20', '40', '59.99', '60', '80'].map((score) => levelOf(score, SEVERITY_PARAMETERS)),
  ).toEqual(['SEV-0', 'SEV-0', 'SEV-1', 'SEV-2', 'SEV-3', 'SEV-3', 'SEV-4', 'SEV-5'])
})

describe('E13: a forecast and its scoring', () => {
  const scenarios = [
    { probability: '0.50', score: '20' },
    { probability: '0.35', score: '45' },
    { probability: '0.15', score: '75' },
  ]

  test('score, quantiles and exceedance', () => {
    expect(forecast(scenarios, SEVERITY_PARAMETERS)).toEqual({
      score: '37.00',
      score_range: { low: '20.00', high: '75.00' },
      level: 'SEV-2',
      exceedance: {
        'SEV-1': '1.000000',
        'SEV-2': '1.000000',
        'SEV-3': '0.500000',
        'SEV-4': '0.150000',
        'SEV-5': '0.000000',
      },
    })
  })

  test('observed 52.00: CRPS 11.8250, Brier of SEV-3 or worse 0.2500', () => {
    expect(crps(scenarios, '52.00')).toBe('11.8250')
    expect(brier(scenarios, 'SEV-3', '52.00', SEVERITY_PARAMETERS)).toBe('0.2500')
  })

  test('probabilities sum to exactly 1', () => {
    const off = [...scenarios.slice(0, 2), { probability: '0.1500000001', score: '75' }]
    const { message } = refusal('VALIDATION_RANGE_INVALID', () => forecast(off, SEVERITY_PARAMETERS))
    expect(message).toBe('scenarios is 1.0000000001 in all; allowed: probabilities that sum to exactly 1')
    refusal('VALIDATION_RANGE_INVALID', () =>
      forecast(
        [
          { probability: '0', score: '1' },
          { probability: '1', score: '2' },
        ],
        SEVERITY_PARAMETERS,
      ),
    )
  })
})

describe('E14: a severity index', () => {
  const event = (score: string | null, relevance = '1', days_since_end: string | null = null) => ({
    relevance,
    score,
    level: score === null ? ('UNKNOWN' as const) : levelOf(score, SEVERITY_PARAMETERS),
    days_since_end,
  })
  const index = (events: readonly ReturnType<typeof event>[]) =>
    severityIndex(events, SEVERITY_PARAMETERS, SEVERITY_INDEX_PARAMETERS)

  test('three known events and an unknown one', () => {
    expect(index([event('66.64'), event('41.00', '0.8'), event('12.00'), event(null, '0.5')])).toEqual({
      value: '73.68',
      level_equivalent: 'SEV-4',
      coverage_ratio: '0.848485',
      quality_state: 'valid',
    })
  })

  test('one event alone is its own score; ten of 10 give 12.50', () => {
    expect(index([event('66.64')]).value).toBe('66.64')
    expect(index(Array.from({ length: 10 }, () => event('10.00'))).value).toBe('12.50')
  })

  test('an ended event fades in 90 days; little coverage is said; nothing known is no value', () => {
    expect(index([event('60.00', '1', '45')]).value).toBe('30.00')
    expect(index([event('60.00', '1', '91')])).toMatchObject({ value: '0.00', coverage_ratio: '0.000000' })
    expect(index([event('60.00', '0.5'), event(null, '0.5')]).quality_state).toBe('degraded')
    expect(index([event('60.00', '0.2'), event(null, '0.8')]).quality_state).toBe('suspended')
    expect(index([event(null)])).toMatchObject({ value: null, level_equivalent: 'UNKNOWN', quality_state: 'suspended' })
  })

  test('a further event never lowers the value, and order says nothing', () => {
    const score = fc.integer({ min: 0, max: 10_000 }).map((n) => formatDecimal(new Decimal(n).div(100), 2))
    fc.assert(
      fc.property(fc.array(score, { minLength: 1, maxLength: 8 }), score, (scores, further) => {
        const events = scores.map((text) => event(text))
        const before = new Decimal(index(events).value!)
        expect(before.lte(index([...events, event(further)]).value!)).toBe(true)
        expect(index(events.toReversed())).toEqual(index(events))
      }),
    )
  })
})

describe('who has to agree', () => {
  const last = (level: SeverityLevel) => ({ level, score: null })
  test.each([
    ['SEV-3', null, []],
    ['SEV-4', null, ['LEVEL_NEEDS_APPROVAL']],
    ['SEV-5', 'SEV-5', ['LEVEL_NEEDS_APPROVAL']],
    ['SEV-2', 'SEV-1', []],
    ['SEV-3', 'SEV-1', ['CHANGE_NEEDS_APPROVAL']],
    ['SEV-1', 'SEV-3', ['CHANGE_NEEDS_APPROVAL']],
    ['SEV-4', 'SEV-2', ['LEVEL_NEEDS_APPROVAL', 'CHANGE_NEEDS_APPROVAL']],
    ['SEV-3', 'UNKNOWN', []],
    ['UNKNOWN', null, []],
    ['UNKNOWN', 'UNKNOWN', []],
    ['UNKNOWN', 'SEV-1', []],
    ['UNKNOWN', 'SEV-2', ['CHANGE_NEEDS_APPROVAL']],
    ['UNKNOWN', 'SEV-5', ['CHANGE_NEEDS_APPROVAL']],
  ] as const)('%s after %s: %j', (level, before, reasons) => {
    expect(needsPerson(level, before === null ? null : last(before))).toEqual(reasons)
  })
})

test('tiers are those of the evidence, best first', () => {
  expect(EVIDENCE_TIERS).toEqual(['A', 'B', 'C', 'D'])
})

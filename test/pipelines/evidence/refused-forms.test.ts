import Type from 'typebox'
import { describe, expect, test } from 'vitest'
import { RATING_SUBJECT } from '../../../operations/rating/rating-subject.ts'
import { SEVERITY_SUBJECT } from '../../../operations/severity/severity-subject.ts'
import { CLOSED, Name, orNull, Whole } from '../../../pipelines/evidence/form-types.ts'
import { formFault, readForm } from '../../../pipelines/evidence/read-form.ts'
import { parseRatingForm, submittedRating } from '../../../pipelines/rating/rating-form.ts'
import { parseForecastForm, submittedForecast } from '../../../pipelines/severity/forecast-form.ts'
import type { ErrorCode } from '../../../primitives/error-codes.ts'
import { toMicros } from '../../../primitives/instants.ts'
import { RATING_COMPONENTS } from '../../../vocabulary/rating.ts'
import { refusal } from '../../support/refusal.ts'

/** A person's invalid submission is refused in one sentence: the field, the value seen, the values accepted. */
const NOW = toMicros('2026-01-18T00:00:00Z')
const BY = { actor_id: 'analyst', act_id: 'act_test', now: NOW, hosts: ['bls.gov', 'usgs.gov'] }
const HASH = `sha256:${'a'.repeat(64)}`

type Item = Readonly<Record<string, string>>
const ITEM: Item = {
  kind: 'document',
  tier: 'A',
  source_uri: 'https://www.bls.gov/cpi',
  observed_at: '2026-01-16T00:00:00Z',
  content_hash: HASH,
}

const RATING = {
  market_id: 'mkt_e11',
  kind: 'analyst',
  observation_cutoff_at: '2026-01-17T00:00:00Z',
  effective_from: '2026-01-17T00:00:00Z',
  effective_to: null as string | null,
  rationale: 'an example',
}
const COMPONENTS = {
  resolution_clarity: {
    points: ['30', '20', '0', '10', '15', '10', '5'],
    disputed_markets: '1',
    resolved_markets: '25',
  },
  source_reliability: { authority: '1', availability: '0.995', revision_rate: '0.02', independent_sources: '2' },
  liquidity: { spread: '0.018', depth_usd: '12000', volume_usd: '250000' },
  manipulation_resistance: {
    cost_to_move_usd: '8000',
    concentration: '0.18',
    top_trader_share: '0.22',
    wash_share: '0.05',
  },
  data_quality: { gap_share: '0.01', sequence_gap_share: '0.002', crossed_share: '0.001', p95_latency_ms: '800' },
  venue_operational_risk: { uptime: '0.998', regulation: '0.5', settlement_delay_h: '18', incidents_365d: '2' },
}

function rate(change: {
  readonly item?: Item
  readonly left_out?: string
  readonly rating?: object
  readonly components?: object
}) {
  const evidence = RATING_COMPONENTS.map((component, n) => {
    const item: Record<string, string> = { ...ITEM, component, ...(n === 2 ? change.item : {}) }
    if (n === 2 && change.left_out !== undefined) delete item[change.left_out]
    return item
  })
  const rating = { ...RATING, ...change.rating }
  const text = JSON.stringify({ rating, components: { ...COMPONENTS, ...change.components }, evidence })
  return submittedRating(RATING_SUBJECT, parseRatingForm(text, 'form.yaml'), BY)
}

test('the form itself is taken: E11', () => {
  expect(rate({})).toMatchObject({ band: 'MR1', score: '86.87', review_state: 'under_review' })
})

describe('evidence of a rating', () => {
  type Case = readonly [what: string, change: Parameters<typeof rate>[0], code: ErrorCode, sentence: string]
  const INVALID = 'VALIDATION_DEFINITION_INVALID'
  const EVIDENCE = 'VALIDATION_EVIDENCE_INVALID'
  const CASES: readonly Case[] = [
    [
      'a hash of another kind',
      { item: { content_hash: 'md5:00' } },
      INVALID,
      'evidence[2].content_hash is "md5:00"; allowed: sha256: and 64 lower-case hex digits',
    ],
    [
      'a hash that is too short',
      { item: { content_hash: HASH.slice(0, -1) } },
      INVALID,
      '; allowed: sha256: and 64 lower-case hex digits',
    ],
    ['no hash', { left_out: 'content_hash' }, INVALID, 'evidence[2].content_hash is missing; allowed: a value'],
    ['no date', { left_out: 'observed_at' }, INVALID, 'evidence[2].observed_at is missing; allowed: a value'],
    [
      'a date that is none',
      { item: { observed_at: '2026-02-30T00:00:00Z' } },
      'VALIDATION_INSTANT_INVALID',
      'observed_at',
    ],
    [
      'a date without a time',
      { item: { observed_at: '2026-01-16' } },
      INVALID,
      'evidence[2].observed_at is "2026-01-16"; allowed: an RFC 3339 instant in UTC',
    ],
    [
      'a date after the cutoff',
      { item: { observed_at: '2026-01-17T00:00:01Z' } },
      EVIDENCE,
      'observed_at of evidence is "2026-01-17T00:00:01Z"; allowed: an instant not after',
    ],
    [
      'an unlisted host',
      { item: { source_uri: 'https://example.com/x' } },
      EVIDENCE,
      'source_uri of evidence is "https://example.com/x"; allowed: a host of bls.gov, usgs.gov',
    ],
    [
      'a host that only begins so',
      { item: { source_uri: 'https://bls.gov.example.com/x' } },
      EVIDENCE,
      'allowed: a host of',
    ],
    ['a host that only ends so', { item: { source_uri: 'https://notbls.gov/x' } }, EVIDENCE, 'allowed: a host of'],
    [
      'a listed host as the user of another',
      { item: { source_uri: 'https://bls.gov@example.com/x' } },
      EVIDENCE,
      'allowed: a host of',
    ],
    ['no https', { item: { source_uri: 'http://www.bls.gov/cpi' } }, INVALID, 'allowed: an https address'],
    [
      'another component',
      { item: { component: 'severity' } },
      EVIDENCE,
      'component of evidence is "severity"; allowed: resolution_clarity',
    ],
    ['another tier', { item: { tier: 'E' } }, INVALID, 'evidence[2].tier is "E"; allowed: A, B, C or D'],
  ]
  test.each(CASES)('%s is refused', (_what, change, code, sentence) => {
    expect(refusal(code, () => rate(change)).message).toContain(sentence)
  })
})

describe('a rating', () => {
  const RANGE = 'VALIDATION_RANGE_INVALID'
  test('up to an instant of the future is refused, whatever its evidence', () => {
    const future = { observation_cutoff_at: '2026-01-18T00:00:01Z' }
    expect(refusal(RANGE, () => rate({ rating: future })).message).toBe(
      'observation_cutoff_at is 2026-01-18T00:00:01Z; allowed: an instant not after now (2026-01-18T00:00:00Z)',
    )
  })

  test('that ends before it begins is refused', () => {
    const over = { effective_to: '2026-01-17T00:00:00Z' }
    expect(refusal(RANGE, () => rate({ rating: over })).message).toContain(
      'allowed: an instant after 2026-01-17T00:00:00Z',
    )
  })

  test('with a score in the place of measured inputs is refused', () => {
    expect(
      refusal('VALIDATION_DEFINITION_INVALID', () => rate({ components: { liquidity: '85.68' } })).message,
    ).toContain('components.liquidity')
  })

  test('without evidence of a component is not rated: nothing is taken on trust', () => {
    expect(rate({ item: { component: 'data_quality' } })).toMatchObject({
      band: 'NR',
      score: null,
      reason_codes: ['EVIDENCE_INSUFFICIENT:liquidity'],
    })
  })
})

describe('a forecast', () => {
  const parts = (human: string | null) => ({
    human,
    economic: null,
    infrastructure: null,
    geographic: null,
    geopolitical: null,
    duration: null,
  })
  const scenario = (probability: string, human: string | null = '20') => ({
    name: 'one',
    probability,
    components: parts(human),
  })
  const FORECAST = {
    event_id: 'evt_e13',
    horizon_end: '2026-12-31T00:00:00Z',
    window_start: '2026-01-01T00:00:00Z',
    window_end: null as string | null,
    effective_from: null,
    confidence: '0.5',
    rationale: 'an example',
  }
  const submit = (scenarios: readonly object[], forecast: object = {}) => {
    const text = JSON.stringify({ forecast: { ...FORECAST, ...forecast }, scenarios, evidence: [] })
    return submittedForecast(SEVERITY_SUBJECT, parseForecastForm(text, 'form.yaml'), BY)
  }

  test.each([
    [
      'less than 1',
      ['0.5', '0.4999999999'],
      'scenarios is 0.9999999999 in all; allowed: probabilities that sum to exactly 1',
    ],
    [
      'more than 1',
      ['0.5', '0.5000000001'],
      'scenarios is 1.0000000001 in all; allowed: probabilities that sum to exactly 1',
    ],
    ['1 with one of 0', ['1', '0'], 'probability is 0; allowed: above 0 and at most 1'],
  ])('whose probabilities sum to %s is refused', (_what, probabilities, sentence) => {
    const scenarios = probabilities.map((one) => scenario(one))
    expect(refusal('VALIDATION_RANGE_INVALID', () => submit(scenarios)).message).toContain(sentence)
  })

  test('whose probabilities sum to exactly 1 is taken, however they are written', () => {
    expect(submit([scenario('0.1'), scenario('0.20'), scenario('0.7000')])).toMatchObject({ score: '20.00' })
  })

  test('with a scenario without a consequence is refused', () => {
    expect(refusal('VALIDATION_DEFINITION_INVALID', () => submit([scenario('1', null)])).message).toContain(
      'name no consequence',
    )
  })

  test('of a horizon that has ended is refused: it would be hindsight', () => {
    const over = { horizon_end: '2026-01-18T00:00:00Z' }
    expect(refusal('VALIDATION_RANGE_INVALID', () => submit([scenario('1')], over)).message).toContain(
      'horizon_end is 2026-01-18T00:00:00Z; allowed: an instant after now',
    )
  })

  test('of an event that ends before it begins is refused', () => {
    const turned = { window_end: '2025-12-31T00:00:00Z' }
    expect(refusal('VALIDATION_RANGE_INVALID', () => submit([scenario('1')], turned)).message).toContain('window_end')
  })
})

const FORM = Type.Object(
  {
    parts: Type.Array(Type.Object({ name: Name, size: Type.Optional(orNull(Whole)) }, CLOSED), { minItems: 1 }),
    by: Type.Optional(Type.Union([Type.Object({ key: Name }, CLOSED), Type.Null()])),
  },
  CLOSED,
)

describe('a form in general', () => {
  test.each([
    ['parts: [{ name: a }]\ncolor: red', 'color is "red", an unknown field; allowed here: parts, by'],
    ['parts: [{ name: a, sise: 5 }]', 'parts[0].sise is "5", an unknown field; allowed here: name, size'],
    ['parts: [{ nome: a }]', 'parts[0].nome is "a", an unknown field; allowed here: name, size'],
    ['parts: [{ name: a }]\nby: { kay: a }', 'by.kay is "a", an unknown field; allowed here: key'],
    ['parts: []', 'parts is []; allowed: a list of 1 or more items'],
    ['parts: a', 'parts is "a"; allowed: a list of 1 or more items'],
    ['parts: [a]', 'parts[0] is "a"; allowed: a mapping with the fields name, size'],
    ['parts: [{}]', 'parts[0].name is missing; allowed: a value'],
    ['[]', 'the form is []; allowed: a mapping with the fields parts, by'],
  ])('%s is refused by its field, with what is accepted', (text, sentence) => {
    expect(() => readForm(FORM, text, 'f')).toThrow(`f: ${sentence}`)
  })

  test('a field of the name description is no description of its neighbours', () => {
    const named = Type.Object({ description: Name, size: Type.Integer() }, CLOSED)
    expect(formFault(named, { description: 'a', size: null })).toBe('size is null; allowed: must be integer')
  })

  test('shows a long value cut', () => {
    const { message } = refusal('VALIDATION_DEFINITION_INVALID', () =>
      readForm(FORM, `parts: ${'x'.repeat(10_000)}`, 'f'),
    )
    expect(message.length).toBeLessThan(300)
  })
})

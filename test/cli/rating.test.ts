import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { RATING_COMPONENTS } from '../../vocabulary/rating.ts'
import { openWarehouse } from '../../warehouse/warehouse.ts'
import { person, rosterText } from '../support/review-world.ts'
import { tidemark } from '../support/run-cli.ts'
import { tempFolder } from '../support/temp-folder.ts'

const home = tempFolder()
const analyst = person('analyst', 'analyst')
const member_a = person('member_a', 'committee')
const member_b = person('member_b', 'committee', 'analyst')
const key = (name: string) => join(home, `${name}.pem`)
const form = join(home, 'form.yaml')
const hash = `sha256:${'a'.repeat(64)}`
const observed_at = '2026-01-16T00:00:00Z'

function writeForm(path: string, source_uri = 'https://www.bls.gov/cpi', seen_at = observed_at): void {
  const evidence = RATING_COMPONENTS.map(
    (component) =>
      `  - { kind: document, component: ${component}, tier: A, source_uri: "${source_uri}", observed_at: ${seen_at}, content_hash: "${hash}" }`,
  )
  writeFileSync(
    path,
    `rating: { market_id: mkt_e11, kind: analyst, observation_cutoff_at: 2026-01-17T00:00:00Z, effective_from: 2026-01-17T00:00:00Z, effective_to: null, rationale: worked example }
components:
  resolution_clarity: { points: ["30", "20", "0", "10", "15", "10", "5"], disputed_markets: 1, resolved_markets: 25 }
  source_reliability: { authority: 1, availability: 0.995, revision_rate: 0.02, independent_sources: 2 }
  liquidity: { spread: 0.018, depth_usd: 12000, volume_usd: 250000 }
  manipulation_resistance: { cost_to_move_usd: 8000, concentration: 0.18, top_trader_share: 0.22, wash_share: 0.05 }
  data_quality: { gap_share: 0.01, sequence_gap_share: 0.002, crossed_share: 0.001, p95_latency_ms: 800 }
  venue_operational_risk: { uptime: 0.998, regulation: 0.5, settlement_delay_h: 18, incidents_365d: 2 }
evidence:
${evidence.join('\n')}
`,
  )
}

const run = (...argv: string[]) => tidemark(argv, { environment: { TIDEMARK_HOME: home } })
const json = async (...argv: string[]) => JSON.parse((await run(...argv, '--json')).stdout)

beforeAll(async () => {
  mkdirSync(home, { recursive: true })
  for (const one of [analyst, member_a, member_b]) writeFileSync(key(one.member.actor_id), one.pem)
  writeFileSync(join(home, 'roster.yaml'), rosterText([analyst, member_a, member_b]))
  await (await openWarehouse({ root: join(home, 'warehouse'), create: true })).close()
  writeForm(form)
})

describe('E11 by an analyst’s form', () => {
  test('is under review until another member approves it, and is then shown with the example’s figures', async () => {
    const submitted = await json('rating', 'submit', form, '--key', key('analyst'))
    const record_id: string = submitted.records[0].rating_id
    expect(submitted.records[0]).toMatchObject({ review_state: 'under_review', band: 'MR1', score: '86.87' })
    expect((await json('rating', 'show', 'mkt_e11')).rating).toMatchObject({
      band: 'NR',
      score: null,
      reason_codes: ['NO_APPROVED_RATING'],
    })
    const own = await run('rating', 'approve', record_id, '--key', key('analyst'))
    expect(own).toMatchObject({ exit_code: 2, stdout: '' })
    expect(own.stderr).toContain('REVIEW_NOT_ALLOWED')
    const [refused] = await json('rating', 'refusals')
    expect(refused).toMatchObject({ act: 'approve', record_id, actor_id: 'analyst', code: 'REVIEW_NOT_ALLOWED' })
    expect(own.stderr).toContain(refused.message)
    expect((await run('severity', 'refusals')).stdout).toBe('no rejected acts\n')
    expect((await run('rating', 'refusals')).stdout).toMatch(/approve .* analyst .*REVIEW_NOT_ALLOWED/)
    expect((await run('rating', 'approve', record_id, '--key', key('member_a'))).exit_code).toBe(0)
    const { rating } = await json('rating', 'show', 'mkt_e11')
    expect(rating).toMatchObject({
      band: 'MR1',
      score: '86.87',
      component_scores: {
        resolution_clarity: '88.40',
        source_reliability: '96.12',
        liquidity: '85.68',
        manipulation_resistance: '82.43',
        data_quality: '99.58',
        venue_operational_risk: '32.25',
      },
      issuer: { kind: 'analyst', issuer_id: 'analyst', model_version: null },
    })
    const twice = await run('rating', 'approve', record_id, '--key', key('member_a'))
    expect(twice.stderr).toContain('is approved, in which approve is refused (REVIEW_STATE_CONFLICT)')
  })

  test('a form that was returned is submitted again as the next revision', async () => {
    const first = await json('rating', 'submit', form, '--key', key('analyst'))
    const record_id: string = first.records[0].rating_id
    const waiting = async () =>
      (await json('rating', 'waiting')).map((row: Record<string, unknown>) => [row.revision, row.review_state])
    expect(await waiting()).toEqual([[1, 'under_review']])
    const returned = await json('rating', 'return', record_id, '--reason', 'say more', '--key', key('member_a'))
    expect(await waiting()).toEqual([[2, 'draft']])
    expect(returned.records[0]).toMatchObject({ review_state: 'draft', revision: 2 })
    const again = await json('rating', 'submit', form, '--record', record_id, '--key', key('analyst'))
    expect(again.records[0]).toMatchObject({
      review_state: 'under_review',
      revision: 3,
      chain_id: first.records[0].chain_id,
    })
    expect(await waiting()).toEqual([[3, 'under_review']])
    expect((await run('rating', 'waiting')).stdout).toMatch(/mkt_e11 +MR1 +86\.87 +under_review +analyst/)
  })

  test('what was returned is submitted again by who proposed it alone, about the same market, and only while it is returned', async () => {
    const first = await json('rating', 'submit', form, '--key', key('analyst'))
    const record_id: string = first.records[0].rating_id
    const again = (path: string, by: string) => run('rating', 'submit', path, '--record', record_id, '--key', key(by))
    expect((await again(form, 'analyst')).stderr).toContain('in which submit is refused (REVIEW_STATE_CONFLICT)')
    await run('rating', 'return', record_id, '--reason', 'say more', '--key', key('member_a'))
    expect((await again(form, 'member_b')).stderr).toContain('its proposer (REVIEW_NOT_ALLOWED)')
    const other = join(home, 'other.yaml')
    writeFileSync(other, readFileSync(form, 'utf8').replace('mkt_e11', 'mkt_other'))
    expect((await again(other, 'analyst')).stderr).toContain(
      'market_id is mkt_other; allowed: mkt_e11, which was returned (VALIDATION_RANGE_INVALID)',
    )
    expect((await again(form, 'analyst')).exit_code).toBe(0)
  })

  test.each([
    ['a host that is not listed', 'https://example.com/x', observed_at, 'source_uri of evidence'],
    ['the future', 'https://www.bls.gov/cpi', '2026-01-18T00:00:00Z', 'observed_at of evidence'],
  ])('evidence of %s is refused', async (_name, uri, at, words) => {
    const bad = join(home, 'bad.yaml')
    writeForm(bad, uri, at)
    const refused = await run('rating', 'submit', bad, '--key', key('analyst'))
    expect(refused.exit_code).toBe(2)
    expect(refused.stderr).toContain(words)
    expect(refused.stderr).toContain('VALIDATION_EVIDENCE_INVALID')
  })
})

test('wrong usage is one sentence: no outcome of a decision, no key, no roster', async () => {
  const decide = await run('rating', 'decide', 'rat_x', '--decision', 'x', '--key', key('member_a'))
  expect(decide.stderr).toContain('decision is missing; allowed: --uphold with --band, or --reject')
  const no_key = await run('severity', 'approve', 'asm_x', '--key', join(home, 'absent.pem'))
  expect(no_key.stderr).toContain('VALIDATION_INPUT_UNREADABLE')
  const no_roster = await run(
    'rating',
    'approve',
    'rat_x',
    '--key',
    key('member_a'),
    '--roster',
    join(home, 'absent.yaml'),
  )
  expect(no_roster).toMatchObject({ exit_code: 2 })
  expect((await run('rating', 'approve', 'rat_x', '--key', key('member_a'))).exit_code).toBe(3)
})

test('a forecast whose probabilities do not sum to exactly 1 is refused; E13 is published when it is approved', async () => {
  const parts = (human: string) =>
    `{ human: "${human}", economic: null, infrastructure: null, geographic: null, geopolitical: null, duration: null }`
  const write = (last: string) => {
    const path = join(home, 'forecast.yaml')
    writeFileSync(
      path,
      `forecast: { event_id: evt_e13, horizon_end: 2099-12-31T00:00:00Z, window_start: 2026-01-01T00:00:00Z, window_end: null, effective_from: 2026-01-02T00:00:00Z, confidence: 0.5, rationale: worked example }
scenarios:
  - { name: mild, probability: 0.50, components: ${parts('20')} }
  - { name: middle, probability: 0.35, components: ${parts('45')} }
  - { name: worst, probability: ${last}, components: ${parts('75')} }
evidence: []
`,
    )
    return path
  }
  const wrong = await run('severity', 'forecast', write('0.16'), '--key', key('analyst'))
  expect(wrong.stderr).toContain('probabilities that sum to exactly 1')
  const submitted = await json('severity', 'forecast', write('0.15'), '--key', key('analyst'))
  const record_id: string = submitted.records[0].assessment_id
  await run('severity', 'return', record_id, '--reason', 'say more', '--key', key('member_a'))
  const again = await json('severity', 'forecast', write('0.15'), '--record', record_id, '--key', key('analyst'))
  expect(again.records[0]).toMatchObject({
    revision: 3,
    review_state: 'under_review',
    correction_reason: 'RESUBMITTED',
  })
  await run('severity', 'approve', record_id, '--key', key('member_a'))
  const { assessment } = await json('severity', 'show', 'evt_e13', '--type', 'forecast')
  expect(assessment).toMatchObject({
    score: '37.00',
    score_range: { low: '20.00', high: '75.00' },
    assessment_type: 'forecast',
  })
  expect(assessment.exceedance[2]).toEqual({ level: 'SEV-3', probability: '0.500000' })
  const observed = await json('severity', 'show', 'evt_e13')
  expect(observed.assessment).toMatchObject({ level: 'UNKNOWN', reason_codes: ['NO_APPROVED_ASSESSMENT'] })
  expect((await run('severity', 'show', 'evt_absent')).exit_code).toBe(3)
})

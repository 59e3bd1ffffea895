import { expect, test } from 'vitest'
import type { GovernanceAct } from '../../../pipelines/governance/acts.ts'
import { decideAct } from '../../../pipelines/governance/decide.ts'
import { type ImpactDocument, impactDigest, impactText } from '../../../pipelines/governance/impact/impact-document.ts'
import { agreementOf, latestReports } from '../../../pipelines/governance/impact/runner-agreement.ts'
import { type Change, changeIdOf, type GovernanceState } from '../../../pipelines/governance/proposal.ts'
import { contentHashOf, planProposal } from '../../../pipelines/governance/propose.ts'
import { recordDecision } from '../../../pipelines/governance/record-decision.ts'
import { formatMicros, MICROS_PER_DAY } from '../../../primitives/instants.ts'
import { begin, keyOf, MODEL_START, withRoster } from '../../support/governance-histories.ts'
import { signedReport } from '../../support/impact-report.ts'
import { refusal } from '../../support/refusal.ts'

const ENDS = { roster: MODEL_START + 399 * MICROS_PER_DAY, policy: MODEL_START + 399 * MICROS_PER_DAY }
const CHANGE: Change = {
  kind: 'index_version',
  base_hash: 'b'.repeat(64),
  content: { index_id: 'idx_a', version: '2', effective_from: formatMicros(MODEL_START + 60 * MICROS_PER_DAY) },
  rationale: 'a test',
  impact_digest: null,
  emergency: null,
}
const HASHES = { base_hash: CHANGE.base_hash, content_hash: contentHashOf(CHANGE) }
const HEADS = new Map([['idx_a', CHANGE.base_hash!]])
const CHANGE_ID = changeIdOf(HASHES)

/** Act of a runner who signs a report with these fields. */
function attestAct(by: string, report: Partial<ImpactDocument> = {}, details: Partial<GovernanceAct['details']> = {}) {
  const signed = signedReport({ ...HASHES, as_of: formatMicros(MODEL_START), ...report }, details)
  return { ...signed, actor_id: by, acted_at: MODEL_START } as GovernanceAct
}

const decide = (act: GovernanceAct, state: GovernanceState = begin(ENDS, HEADS)) =>
  recordDecision(
    state,
    decideAct(state, { act, public_key: keyOf(act.actor_id, 1), recorded_at: MODEL_START }).decision,
    MODEL_START,
  )
const refused = (act: GovernanceAct) => refusal('VALIDATION_DEFINITION_INVALID', () => decide(act)).message

const plan = (state: GovernanceState, impact_digest: unknown) => {
  const change = { ...CHANGE, impact_digest: String(impact_digest) }
  return planProposal(state, change, { actor_id: 'c1', at: MODEL_START, is_draft: false })
}

test('two runners who sign one report give the class of it; one runner, or another report, does not', () => {
  const first = attestAct('r1')
  const digest = first.details.impact_digest
  const one = decide(first)
  expect(() => plan(one, digest)).toThrow(/signed by 1 of 1 runners/)
  const two = decide(attestAct('r2'), one)
  expect(plan(two, digest).change_class).toBe('parameter')
  expect(() => plan(decide(attestAct('r1'), one), digest)).toThrow(/signed by 1 of 1 runners/)
  const disputed = decide(attestAct('r2', { change_class: 'text' }), one)
  expect(() => plan(disputed, digest)).toThrow(/signed by 1 of 2 runners/)
  expect(plan(decide(attestAct('r2'), disputed), digest).change_class).toBe('parameter')
})

test('an attestation counts for nothing if its key was revoked before it signed', () => {
  const act = attestAct('r1')
  const state = decide(attestAct('r2'), decide(act))
  const digest = act.details.impact_digest
  const revokedAt = (at: number) => withRoster(state, ENDS, new Map([[keyOf('r2', 1), at]]))
  expect(() => plan(revokedAt(MODEL_START), digest)).toThrow(/signed by 1 of 1 runners/)
  expect(plan(revokedAt(MODEL_START + 1), digest).change_class).toBe('parameter')
})

test('a report that says something else than its act is refused', () => {
  const other = 'e'.repeat(64)
  expect(refused(attestAct('r1', {}, { impact_digest: other }))).toMatch(
    /^impact_digest of the act is e+; allowed: [0-9a-f]{64}, that/,
  )
  expect(refused(attestAct('r1', {}, { change_class: 'text' }))).toMatch(
    /^change_class of the act is text; allowed: parameter/,
  )
  expect(refused(attestAct('r1', {}, { base_hash: other }))).toMatch(/^base_hash of the act is e+/)
  expect(refused(attestAct('r1', {}, { content_hash: other }))).toMatch(/^content_hash of the act is e+/)
  expect(refused(attestAct('r1', {}, { engine: 'float' }))).toBe(
    'engine of the act is float; allowed: exact, reference',
  )
  expect(refused(attestAct('r1', { change_id: `chg_${other}` }))).toMatch(new RegExp(`allowed: ${CHANGE_ID}`))
  expect(refused({ ...attestAct('r1'), subject_id: `chg_${other}` })).toMatch(/^subject_id of the act is chg_e+/)
  expect(refused(attestAct('r1', { change_class: 'policy' as 'text' }))).toMatch(/allowed: text, parameter, material/)
  const { details } = attestAct('r1')
  const text = String(details.report).replace('"ticks"', ' "ticks"')
  const spaced = { report: text, impact_digest: impactDigest(text) }
  expect(refused(attestAct('r1', {}, spaced))).toMatch(/allowed: the RFC 8785 form/)
  const long = impactText({
    ...(JSON.parse(String(details.report)) as ImpactDocument),
    version_after: 'x'.repeat(50_000),
  })
  expect(refused(attestAct('r1', {}, { report: long, impact_digest: impactDigest(long) }))).toMatch(
    /at most 49152 bytes/,
  )
})

test('a report of another kind of change is signed as that kind, and no other', () => {
  const attestKind = (given: object, kind = 'methodology') => {
    const base = { ...HASHES, as_of: formatMicros(MODEL_START), change_id: CHANGE_ID, change_class: 'material' }
    const report = impactText({
      statement: 'tidemark.impact.v2',
      kind: 'methodology',
      target_id: 'mth_a',
      ...base,
      ...given,
    })
    const { change_class } = { ...base, ...given }
    const details = { ...HASHES, change_class, impact_digest: impactDigest(report), engine: 'reference', report }
    const act = { act: 'attest', kind, subject_id: CHANGE_ID, details, actor_id: 'r1', acted_at: MODEL_START }
    return act as GovernanceAct
  }
  expect(decide(attestKind({})).attestations.get(CHANGE_ID)?.get('r1')?.change_class).toBe('material')
  expect(decide(attestKind({ kind: 'cessation', change_class: 'cessation' }, 'cessation')).attestations.size).toBe(1)
  expect(refused(attestKind({}, 'index_version'))).toMatch(
    /^kind of the act is index_version; allowed: methodology, as/,
  )
  for (const given of [
    { kind: 'roster' },
    { kind: 'index_version' },
    { target_id: null },
    { statement: 'tidemark.impact.v3' },
  ])
    expect(refused(attestKind(given, 'roster'))).toMatch(/allowed: the RFC 8785 form of a tidemark.impact.v1 or/)
  expect(refused(attestKind({ change_class: 'small' }))).toMatch(/^change_class of the act is small; allowed: text,/)
  const window = { from: '2026-02-01T00:00:00Z', to: '2026-01-01T00:00:00Z' }
  expect(refusal('VALIDATION_RANGE_INVALID', () => decide(attestKind(window))).message).toMatch(/2026-02-01/)
})

test('old knowledge, and that of the future, is refused', () => {
  const asOf = (days: number) => attestAct('r1', { as_of: formatMicros(MODEL_START + days * MICROS_PER_DAY) })
  expect(refused(asOf(-8))).toMatch(/^as_of of the act is /)
  expect(refused(asOf(1))).toMatch(/^as_of of the act is /)
  expect(decide(asOf(-7)).attestations.get(CHANGE_ID)?.size).toBe(1)
})

test('nobody but a runner attests', () => {
  expect(refusal('REVIEW_NOT_ALLOWED', () => decide(attestAct('c1'))).message).toMatch(/allowed to attest/)
})

test('the last report of a runner decides how runners stand', () => {
  const report = (runner: string, impact_digest: string) => ({ runner, impact_digest })
  const [a, b] = ['a'.repeat(64), 'b'.repeat(64)]
  const stands = (...reports: ReturnType<typeof report>[]) => agreementOf(latestReports(reports))
  expect(stands(report('r1', a), report('r1', a))).toBe('one_runner')
  expect(stands(report('r1', a), report('r2', b))).toBe('disputed')
  expect(stands(report('r1', a), report('r2', b), report('r1', b))).toBe('agreed')
  expect(stands(report('r1', a), report('r2', a), report('r3', b))).toBe('disputed')
})

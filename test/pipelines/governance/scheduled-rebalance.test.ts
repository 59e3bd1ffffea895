import { expect, test } from 'vitest'
import { policyDocument, recordHash, rosterDocument } from '../../../pipelines/governance/documents.ts'
import { moveDue } from '../../../pipelines/governance/due.ts'
import { checkPolicy, type PolicyContent, parsePolicy } from '../../../pipelines/governance/policy.ts'
import {
  type Change,
  type GovernanceState,
  NO_GOVERNANCE,
  type Proposal,
} from '../../../pipelines/governance/proposal.ts'
import { planProposal } from '../../../pipelines/governance/propose.ts'
import { versionContent } from '../../../pipelines/governance/version-content.ts'
import type { VersionFile } from '../../../pipelines/index/definition-schema.ts'
import { parseDefinition } from '../../../pipelines/index/parse-definition.ts'
import { rebalancedFile } from '../../../pipelines/selection/next-version.ts'
import { canonicalJson } from '../../../primitives/canonical-json.ts'
import { formatMicros, MICROS_PER_DAY, toMicros } from '../../../primitives/instants.ts'
import { TEST_POLICY } from '../../support/governance-world.ts'
import { refusal } from '../../support/refusal.ts'
import { person } from '../../support/review-world.ts'

const HOUR = MICROS_PER_DAY / 24
const START = toMicros('2026-06-03T14:00:00Z')
const NOW = START - 5.5 * MICROS_PER_DAY
const PEOPLE = [person('admin', 'administrator'), person('ann', 'committee'), person('olaf', 'oversight')]
const CLASS = { committee: 1, oversight: 0, comment: 'PT0S', vote: 'PT0S', notice: 'P5D' }
const POLICY: PolicyContent = { ...TEST_POLICY, classes: { ...TEST_POLICY.classes, scheduled_rebalance: CLASS } }

const constituent = (id: string) => ({
  ...{ constituent_id: `con_${id}`, venue_id: 'polymarket', source_market_id: id, outcome: 'YES' },
  ...{ normalization: 'probability_0_1', group_event: `evt_${id}` },
})
const SELECTION = {
  universe: { venue_ids: ['polymarket'] },
  eligibility_policy: { policy_id: 'pol_core', version: '1' },
  ranking: { fact: 'median_daily_volume' },
  count: 2,
}
const BASE_FILE = {
  ...{ version: '1', effective_from: '2026-05-06T14:00:00Z', calculation_frequency: 'P1D' },
  ...{ weighting: { rule: 'sqrt_volume' }, selection: SELECTION, rebalance: { schedule: 'monthly' } },
  constituents: [constituent('a'), constituent('b')],
} as unknown as VersionFile

function contentOf(file: VersionFile, parameters: object = {}): Change['content'] {
  const text = canonicalJson({
    index: { index_id: 'idx_rule', slug: 'rule', symbol: 'RULE', name: 'Rule', base_date: '2026-05-01T00:00:00Z' },
    methodology: { methodology_id: 'mth_rule', version: '1', name: 'Rule', parameters },
    versions: [file.selection === undefined ? file : { ...file, constituents: undefined }],
  })
  const definition = parseDefinition(text, 'rule.yaml')
  const ids = file.constituents!.map(({ constituent_id }) => String(constituent_id))
  const target_weights = Object.fromEntries(ids.map((id) => [id, ids.length === 1 ? '1.0000000000' : '0.5000000000']))
  return versionContent({
    ...definition,
    file,
    target_weights,
    supersedes_version_id: 'ver_1',
  })
}

const BASE = contentOf(BASE_FILE)
const adopted = (document: object) => ({
  ...{ document, record_hash: recordHash(document), proposal_id: 'prp_x', effective_from: 0 },
})

function stateOf(policy: PolicyContent, content = BASE): GovernanceState {
  const expires_at = NOW + 300 * MICROS_PER_DAY
  const roster = rosterDocument({ members: PEOPLE.map(({ member }) => member), threshold: 1, expires_at }, null)
  const base = { kind: 'index_adoption', target: 'idx_rule', content, state: 'effective' } as unknown as Proposal
  return {
    ...NO_GOVERNANCE,
    rosters: [adopted(roster)] as unknown as GovernanceState['rosters'],
    policies: [adopted(policyDocument(policy, expires_at, null))] as unknown as GovernanceState['policies'],
    heads: new Map([['idx_rule', recordHash(content)]]),
    proposals: new Map([['prp_base', base]]),
  }
}

const rebalanced = (more: object = {}, at = START): VersionFile =>
  ({ ...rebalancedFile(BASE_FILE, at), constituents: [constituent('a'), constituent('c')], ...more }) as VersionFile
const changeOf = (content: Change['content'], more: Partial<Change> = {}): Change => ({
  ...{ kind: 'index_version', base_hash: recordHash(BASE), content, rationale: 'a test' },
  ...{ impact_digest: null, emergency: null, ...more },
})
const plan = (change: Change, policy = POLICY, at = NOW) =>
  planProposal(stateOf(policy), change, { actor_id: 'ann', at, is_draft: false })

test('the same rules from the next instant of the schedule are a scheduled rebalance, with the rule of its class', () => {
  const proposal = plan(changeOf(contentOf(rebalanced())))
  expect(proposal).toMatchObject({ change_class: 'scheduled_rebalance', state: 'proposed', rule: CLASS })
})

test('it takes effect an hour before it begins, its notice having begun with the announcement', () => {
  const proposal = { ...plan(changeOf(contentOf(rebalanced()))), state: 'approved' as const }
  const state = { ...stateOf(POLICY), proposals: new Map([[proposal.proposal_id, proposal]]) }
  const queued = (at: number) =>
    moveDue(state, { act: 'queue', proposal_id: proposal.proposal_id, since: at, reason: null }, at).effective_at
  expect(queued(NOW)).toBe(START - HOUR)
  expect(queued(START - 2 * HOUR)).toBe(START - HOUR)
  expect(queued(START - HOUR / 2)).toBe(START - HOUR / 2)
})

test.each<[string, VersionFile]>([
  ['another universe', rebalanced({ selection: { ...SELECTION, universe: { venue_ids: ['kalshi'] } } })],
  [
    'another policy of eligibility',
    rebalanced({ selection: { ...SELECTION, eligibility_policy: { policy_id: 'pol_core', version: '2' } } }),
  ],
  ['another count', rebalanced({ selection: { ...SELECTION, count: 3 } })],
  ['another schedule', rebalanced({ rebalance: { schedule: 'weekly' } })],
  ['caps', rebalanced({ caps: { single: '0.60' } })],
  [
    'the rule of another version',
    { ...rebalanced(), ...rebalancedFile({ ...BASE_FILE, calculation_frequency: 'PT1H' } as VersionFile, START) },
  ],
  ['an instant off the schedule', rebalanced({}, START + MICROS_PER_DAY)],
  [
    'constituents that are listed',
    (({ selection: _s, rebalance: _r, ...file }) => ({ ...file, weighting: { rule: 'equal' } }))(
      rebalanced() as VersionFile & { selection: unknown; rebalance: unknown },
    ) as VersionFile,
  ],
])('an ordinary change with %s needs an impact', (_name, file) => {
  refusal('GOVERNANCE_IMPACT_REQUIRED', () => plan(changeOf(contentOf(file))))
})

const reasonsOf = (run: () => unknown) => {
  const { message } = refusal('GOVERNANCE_IMPACT_REQUIRED', run)
  return [...message.matchAll(/\(([A-Z_]+)\)/g)].map(([, reason]) => reason)
}

test('the refusal says why a version with a schedule, or after one, is no scheduled rebalance', () => {
  const reasons = (file: VersionFile, parameters: object = {}) =>
    reasonsOf(() => plan(changeOf(contentOf(file, parameters))))
  expect(reasons(rebalanced({ rebalance: { schedule: 'weekly' } }))).toEqual(['RULES_CHANGED'])
  expect(reasons(rebalanced({}, START + MICROS_PER_DAY))).toEqual(['OFF_SCHEDULE'])
  expect(reasons(rebalanced({ caps: { single: '0.60' } }, START + MICROS_PER_DAY))).toEqual([
    'OFF_SCHEDULE',
    'RULES_CHANGED',
  ])
  expect(reasons(rebalanced(), { 'restate.bp': '7' })).toEqual(['RULES_CHANGED'])
  const { rebalance: _none, ...unscheduled } = BASE_FILE as VersionFile & { rebalance: unknown }
  const base = contentOf(unscheduled as VersionFile)
  const after = (file: VersionFile) => () =>
    planProposal(
      stateOf(POLICY, base),
      { ...changeOf(contentOf(file)), base_hash: recordHash(base) },
      { actor_id: 'ann', at: NOW, is_draft: false },
    )
  expect(reasonsOf(after(rebalanced({ rebalance: { schedule: 'weekly' } })))).toEqual(['NO_SCHEDULE'])
  // Neither of both has a schedule: an impact alone can help.
  const other = { ...unscheduled, version: '2', effective_from: '2026-06-03T14:00:00Z' } as VersionFile
  expect(reasonsOf(after(other))).toEqual([])
})

test('another methodology, or an emergency, needs an impact', () => {
  const other = contentOf(rebalanced(), { 'restate.bp': '7' })
  refusal('GOVERNANCE_IMPACT_REQUIRED', () => plan(changeOf(other)))
  const emergency = changeOf(contentOf(rebalanced()), { emergency: 'VENUE_OUTAGE' })
  refusal('GOVERNANCE_IMPACT_REQUIRED', () => plan(emergency))
})

test('a policy without the class is read as it is, and has the rule of a material change for it', () => {
  const delays = { ...TEST_POLICY.classes.material, comment: 'PT0S', vote: 'PT0S' }
  const policy = { ...TEST_POLICY, classes: { ...TEST_POLICY.classes, material: delays } }
  expect(plan(changeOf(contentOf(rebalanced())), policy)).toMatchObject({
    change_class: 'scheduled_rebalance',
    rule: delays,
  })
  const parsed = ({ classes, ...periods }: PolicyContent) =>
    parsePolicy(canonicalJson({ policy: { expires_at: formatMicros(NOW), ...periods }, classes }), 'policy.yaml')
      .content
  expect(parsed(TEST_POLICY)).toEqual(TEST_POLICY)
  expect(parsed(POLICY)).toEqual(POLICY)
})

test('a notice that no composition could keep is refused', () => {
  const members = PEOPLE.map(({ member }) => member)
  const of_days = (notice: string) => ({
    ...TEST_POLICY,
    classes: { ...TEST_POLICY.classes, scheduled_rebalance: { ...CLASS, notice } },
  })
  const both = [...members, ...members]
  expect(() => checkPolicy(of_days('P5D'), both)).not.toThrow()
  expect(refusal('VALIDATION_DEFINITION_INVALID', () => checkPolicy(of_days('P6D'), both)).message).toBe(
    'notice of scheduled_rebalance is P6D; allowed: at most P5D: compositions of governed indexes are announced that long before',
  )
})

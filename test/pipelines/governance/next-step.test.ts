import { expect, test } from 'vitest'
import { policyDocument, rosterDocument } from '../../../pipelines/governance/documents.ts'
import { instantsToCome, nextStepOf } from '../../../pipelines/governance/next-step.ts'
import { type GovernanceState, NO_GOVERNANCE, type Proposal } from '../../../pipelines/governance/proposal.ts'
import { MICROS_PER_DAY, toMicros } from '../../../primitives/instants.ts'
import type { RosterRole } from '../../../vocabulary/governance.ts'
import { TEST_POLICY } from '../../support/governance-world.ts'

const AT = toMicros('2026-01-01T00:00:00Z')
const day = (days: number) => AT + days * MICROS_PER_DAY
const adopted = <D>(document: D) => ({
  document,
  record_hash: 'a'.repeat(64),
  proposal_id: 'prp_a',
  effective_from: AT,
})
const keyOf = (actor_id: string) => Buffer.from(actor_id.padEnd(32)).toString('hex')
const member = (actor_id: string, ...roles: RosterRole[]) => ({
  ...{ actor_id, name: actor_id, roles },
  keys: [{ public_key: keyOf(actor_id), valid_from: 0, valid_to: null, revoked_at: null }],
})
const rosterOf = (threshold: number, ...members: ReturnType<typeof member>[]) =>
  rosterDocument({ members, threshold, expires_at: day(300) }, null)
const before = adopted(
  rosterOf(
    2,
    member('old', 'administrator'),
    member('deputy', 'administrator'),
    member('ann', 'committee'),
    member('olaf', 'oversight'),
  ),
)
const state: GovernanceState = {
  ...NO_GOVERNANCE,
  rosters: [before],
  policies: [adopted(policyDocument(TEST_POLICY, day(300), null))],
}
const approvedBy = (...people: string[]) =>
  people.map((actor_id) => ({ actor_id, choice: 'approve' as const, public_key: keyOf(actor_id), acted_at: AT }))
const proposal = (of: Partial<Proposal>) =>
  ({
    ...{ proposal_id: 'prp_b', kind: 'index_status', target: 'idx_a:status', state: 'proposed', reason: null },
    ...{ change_class: 'emergency', emergency: 'OUTAGE', rule: TEST_POLICY.classes.emergency, content: {} },
    ...{ proposed_at: AT, comment_ends_at: AT, vote_ends_at: null, effective_at: null, lapses_at: null },
    ...{ expires_at: day(90), votes: [], ratifications: [], ...of },
  }) as unknown as Proposal
const next = (of: Partial<Proposal>, at = AT) => nextStepOf(state, proposal(of), at)

test('a proposal names the signatures that are missing, who has signed, and until when', () => {
  expect(next({ votes: approvedBy('ann') })).toBe('1 more of oversight (0 of 1), before 2026-04-01T00:00:00Z')
  expect(next({ vote_ends_at: day(14) })).toBe(
    '1 more of committee (0 of 1), and 1 more of oversight (0 of 1), before 2026-01-15T00:00:00Z',
  )
  const votes = approvedBy('ann', 'olaf')
  expect(next({ votes, vote_ends_at: day(14) })).toBe('it has its signatures; decided at 2026-01-15T00:00:00Z')
  const against = [{ ...votes[0]!, choice: 'dissent' as const, actor_id: 'old' }]
  expect(next({ votes: [...votes, ...against, { ...against[0]!, actor_id: 'deputy' }] })).toBe(
    'more approvals than dissents, before 2026-04-01T00:00:00Z',
  )
})

test('a roster that replaces everybody waits for the threshold of both rosters, and says so', () => {
  const next_roster = rosterDocument(
    { members: [member('new', 'administrator'), member('newer', 'administrator')], threshold: 2, expires_at: day(300) },
    before,
  )
  const content = next_roster as unknown as Proposal['content']
  const roster = { kind: 'roster', change_class: 'roster', rule: null, emergency: null, content } as const
  expect(next({ ...roster, votes: approvedBy('old', 'deputy') })).toBe(
    '2 more of administrators of roster 2 (0 of 2), before 2026-04-01T00:00:00Z',
  )
  expect(next({ ...roster, votes: approvedBy('old', 'new', 'newer') })).toBe(
    '1 more of administrators of roster 1 (1 of 2: old), before 2026-04-01T00:00:00Z',
  )
  const first = { ...roster, content: rosterOf(1, member('new', 'administrator')) as unknown as Proposal['content'] }
  expect(nextStepOf(NO_GOVERNANCE, proposal(first), AT)).toContain(
    '1 more of administrators of the first roster (0 of 1)',
  )
})

test('an emergency in force names the ratifications that are missing, until it is ratified', () => {
  const effective = { state: 'effective', lapses_at: day(3) } as const
  expect(next({ ...effective, ratifications: approvedBy('ann') })).toBe(
    'ratifications, 1 more of committee (1 of 2: ann), and 1 more of oversight (0 of 1); it lapses at 2026-01-04T00:00:00Z without them',
  )
  expect(next({ ...effective, lapses_at: null })).toBe('none, it is ratified and stays in force')
  expect(next({ ...effective, lapses_at: null, emergency: null })).toBe('none, it is in force')
})

test('other states name what comes by itself, or why it ended', () => {
  const queued = { state: 'queued', kind: 'policy', effective_at: day(1) } as const
  expect(next(queued)).toBe('takes effect at 2026-01-02T00:00:00Z; oversight may veto it until then')
  const version = { kind: 'index_version', content: { effective_from: '2026-01-05T00:00:00Z' } } as const
  expect(next({ ...queued, ...version } as Partial<Proposal>)).toBe(
    'takes effect at 2026-01-05T00:00:00Z; oversight may veto it until 2026-01-02T00:00:00Z, when it is published',
  )
  const published = { ...version, state: 'effective', effective_at: day(1), emergency: null } as Partial<Proposal>
  expect(next(published, day(2))).toBe(
    'takes effect at 2026-01-05T00:00:00Z; it is published, so a veto is no longer possible',
  )
  expect(next(published, day(4))).toBe('none, it is in force')
  expect(next({ state: 'vetoed', reason: 'too early' })).toBe('none, it is vetoed: too early')
  const come = (of: Partial<Proposal>, after = AT) =>
    instantsToCome(proposal(of), after).map(({ what, at }) => `${what} ${at}`)
  expect(come(queued)).toEqual(['takes effect 2026-01-02T00:00:00Z', 'expires 2026-04-01T00:00:00Z'])
  expect(come(queued, day(1))).toEqual(['expires 2026-04-01T00:00:00Z'])
  expect(come({ state: 'consulting', comment_ends_at: day(7), vote_ends_at: day(14) })).toEqual([
    'comments end 2026-01-08T00:00:00Z',
    'vote ends 2026-01-15T00:00:00Z',
    'expires 2026-04-01T00:00:00Z',
  ])
  expect(come({ state: 'effective', lapses_at: day(3) })).toEqual(['lapses 2026-01-04T00:00:00Z'])
  expect(come({ state: 'rejected' })).toEqual([])
})

import { expect, test } from 'vitest'
import type { GovernanceAct } from '../../../pipelines/governance/acts.ts'
import { decideAct } from '../../../pipelines/governance/decide.ts'
import { policyDocument, recordHash } from '../../../pipelines/governance/documents.ts'
import { checkPolicy, stricterRule } from '../../../pipelines/governance/policy.ts'
import { type Change, type GovernanceState, proposalIdOf } from '../../../pipelines/governance/proposal.ts'
import { PROPOSAL_MOVES } from '../../../pipelines/governance/proposal-states.ts'
import { planProposal } from '../../../pipelines/governance/propose.ts'
import { hasSignatures } from '../../../pipelines/governance/quorum.ts'
import { recordDecision } from '../../../pipelines/governance/record-decision.ts'
import { formatMicros, MICROS_PER_DAY, type Micros } from '../../../primitives/instants.ts'
import { GOVERNANCE_ACTS, PROPOSAL_STATES, SERVICE_ACTS } from '../../../vocabulary/governance.ts'
import { attest, begin, keyOf, MODEL_START, settle, withRoster } from '../../support/governance-histories.ts'
import { TEST_POLICY } from '../../support/governance-world.ts'
import { refusal } from '../../support/refusal.ts'

const ENDS = { roster: MODEL_START + 399 * MICROS_PER_DAY, policy: MODEL_START + 399 * MICROS_PER_DAY }
const HOUR = MICROS_PER_DAY / 24
const DIGEST = 'd'.repeat(64)
const BASE = 'a'.repeat(64)
const day = (days: number): Micros => MODEL_START + Math.round(days * MICROS_PER_DAY)

type Class = 'text' | 'parameter' | 'material'

/** One proposal for an index, and what people do to it. */
function story(of: {
  readonly change_class: Class
  readonly start?: number
  readonly emergency?: string
  readonly digests?: string[]
}) {
  const change: Change = {
    kind: 'index_version',
    base_hash: BASE,
    content: { index_id: 'idx_a', version: '2', effective_from: formatMicros(day(of.start ?? 60)) },
    rationale: 'a test',
    impact_digest: DIGEST,
    emergency: of.emergency ?? null,
  }
  const { kind, ...details } = change
  const subject_id = proposalIdOf(change)
  let state: GovernanceState = attest(
    begin(ENDS, new Map([['idx_a', BASE]])),
    change,
    of.digests ?? [DIGEST, DIGEST],
    of.change_class,
  )
  const act = (at: Micros, by: string, name: GovernanceAct['act'], said: GovernanceAct['details'], key = 1) => {
    state = settle(state, at)
    const signed: GovernanceAct = { act: name, kind, subject_id, details: said, actor_id: by, acted_at: at }
    const { decision } = decideAct(state, { act: signed, public_key: keyOf(by, key), recorded_at: at })
    state = settle(recordDecision(state, decision, at), at)
  }
  return {
    propose: (at = day(0), by = 'c1') => act(at, by, 'propose', details),
    vote: (at: Micros, by: string, choice = 'approve', key = 1) => act(at, by, 'vote', { choice, reason: null }, key),
    act,
    change_state: (next: (state: GovernanceState) => GovernanceState) => {
      state = next(state)
    },
    proposal: (at: Micros) => {
      state = settle(state, at)
      return state.proposals.get(subject_id)!
    },
    head: () => state.heads.get('idx_a'),
  }
}

test('the table of moves is total: people’s acts and the service’s, in every state', () => {
  for (const state of PROPOSAL_STATES)
    expect(Object.keys(PROPOSAL_MOVES[state]).sort()).toEqual([...GOVERNANCE_ACTS].sort())
  for (const state of ['rejected', 'cancelled', 'vetoed', 'expired', 'lapsed'] as const)
    expect(Object.values(PROPOSAL_MOVES[state]).flat()).toEqual([])
  expect(SERVICE_ACTS.every((act) => GOVERNANCE_ACTS.includes(act))).toBe(true)
})

test('a person fills one seat, also with two roles and two keys', () => {
  const both = { roles: ['committee', 'oversight'] } as const
  const member = { roles: ['committee'] } as const
  expect(hasSignatures([both], { committee: 1, oversight: 1 })).toBe(false)
  expect(hasSignatures([both, member], { committee: 1, oversight: 1 })).toBe(true)
  const change = story({ change_class: 'parameter' })
  change.propose()
  change.vote(day(1), 'c2')
  change.vote(day(1), 'c2', 'approve', 2)
  expect(change.proposal(day(2)).state).toBe('proposed')
  change.vote(day(2), 'c3')
  expect(change.proposal(day(2))).toMatchObject({ state: 'queued', effective_at: day(7) })
})

test('nothing is effective before its notice ends, and then once', () => {
  const change = story({ change_class: 'text' })
  change.propose()
  change.vote(day(1), 'c2')
  expect(change.proposal(day(2) - 1).state).toBe('queued')
  expect(change.head()).toBe(BASE)
  expect(change.proposal(day(2))).toMatchObject({ state: 'effective', lapses_at: null })
  const { revision } = change.proposal(day(2))
  expect(change.proposal(day(50)).revision).toBe(revision)
})

test('a quorum in the last 24 hours of a vote adds 48 hours, once', () => {
  const late = story({ change_class: 'material' })
  late.propose()
  late.vote(day(1), 'c2')
  late.vote(day(1), 'c3')
  late.vote(day(13) + HOUR, 'o1')
  expect(late.proposal(day(14))).toMatchObject({ state: 'consulting', is_prolonged: true, vote_ends_at: day(16) })
  late.vote(day(15), 'o1', 'dissent')
  late.vote(day(15) + HOUR, 'o1')
  expect(late.proposal(day(16))).toMatchObject({ state: 'queued', effective_at: day(30) })
  const early = story({ change_class: 'material' })
  early.propose()
  for (const by of ['c2', 'c3', 'o1']) early.vote(day(12), by)
  expect(early.proposal(day(14))).toMatchObject({ state: 'queued', is_prolonged: false })
})

test('a veto counts until the change is effective', () => {
  const change = story({ change_class: 'text' })
  change.propose()
  change.vote(day(1), 'c2')
  change.act(day(2) - 1, 'o1', 'veto', { reason: 'no' })
  expect(change.proposal(day(3))).toMatchObject({ state: 'vetoed', reason: 'no' })
  expect(refusal('REVIEW_STATE_CONFLICT', () => change.vote(day(3), 'c3')).message).toMatch(/is vetoed, in which vote/)
})

test('an emergency lapses after 72 hours, unless it is ratified as a material change', () => {
  const lapsing = story({ change_class: 'material', emergency: 'OUTAGE', start: 1 })
  lapsing.propose()
  lapsing.vote(day(0), 'c2')
  lapsing.vote(day(0), 'o1')
  expect(lapsing.proposal(day(0))).toMatchObject({ state: 'effective', lapses_at: day(3) })
  lapsing.act(day(1), 'c2', 'ratify', {})
  lapsing.act(day(1), 'o1', 'ratify', {})
  expect(lapsing.proposal(day(3) - 1).state).toBe('effective')
  expect(lapsing.proposal(day(3))).toMatchObject({ state: 'lapsed', reason: 'NOT_RATIFIED' })
  expect(lapsing.head()).toBe(BASE)
  const kept = story({ change_class: 'material', emergency: 'OUTAGE', start: 1 })
  kept.propose()
  for (const by of ['c2', 'o1']) kept.vote(day(0), by)
  for (const by of ['c2', 'c3', 'o1']) kept.act(day(1), by, 'ratify', {})
  expect(kept.proposal(day(80))).toMatchObject({ state: 'effective', lapses_at: null })
})

test('an impact that one runner has signed, or that a runner disputes, allows no proposal', () => {
  for (const digests of [[], [DIGEST], [DIGEST, 'c'.repeat(64)], [DIGEST, DIGEST, 'c'.repeat(64)]]) {
    const change = story({ change_class: 'text', digests })
    expect(refusal('GOVERNANCE_IMPACT_REQUIRED', () => change.propose()).message).toMatch(/^impact_digest is/)
  }
})

test('nobody approves what they proposed, votes after recusal, or cancels another’s proposal', () => {
  const change = story({ change_class: 'parameter' })
  change.propose()
  expect(refusal('REVIEW_NOT_ALLOWED', () => change.vote(day(1), 'c1')).message).toMatch(/c1, who proposed it/)
  change.vote(day(1), 'c2')
  change.act(day(1), 'c2', 'recuse', { reason: 'a holding' })
  expect(change.proposal(day(1)).votes).toEqual([])
  refusal('REVIEW_NOT_ALLOWED', () => change.vote(day(1), 'c2'))
  refusal('REVIEW_NOT_ALLOWED', () => change.act(day(1), 'c3', 'cancel', { reason: 'no' }))
  refusal('REVIEW_NOT_ALLOWED', () => change.vote(day(1), 'a1'))
})

test('a key revoked from before it signed takes its vote back, also from what is queued', () => {
  const revoke = (key: string, at: Micros) => (state: GovernanceState) => withRoster(state, ENDS, new Map([[key, at]]))
  const open = story({ change_class: 'parameter' })
  open.propose()
  open.vote(day(1), 'c2')
  open.change_state(revoke(keyOf('c2', 1), day(0.5)))
  open.vote(day(2), 'c3')
  expect(open.proposal(day(2)).state).toBe('proposed')
  const queued = story({ change_class: 'text' })
  queued.propose()
  queued.vote(day(1), 'c2')
  queued.change_state(revoke(keyOf('c2', 1), day(0.5)))
  expect(queued.proposal(day(2))).toMatchObject({ state: 'expired', reason: 'SIGNATURES_REVOKED' })
  const valid = story({ change_class: 'text' })
  valid.propose()
  valid.vote(day(1), 'c2')
  valid.change_state(revoke(keyOf('c2', 1), day(1.5)))
  expect(valid.proposal(day(2)).state).toBe('effective')
})

test('after the end of the roster or of the policy, acts are refused', () => {
  const change = story({ change_class: 'text' })
  change.propose()
  expect(refusal('REVIEW_NOT_ALLOWED', () => change.vote(ENDS.roster, 'c2')).message).toMatch(/^roster expired at/)
  change.change_state((state) => withRoster(state, { ...ENDS, roster: ENDS.roster + MICROS_PER_DAY }, new Map()))
  change.change_state((state) => ({ ...state, proposals: state.proposals }))
  expect(refusal('REVIEW_NOT_ALLOWED', () => change.vote(ENDS.roster, 'c2')).message).toMatch(/^policy is expired at/)
})

test('a version that begins before its notice can end, is refused', () => {
  const change = story({ change_class: 'material', start: 27 })
  expect(refusal('VALIDATION_DEFINITION_INVALID', () => change.propose()).message).toMatch(
    /^effective_from is .*or later/,
  )
})

test('an index that has ended gets no version: a proposal is refused, a queued one expires', () => {
  const end = (state: GovernanceState) => ({ ...state, statuses: new Map([['idx_a', 'archived'] as const]) })
  const late = story({ change_class: 'text' })
  late.change_state(end)
  expect(refusal('REVIEW_STATE_CONFLICT', () => late.propose()).message).toMatch(/^index idx_a is archived/)
  const queued = story({ change_class: 'text' })
  queued.propose()
  queued.vote(day(1), 'c2')
  queued.change_state(end)
  expect(queued.proposal(day(2))).toMatchObject({ state: 'expired', reason: 'INDEX_ARCHIVED' })
  expect(queued.head()).toBe(BASE)
})

test('an emergency that lapses after a successor has replaced it leaves the successor in force', () => {
  const change = story({ change_class: 'material', emergency: 'OUTAGE', start: 1 })
  change.propose()
  for (const by of ['c2', 'o1']) change.vote(day(0), by)
  const successor = 'b'.repeat(64)
  change.change_state((state) => ({ ...state, heads: new Map(state.heads).set('idx_a', successor) }))
  expect(change.proposal(day(3))).toMatchObject({ state: 'lapsed' })
  expect(change.head()).toBe(successor)
})

test('a policy change waits the longer of the old and the new delay', () => {
  const [short, long] = [TEST_POLICY.classes.text, TEST_POLICY.classes.material]
  expect(stricterRule(short, long)).toEqual(long)
  expect(stricterRule(long, short)).toEqual(long)
  const members = [{ roles: ['committee'] }, { roles: ['committee'] }, { roles: ['oversight'] }] as const
  expect(() => checkPolicy(policyDocument(TEST_POLICY, ENDS.policy, null), members)).not.toThrow()
  const unwatched = { ...TEST_POLICY, classes: { ...TEST_POLICY.classes, emergency: { ...short, committee: 2 } } }
  expect(() => checkPolicy(unwatched, members)).toThrow(/^oversight of emergency is 0/)
  const unsigned = { ...TEST_POLICY, classes: { ...TEST_POLICY.classes, text: { ...short, committee: 0 } } }
  expect(() => checkPolicy(unsigned, members)).toThrow(/^committee of text is 0/)
})

test('the base of a first status is none, and a change that has lapsed is named with its state', () => {
  const content = { index_id: 'idx_a', status: 'suspended', effective_from: formatMicros(day(1)) }
  const change: Change = {
    kind: 'index_status',
    base_hash: BASE,
    content,
    rationale: 'a test',
    impact_digest: null,
    emergency: null,
  }
  const proposeOn = (state: GovernanceState) => () =>
    planProposal(state, change, { actor_id: 'c1', at: day(0), is_draft: false })
  const state = begin(ENDS, new Map([['idx_a', BASE]]))
  expect(refusal('GOVERNANCE_BASE_STALE', proposeOn(state)).message).toBe(
    `base_hash is ${BASE}; allowed: none, because no idx_a:status is in force`,
  )
  const lapsed = {
    ...planProposal(state, { ...change, base_hash: null }, { actor_id: 'c1', at: day(0), is_draft: false }),
  }
  const ended = { ...state, proposals: new Map([[lapsed.proposal_id, { ...lapsed, state: 'lapsed' as const }]]) }
  const on_it = { ...change, base_hash: recordHash(content) }
  const refused = () => planProposal(ended, on_it, { actor_id: 'c1', at: day(0), is_draft: false })
  expect(refusal('GOVERNANCE_BASE_STALE', refused).message).toBe(
    `base_hash is ${recordHash(content)}; allowed: none, because no idx_a:status is in force; ${lapsed.proposal_id}, which has that content, is lapsed`,
  )
})

test('a proposal that expires before its notice can end names the lifetime; a status that begins too late its start', () => {
  const known = begin(ENDS, new Map([['idx_a', BASE]]))
  const lived = (proposal_lifetime: string): GovernanceState => ({
    ...known,
    policies: known.policies.map((one) => ({ ...one, document: { ...one.document, proposal_lifetime } })),
  })
  const on = (state: GovernanceState, kind: Change['kind'], content: Change['content']) => () =>
    planProposal(
      state,
      { kind, content, base_hash: null, rationale: 'a test', impact_digest: null, emergency: null },
      { actor_id: 'c1', at: day(0), is_draft: false },
    )
  const methodology = { methodology_id: 'mth_a', version: '1', name: 'a', parameters: {} }
  const end = (from: number) => ({
    ...{ index_id: 'idx_a', effective_from: formatMicros(day(from)), final_value: 'last', substitute_index_id: null },
  })
  const short = lived('PT1H')
  for (const [kind, content] of [
    ['methodology', methodology],
    ['cessation', end(0)],
  ] as const)
    expect(refusal('VALIDATION_DEFINITION_INVALID', on(short, kind, content)).message).toMatch(
      new RegExp(
        `^proposal_lifetime is .*; allowed: one that ends after .*, when the notice of a ${kind} can have ended$`,
      ),
    )
  const late = refusal('VALIDATION_DEFINITION_INVALID', on(lived('P60D'), 'cessation', end(60)))
  expect(late.message).toBe(
    `effective_from is ${formatMicros(day(60))}; allowed: before ${formatMicros(day(60))}, when the proposal expires`,
  )
  expect(on(lived('P60D'), 'cessation', end(59))).not.toThrow()
})

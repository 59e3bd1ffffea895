import { describe, expect, test } from 'vitest'
import { checkNewProposal } from '../../../pipelines/governance/check-new.ts'
import { policyDocument, recordHash, rosterDocument } from '../../../pipelines/governance/documents.ts'
import { type DueAct, owedBefore } from '../../../pipelines/governance/due.ts'
import { type GovernanceState, NO_GOVERNANCE, type Proposal } from '../../../pipelines/governance/proposal.ts'
import { formatMicros, MICROS_PER_DAY } from '../../../primitives/instants.ts'
import { PROPOSAL_STATES, type ProposalKind, type ProposalState } from '../../../vocabulary/governance.ts'
import { TEST_POLICY } from '../../support/governance-world.ts'

const AT = 20_000 * MICROS_PER_DAY
const proposal = (proposal_id: string, kind: ProposalKind, state: ProposalState, start = AT) =>
  ({
    ...{ proposal_id, kind, state, target: 'idx_a', emergency: null, impact_digest: null, rule: null, proposed_at: AT },
    ...{ comment_ends_at: AT, vote_ends_at: null, content: { index_id: 'idx_a', effective_from: formatMicros(start) } },
  }) as unknown as Proposal
const stateOf = (...proposals: Proposal[]): GovernanceState => ({
  ...NO_GOVERNANCE,
  proposals: new Map(proposals.map((one) => [one.proposal_id, one])),
})

test.each(PROPOSAL_STATES)('an index is adopted by one proposal at a time: another one that is %s', (state) => {
  const check = () =>
    checkNewProposal(
      stateOf(proposal('prp_a', 'index_adoption', state)),
      proposal('prp_b', 'index_adoption', 'proposed'),
    )
  const is_running = ['proposed', 'consulting', 'approved', 'queued'].includes(state)
  if (is_running) expect(check).toThrow('index idx_a has the running proposal prp_a')
  else expect(check).not.toThrow()
})

test.each(['index_status', 'cessation'] as const)('a %s begins when it is proposed, or later', (kind) => {
  expect(() => checkNewProposal(NO_GOVERNANCE, proposal('prp_a', kind, 'proposed'))).not.toThrow()
  expect(() => checkNewProposal(NO_GOVERNANCE, proposal('prp_a', kind, 'proposed', AT - 1))).toThrow(
    /^effective_from is/,
  )
})

test('an index that ends is not its own substitute; another one, or none, may be named', () => {
  const check = (substitute_index_id: string | null) => () => {
    const one = proposal('prp_a', 'cessation', 'proposed')
    checkNewProposal(NO_GOVERNANCE, { ...one, content: { ...one.content, index_id: 'idx_a', substitute_index_id } })
  }
  expect(check('idx_a')).toThrow('substitute_index_id is idx_a; allowed: an index that does not end with it, or null')
  for (const other of ['idx_b', null]) expect(check(other)).not.toThrow()
})

test('an unchanged roster or policy is refused; one with another expiry is not', () => {
  const form = { members: [], threshold: 1, expires_at: AT }
  const adopted = <D extends object>(document: D) => ({
    ...{ document, record_hash: recordHash(document), proposal_id: 'prp_a', effective_from: AT },
  })
  const roster = adopted(rosterDocument(form, null))
  const policy = adopted(policyDocument(TEST_POLICY, AT, null))
  const state = { ...NO_GOVERNANCE, rosters: [roster], policies: [policy] }
  const check = (kind: 'roster' | 'policy', content: object) => () =>
    checkNewProposal(state, { ...proposal('prp_b', kind, 'proposed'), content } as Proposal)
  expect(check('roster', rosterDocument(form, roster))).toThrow('roster is that of version 1, unchanged')
  expect(check('policy', policyDocument(TEST_POLICY, AT, policy))).toThrow('policy is that of version 1, unchanged')
  expect(check('roster', rosterDocument({ ...form, expires_at: AT + 1 }, roster))).not.toThrow()
  expect(check('policy', policyDocument({ ...TEST_POLICY, drift_after: 'P3D' }, AT, policy))).not.toThrow()
  expect(() => checkNewProposal(NO_GOVERNANCE, { ...proposal('prp_b', 'roster', 'proposed') })).not.toThrow()
})

test('acts of earlier releases, which put a status in force late, follow still; no others do', () => {
  const ended = (reason: string): DueAct => ({ act: 'expire', proposal_id: 'prp_a', since: AT, reason })
  const of = (kind: ProposalKind, state: ProposalState) => stateOf(proposal('prp_a', kind, state))
  expect(owedBefore(of('cessation', 'approved'), ended('START_BEFORE_NOTICE_ENDS'))?.act).toBe('queue')
  expect(owedBefore(of('index_status', 'queued'), ended('START_PASSED'))?.act).toBe('activate')
  expect(owedBefore(of('index_version', 'queued'), ended('START_PASSED'))).toBe(null)
  expect(owedBefore(of('index_status', 'queued'), ended('BASE_MOVED'))).toBe(null)
})

describe('an emergency over another', () => {
  const emergency = (proposal_id: string, of: Partial<Proposal>) =>
    ({ ...proposal(proposal_id, 'index_status', 'effective'), target: 'idx_a:status', ...of }) as Proposal
  const suspended = (of: Partial<Proposal>) => emergency('prp_a', { emergency: 'OUTAGE', ...of })
  const over = (base: Proposal, of: Partial<Proposal> = {}) =>
    emergency('prp_b', { state: 'proposed', emergency: 'BACK', base_hash: recordHash(base.content), ...of })
  const check = (base: Proposal, one: Proposal) => () => checkNewProposal(stateOf(base), one)

  test('that is not ratified is refused: both would lapse, and the second would return to the first', () => {
    const base = suspended({ lapses_at: AT + MICROS_PER_DAY })
    expect(check(base, over(base))).toThrow(
      /^emergency is BACK, over prp_a, not ratified; allowed: .* its ratification/,
    )
    // The same content may have been proposed before, and have expired.
    const expired = { ...base, proposal_id: 'prp_0', state: 'expired', lapses_at: null } as Proposal
    expect(() => checkNewProposal(stateOf(expired, base), over(base))).toThrow('over prp_a')
  })

  test('is allowed once that is ratified or has lapsed, over another record, and with its notice', () => {
    const base = suspended({ lapses_at: AT + MICROS_PER_DAY })
    const ratified = suspended({ lapses_at: null })
    expect(check(ratified, over(ratified))).not.toThrow()
    expect(check(base, over(base, { base_hash: null }))).not.toThrow()
    expect(check(base, over(base, { emergency: null }))).not.toThrow()
    const another = over(base, { target: 'idx_b:status' })
    expect(check(base, another)).not.toThrow()
  })

  test('does not end an index', () => {
    const content = { index_id: 'idx_a', status: 'archived', effective_from: formatMicros(AT) }
    const end = (of: string | null) =>
      check(suspended({ lapses_at: null }), emergency('prp_b', { emergency: of, content }))
    expect(end('END_IT')).toThrow('emergency is END_IT; allowed: none, for the end of an index')
    expect(end(null)).not.toThrow()
  })
})

describe('an emergency that lapsed', () => {
  const suspended = (proposal_id: string, of: Partial<Proposal> = {}) =>
    ({
      ...proposal(proposal_id, 'index_status', 'lapsed', AT),
      ...{ emergency: 'VENUE_OUTAGE', target: 'idx_a:status', lapses_at: AT + 3 * MICROS_PER_DAY, ...of },
      content: { index_id: 'idx_a', status: 'suspended', effective_from: formatMicros(AT), ...of.content },
    }) as Proposal
  const later = AT + 4 * MICROS_PER_DAY
  const again = (of: Partial<Proposal> = {}) =>
    suspended('prp_b', {
      ...{ state: 'proposed', lapses_at: null, proposed_at: later },
      ...of,
      content: { effective_from: formatMicros(later), ...of.content },
    })
  const check = (one: Proposal, ...others: Proposal[]) => {
    return () => checkNewProposal(stateOf(suspended('prp_a'), ...others), one)
  }
  const refused = /^emergency is .* for the act of prp_a, which lapsed without ratification/

  test.each([
    ['another instant', again()],
    ['another code', again({ emergency: 'STORM' })],
    ['another rationale', again({ rationale: 'another' })],
    ['other words in its content', again({ content: { note: 'another' } })],
  ])('is not invoked again with %s', (_name, one) => {
    expect(check(one)).toThrow(refused)
  })

  test('allows another act, another index, and the act with its notice', () => {
    expect(check(again({ content: { status: 'active' } }))).not.toThrow()
    expect(check(again({ target: 'idx_b:status' }))).not.toThrow()
    const announced = { emergency: null, content: { effective_from: formatMicros(later) } }
    expect(check(again(announced))).not.toThrow()
  })

  test('may be invoked once a like change has been in force with its notice, or ratified', () => {
    const since = { state: 'effective', lapses_at: null, proposed_at: later } as const
    expect(check(again(), suspended('prp_c', { ...since, emergency: null }))).not.toThrow()
    expect(check(again(), suspended('prp_c', { ...since, proposed_at: AT }))).toThrow(refused)
    expect(check(again(), suspended('prp_c', { ...since, lapses_at: later }))).toThrow(refused)
  })

  test('is the same act for every version of an index, whatever its weights', () => {
    const version = { kind: 'index_version', target: 'idx_a' } as const
    const lapsed = suspended('prp_v', { ...version, content: { status: undefined as never } })
    const next = again({ ...version, content: { status: undefined as never, target_weights: { con_a: '1' } } })
    expect(check(next, lapsed)).toThrow(/for the act of prp_v/)
  })
})

import { expect, test } from 'vitest'
import { checkNewProposal } from '../../../pipelines/governance/check-new.ts'
import { type DueAct, owedBefore } from '../../../pipelines/governance/due.ts'
import { type GovernanceState, NO_GOVERNANCE, type Proposal } from '../../../pipelines/governance/proposal.ts'
import { formatMicros, MICROS_PER_DAY } from '../../../primitives/instants.ts'
import { PROPOSAL_STATES, type ProposalKind, type ProposalState } from '../../../vocabulary/governance.ts'

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

test('acts of earlier releases, which put a status in force late, follow still; no others do', () => {
  const ended = (reason: string): DueAct => ({ act: 'expire', proposal_id: 'prp_a', since: AT, reason })
  const of = (kind: ProposalKind, state: ProposalState) => stateOf(proposal('prp_a', kind, state))
  expect(owedBefore(of('cessation', 'approved'), ended('START_BEFORE_NOTICE_ENDS'))?.act).toBe('queue')
  expect(owedBefore(of('index_status', 'queued'), ended('START_PASSED'))?.act).toBe('activate')
  expect(owedBefore(of('index_version', 'queued'), ended('START_PASSED'))).toBe(null)
  expect(owedBefore(of('index_status', 'queued'), ended('BASE_MOVED'))).toBe(null)
})

import { expect, test } from 'vitest'
import { baseHashOf, isBaseOf } from '../../../pipelines/governance/base-of-change.ts'
import { checkNewProposal } from '../../../pipelines/governance/check-new.ts'
import { recordHash } from '../../../pipelines/governance/documents.ts'
import {
  type Change,
  type GovernanceState,
  NO_GOVERNANCE,
  type Proposal,
} from '../../../pipelines/governance/proposal.ts'
import { differencesFromBase } from '../../../pipelines/governance/proposal-detail.ts'
import { classOf } from '../../../pipelines/governance/propose.ts'
import type { ProposalKind } from '../../../vocabulary/governance.ts'
import { refusal } from '../../support/refusal.ts'

const methodology = (version: string, parameters: Readonly<Record<string, string>> = {}, name = 'Coast') => ({
  ...{ methodology_id: 'mth_coast', version, name, content_hash: 'sha256:0', supersedes_version: null, parameters },
})
const proposal = (proposal_id: string, kind: ProposalKind, target: string, content: Change['content']) =>
  ({
    proposal_id,
    kind,
    target,
    content,
    base_hash: null,
    impact_digest: null,
    state: 'effective',
    emergency: null,
  }) as unknown as Proposal
const versionWith = (proposal_id: string, carried: Change['content'], kind: ProposalKind = 'index_version') =>
  proposal(proposal_id, kind, 'idx_coast', { index_id: 'idx_coast', version: proposal_id, methodology: carried })
const own = (proposal_id: string, content: Change['content']) =>
  proposal(proposal_id, 'methodology', 'mth_coast', content)

function stateAfter(...enacted: readonly Proposal[]): GovernanceState {
  const heads = new Map(enacted.map(({ target, content }) => [target, recordHash(content)]))
  const proposals = new Map(enacted.map((one) => [one.proposal_id, one]))
  return { ...NO_GOVERNANCE, heads, proposals, enacted: enacted.map(({ proposal_id }) => proposal_id) }
}
const changeTo = (content: Change['content'], base_hash: string | null): Change => ({
  ...{ kind: 'methodology', base_hash, content, rationale: 'a test', impact_digest: null, emergency: null },
})
const MTH = { kind: 'methodology', target: 'mth_coast' } as const
const first = methodology('1.0.0')

test.each(['index_version', 'index_adoption'] as const)(
  'a first proposal of a methodology is compared with the one that an %s published',
  (kind) => {
    const state = stateAfter(versionWith('prp_1', first, kind))
    const renamed = methodology('1.0.1', {}, 'Coast Two')
    const base_hash = baseHashOf(state, changeTo(renamed, null))
    expect(base_hash).toBe(recordHash(first))
    expect(classOf(state, changeTo(renamed, base_hash))).toBe('text')
    expect(classOf(state, changeTo(methodology('1.0.1', { 'restate.bp': '5' }), base_hash))).toBe('material')
    const record = { target: 'mth_coast', content: JSON.stringify(renamed), base_hash }
    const published = [...state.proposals.values()].map((one) => ({ ...one, content: JSON.stringify(one.content) }))
    const paths = differencesFromBase(record, published).map(({ path, before }) => [path, before])
    expect(paths).toEqual([
      ['/name', '"Coast"'],
      ['/version', '"1.0.0"'],
    ])
  },
)

test('a version that names an older methodology again leaves the newest one the base', () => {
  const second = methodology('1.0.1', { 'restate.bp': '5' })
  const state = stateAfter(versionWith('prp_1', first), own('prp_2', second), versionWith('prp_3', first))
  expect(baseHashOf(state, changeTo(methodology('1.0.2'), null))).toBe(recordHash(second))
  const carried = stateAfter(own('prp_2', second), versionWith('prp_3', methodology('1.0.2')))
  expect(baseHashOf(carried, changeTo(methodology('1.0.3'), null))).toBe(recordHash(methodology('1.0.2')))
  expect(
    baseHashOf(stateAfter(versionWith('prp_1', { ...first, methodology_id: 'mth_other' })), changeTo(first, null)),
  ).toBe(null)
})

test('acts of earlier releases named no base and are decided as they were; a new proposal has the newest', () => {
  const state = stateAfter(versionWith('prp_1', first))
  const next = methodology('1.0.1', {}, 'Coast Two')
  expect([null, recordHash(first), recordHash(next)].map((hash) => isBaseOf(state, MTH, hash))).toEqual([
    true,
    true,
    false,
  ])
  expect(classOf(state, changeTo(next, null))).toBe('material')
  const propose = (base_hash: string | null, of: GovernanceState) => () =>
    checkNewProposal(of, { ...own('prp_9', next), state: 'proposed', base_hash })
  refusal('GOVERNANCE_BASE_STALE', propose(null, state))
  expect(propose(recordHash(first), state)).not.toThrow()
  // The head of its own proposals is an older one, with the parameters of the change.
  const moved = stateAfter(own('prp_1', first), versionWith('prp_2', methodology('1.0.1', { 'restate.bp': '5' })))
  refusal('GOVERNANCE_BASE_STALE', propose(recordHash(first), moved))
})

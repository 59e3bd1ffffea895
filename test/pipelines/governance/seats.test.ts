import fc from 'fast-check'
import { expect, test } from 'vitest'
import { policyDocument, type RosterDocument, rosterDocument } from '../../../pipelines/governance/documents.ts'
import { nextStepOf } from '../../../pipelines/governance/next-step.ts'
import {
  type GovernanceState,
  NO_GOVERNANCE,
  type Proposal,
  type Vote,
} from '../../../pipelines/governance/proposal.ts'
import { ruleOf } from '../../../pipelines/governance/propose.ts'
import { countedVotes, isCarried, isRatified } from '../../../pipelines/governance/quorum.ts'
import { approvalSeats, ratificationSeats, type Seats } from '../../../pipelines/governance/seats.ts'
import type { RosterRole } from '../../../vocabulary/governance.ts'
import { TEST_POLICY } from '../../support/governance-world.ts'
import '../../support/fast-check.ts'

const YEAR = 365 * 86_400 * 1_000_000
const keyOf = (actor_id: string) => Buffer.from(actor_id.padEnd(32)).toString('hex')
const adopted = <D>(document: D) => ({ document, record_hash: 'a'.repeat(64), proposal_id: 'prp_a', effective_from: 0 })

type Person = { readonly roles: readonly RosterRole[]; readonly revoked_at: number | null }
const person = fc.record({
  roles: fc.uniqueArray(fc.constantFrom<RosterRole>('committee', 'oversight', 'administrator', 'analyst'), {
    minLength: 1,
  }),
  revoked_at: fc.option(fc.constantFrom(5, 50), { freq: 3 }),
})

function rosterOfPeople(people: readonly Person[], threshold: number): RosterDocument {
  const members = people.map(({ roles, revoked_at }, n) => ({
    actor_id: `p${n}`,
    name: `P${n}`,
    roles,
    keys: [{ public_key: keyOf(`p${n}`), valid_from: 0, valid_to: null, revoked_at }],
  }))
  return rosterDocument({ members, threshold, expires_at: YEAR }, null)
}

const votes = fc
  .uniqueArray(
    fc.record({
      actor_id: fc.nat(8).map((n) => `p${n}`),
      choice: fc.constantFrom('approve' as const, 'dissent' as const),
      acted_at: fc.constantFrom(1, 10, 60),
    }),
    { selector: ({ actor_id }) => actor_id },
  )
  .map((list) => list.map((vote): Vote => ({ ...vote, public_key: keyOf(vote.actor_id) })))

const areFilled = (seats: readonly Seats[]) => seats.every(({ needed, actor_ids }) => actor_ids.length >= needed)

const scene = fc.record({
  people: fc.array(person, { minLength: 1, maxLength: 8 }),
  next: fc.array(person, { minLength: 1, maxLength: 8 }),
  thresholds: fc.tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 3 })),
  votes,
  change_class: fc.constantFrom(
    'text' as const,
    'parameter' as const,
    'material' as const,
    'cessation' as const,
    'emergency' as const,
  ),
})

function stateOf({
  people,
  thresholds,
}: {
  people: readonly Person[]
  thresholds: readonly [number, number]
}): GovernanceState {
  const policy = adopted(policyDocument(TEST_POLICY, YEAR, null))
  return { ...NO_GOVERNANCE, rosters: [adopted(rosterOfPeople(people, thresholds[0]))], policies: [policy] }
}

test('a proposal is carried just when every seat is filled and more approve than dissent', () => {
  fc.assert(
    fc.property(scene, (one) => {
      const state = stateOf(one)
      const seated = { change_class: one.change_class, content: {}, votes: one.votes, ratifications: one.votes }
      const proposal = { ...seated, rule: ruleOf(state, one.change_class, seated) } as unknown as Proposal
      const { approvals, dissents } = countedVotes(state, one.votes)
      const is_filled = areFilled(approvalSeats(state, seated))
      expect(is_filled && approvals.length > dissents.length).toBe(isCarried(state, proposal))
      const dated = { ...proposal, state: 'proposed', emergency: null, proposed_at: 0 } as Proposal
      const next = nextStepOf(state, { ...dated, comment_ends_at: 0, vote_ends_at: null, expires_at: YEAR }, 0)
      expect(next.startsWith('it has its signatures')).toBe(isCarried(state, proposal))
      expect(next.includes(' more of ')).toBe(!is_filled)
      const { material } = state.policies[0]!.document.classes
      expect(areFilled(ratificationSeats(state, seated))).toBe(isRatified(state, proposal, material))
    }),
  )
})

test('a roster is carried just when the seats of both rosters are filled; the first one has its own alone', () => {
  fc.assert(
    fc.property(scene, (one) => {
      const content = rosterOfPeople(one.next, one.thresholds[1]) as unknown as Proposal['content']
      const seated = { change_class: 'roster' as const, content, votes: one.votes, ratifications: [] }
      for (const state of [stateOf(one), NO_GOVERNANCE]) {
        const seats = approvalSeats(state, seated)
        expect(seats).toHaveLength(state.rosters.length + 1)
        expect(areFilled(seats)).toBe(isCarried(state, { ...seated, rule: null } as unknown as Proposal))
      }
    }),
  )
})

test('a person with both roles fills one seat: the last line says that one more is needed', () => {
  const people: Person[] = [
    { roles: ['committee', 'oversight'], revoked_at: null },
    { roles: ['committee'], revoked_at: null },
    { roles: ['committee'], revoked_at: 5 },
  ]
  const state = stateOf({ people, thresholds: [1, 1] })
  const approve = (n: number): Vote => ({
    actor_id: `p${n}`,
    choice: 'approve',
    public_key: keyOf(`p${n}`),
    acted_at: 10,
  })
  const seated = { change_class: 'material' as const, content: {}, votes: [0, 1, 2].map(approve), ratifications: [] }
  expect(approvalSeats(state, seated)).toEqual([
    { roles: ['committee'], needed: 2, actor_ids: ['p0', 'p1'], roster_version: 1 },
    { roles: ['oversight'], needed: 1, actor_ids: ['p0'], roster_version: 1 },
    { roles: ['committee', 'oversight'], needed: 3, actor_ids: ['p0', 'p1'], roster_version: 1 },
  ])
})

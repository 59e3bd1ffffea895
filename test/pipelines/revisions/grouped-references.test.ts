import { expect, test } from 'vitest'
import { asRecord, statementRule, statementsOf } from '../../../pipelines/revisions/grouped-references.ts'
import { planReferences, type ReferenceRule, type StateRevision } from '../../../pipelines/revisions/plan-references.ts'

type Said = { readonly id: string; readonly received_at: number; readonly title: string; readonly member: string }
type State = { readonly title: string; readonly members: readonly string[] }

/** Members gather, the title is the latest one's. */
const RULE: ReferenceRule<State, Said> = {
  idOf: ({ id }) => id,
  merge: (before, { title, member }) => ({ title, members: [...new Set([...(before?.members ?? []), member])] }),
  reasonOf: () => 'CHANGED',
}
const said = (received_at: number, id: string, title: string, member: string): Said => ({
  id,
  received_at,
  title,
  member,
})
const plan = (sorted: readonly Said[], known: ReadonlyMap<string, readonly StateRevision<State>[]> = new Map()) =>
  planReferences(statementsOf(sorted, RULE.idOf), known, statementRule(RULE)).flatMap((planned) =>
    planned === null ? [] : [asRecord(planned)],
  )

const LISTED = [said(1, 'e', 'A', 'a'), said(1, 'f', 'F', 'f'), said(1, 'e', 'B', 'b'), said(1, 'e', 'A', 'c')]

test('all records about one subject at one instant are one statement, made from the last record', () => {
  expect(plan(LISTED).map(({ record, revised, state }) => [record.member, revised.revision, state])).toEqual([
    ['c', 1, { title: 'A', members: ['a', 'b', 'c'] }],
    ['f', 1, { title: 'F', members: ['f'] }],
  ])
})

test('the same statements again, later or against what is stored, state nothing new', () => {
  const again = LISTED.map((one) => ({ ...one, received_at: 2 }))
  expect(plan([...LISTED, ...again])).toHaveLength(2)
  const stored = plan(LISTED).map(({ record, revised, state }) => {
    return [record.id, [{ revision: revised.revision, received_at: record.received_at, state }]] as const
  })
  expect(plan(LISTED, new Map(stored))).toEqual([])
})

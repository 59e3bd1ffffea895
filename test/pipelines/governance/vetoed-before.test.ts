import { expect, test } from 'vitest'
import { type Comparable, vetoedBefore } from '../../../pipelines/governance/vetoed-before.ts'

const end = (proposal_id: string, of: Partial<Comparable> = {}): Comparable => ({
  ...{ proposal_id, kind: 'cessation', target: 'idx_a:status', base_hash: null, state: 'vetoed', proposed_at: 1 },
  ...of,
  content: { index_id: 'idx_a', final_value: proposal_id, ...of.content },
})
const again = end('prp_b', { state: 'consulting', proposed_at: 2 })

test('a change that was vetoed is named by the next proposal of it, whatever its words', () => {
  expect(vetoedBefore(again, [end('prp_a'), again])).toEqual(['prp_a'])
  const [late, early] = [end('prp_c', { proposed_at: 1.5 }), end('prp_a')]
  expect(vetoedBefore(again, [late, early])).toEqual(['prp_a', 'prp_c'])
})

test.each([
  ['that ended otherwise', { state: 'rejected' }],
  ['of another kind', { kind: 'index_status' }],
  ['of another record', { target: 'idx_b:status' }],
  ['of a state that another change has replaced', { base_hash: 'a' }],
  ['that came later', { proposed_at: 3 }],
] as const)('one %s is not named', (_name, of) => {
  expect(vetoedBefore(again, [end('prp_a', of)])).toEqual([])
})

test('a restatement names those with ticks in common', () => {
  const days = (proposal_id: string, from: number, to: number, of: Partial<Comparable> = {}) =>
    end(proposal_id, {
      ...{ kind: 'restatement', target: 'idx_a:levels', ...of },
      content: { from: `2026-01-0${from}T00:00:00Z`, to: `2026-01-0${to}T00:00:00Z`, as_of: `of ${proposal_id}` },
    })
  const next = days('prp_n', 2, 4, { state: 'proposed', proposed_at: 9 })
  const vetoed = [days('prp_a', 1, 2), days('prp_b', 1, 3), days('prp_c', 3, 4), days('prp_d', 4, 5)]
  expect(vetoedBefore(next, vetoed)).toEqual(['prp_b', 'prp_c'])
})

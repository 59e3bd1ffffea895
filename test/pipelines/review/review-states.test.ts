import { expect, test } from 'vitest'
import { afterAct, REVIEW_ACTS, REVIEW_MOVES } from '../../../pipelines/review/review-states.ts'
import { REVIEW_STATES } from '../../../vocabulary/review.ts'

test('the table is total, and what is superseded or withdrawn stays so', () => {
  expect(Object.keys(REVIEW_MOVES).sort()).toEqual([...REVIEW_STATES].sort())
  for (const state of REVIEW_STATES) expect(Object.keys(REVIEW_MOVES[state])).toEqual([...REVIEW_ACTS])
  for (const state of ['superseded', 'withdrawn'] as const) {
    for (const act of REVIEW_ACTS) expect(afterAct(state, act)).toBeNull()
  }
})

test('a dispute is rejected or upheld, and only what is under review is approved', () => {
  expect(afterAct('approved', 'dispute')).toBe('disputed')
  expect(afterAct('disputed', 'reject_dispute')).toBe('approved')
  expect(afterAct('disputed', 'uphold_dispute')).toBe('superseded')
  expect(REVIEW_STATES.filter((state) => afterAct(state, 'approve') !== null)).toEqual(['under_review'])
})

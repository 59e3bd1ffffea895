import { expect, test } from 'vitest'
import { selectionRefusal } from '../../../pipelines/governance/impact/selection-refusal.ts'

test('a selection that breaks a cap says so in words, with the code; a code without words is shown as it is', () => {
  expect(selectionRefusal('INDEX_CAP_INFEASIBLE')).toBe(
    'the caps of the selected constituents cannot hold the whole weight of 1 (INDEX_CAP_INFEASIBLE)',
  )
  expect(selectionRefusal('INDEX_GEARING_LIMIT')).toBe('INDEX_GEARING_LIMIT')
  expect(selectionRefusal(null)).toBeNull()
})

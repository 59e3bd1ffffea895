import { describe, expect, test } from 'vitest'
import { checkIndexMove, INDEX_MOVES } from '../../../pipelines/index/index-status.ts'
import { INDEX_STATUSES, type IndexStatus } from '../../../vocabulary/index-level.ts'

/** The rules in words, stated apart from the table. */
const RULES: Readonly<Record<IndexStatus, (to: IndexStatus) => boolean>> = {
  draft: (to) => to !== 'suspended',
  scheduled: (to) => to !== 'draft',
  active: (to) => to === 'suspended' || to === 'archived',
  suspended: (to) => to === 'active' || to === 'archived',
  archived: () => false,
}

const pairs = INDEX_STATUSES.flatMap((from) => INDEX_STATUSES.map((to) => [from, to] as const))

describe.each(pairs)('an index that is %s', (from, to) => {
  const is_allowed = from === to || RULES[from](to)
  test(`${is_allowed ? 'may become' : 'never becomes'} ${to}`, () => {
    const move = () => checkIndexMove('idx_a', from, to)
    if (is_allowed) expect(move).not.toThrow()
    else expect(move).toThrow(`status of idx_a is ${from}, then ${to}; allowed: `)
  })
})

test('nothing follows an archived index, which every other status reaches, and no status is outside the table', () => {
  expect(Object.keys(INDEX_MOVES)).toEqual([...INDEX_STATUSES])
  expect(INDEX_STATUSES.filter((status) => !INDEX_MOVES[status].includes('archived'))).toEqual(['archived'])
  expect(() => checkIndexMove('idx_a', 'ended', 'active')).toThrow('no other status')
})

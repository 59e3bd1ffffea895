import { expect, test } from 'vitest'
import { isReference } from '../../../warehouse/reader/followed-tables.ts'
import { RECENT_LIMITS } from '../../../warehouse/reader/recent-commits.ts'
import { TableMemory } from '../../../warehouse/reader/table-memory.ts'

test('memory keeps no refused act: anybody can cause one', () => {
  const memory = new TableMemory('refused_act', RECENT_LIMITS)
  const row = (n: number) => ({
    ...{ refusal_id: `rfs_${n}`, subject: 'governance', published_at: '2026-01-01T00:00:00Z', row_ordinal: n },
  })
  memory.take(0, [row(0), row(1)])
  expect([memory.reference, memory.newest, memory.assessments, memory.trades]).toEqual([null, null, null, null])
  expect(isReference('refused_act')).toBe(false)
})

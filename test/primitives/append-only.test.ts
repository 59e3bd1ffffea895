import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ChainHead, FIRST_REVISION, lateRevision, type Revised, supersede } from '../../primitives/append-only.ts'

test('the first record supersedes nothing', () => {
  expect(FIRST_REVISION).toEqual({ revision: 1, supersedes_id: null, correction_reason: null })
})

test('a superseding record names the current one and why', () => {
  expect(supersede({ revision_max: 1, current_id: 'obs_1' }, 'SOURCE_CORRECTION')).toEqual({
    revision: 2,
    supersedes_id: 'obs_1',
    correction_reason: 'SOURCE_CORRECTION',
  })
})

test('a late record is numbered after all others and supersedes nothing', () => {
  expect(lateRevision({ revision_max: 3, current_id: 'obs_2' })).toEqual({
    revision: 4,
    supersedes_id: null,
    correction_reason: null,
  })
})

test('in every chain revisions are 1, 2, 3 ..., a reason is there exactly where something is superseded, and one record is current', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 30 }), (late) => {
      const records: (Revised & { id: string })[] = [{ id: 'r1', ...FIRST_REVISION }]
      let head: ChainHead = { revision_max: 1, current_id: 'r1' }
      for (const isLate of late) {
        const fields = isLate ? lateRevision(head) : supersede(head, 'LATE_DATA')
        const id = `r${fields.revision}`
        records.push({ id, ...fields })
        head = { revision_max: fields.revision, current_id: isLate ? head.current_id : id }
      }
      expect(records.map((record) => record.revision)).toEqual(records.map((_, place) => place + 1))
      for (const record of records) expect(record.correction_reason === null).toBe(record.supersedes_id === null)
      const superseded = records.flatMap((record) => record.supersedes_id ?? [])
      expect(new Set(superseded).size).toBe(superseded.length)
      expect(superseded).not.toContain(head.current_id)
    }),
  )
})

import { expect, test } from 'vitest'
import { type ChainRow, chainStatements } from '../../../pipelines/revisions/statements.ts'

type Row = ChainRow & { readonly id: string }
const row = (id: string, minute: number, rest: Partial<ChainRow> = {}): Row => ({
  id,
  revision: 1,
  supersedes_id: null,
  correction_reason: null,
  received_at: `2026-01-01T00:0${minute}:00Z`,
  ...rest,
})
const statements = (...rows: Row[]) =>
  chainStatements(rows, ({ id }) => id).map(({ row: { id, supersedes_id }, confirmed_at }) => [
    id,
    supersedes_id,
    confirmed_at.slice(14, 16),
  ])

test('revisions of earlier releases that only confirm are not shown; they move confirmed_at', () => {
  const confirmed = (id: string, minute: number, revision: number, supersedes_id: string) =>
    row(id, minute, { revision, supersedes_id, correction_reason: 'CONFIRMED' })
  const corrected = row('d', 4, { revision: 4, supersedes_id: 'c', correction_reason: 'RESOLUTION_CORRECTED' })
  expect(statements(row('a', 1), confirmed('b', 2, 2, 'a'), confirmed('c', 3, 3, 'b'), corrected)).toEqual([
    ['a', null, '03'],
    ['d', 'a', '04'],
  ])
})

test('a row that confirms another does the same', () => {
  expect(statements(row('a', 1), row('b', 2, { confirms_id: 'a' }), row('c', 3, { confirms_id: 'b' }))).toEqual([
    ['a', null, '03'],
  ])
})

test('a late revision supersedes nothing and is shown', () => {
  expect(statements(row('a', 2), row('b', 1, { revision: 2, correction_reason: 'LATE' }))).toEqual([
    ['a', null, '02'],
    ['b', null, '01'],
  ])
})

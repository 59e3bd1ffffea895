import type { Row } from '../../../warehouse/schema.ts'

/** One small index_link row: the table with the widest decimals and the fewest columns. */
export function linkRow(id: string, more: Row = {}): Row {
  return {
    index_id: 'idx_test',
    index_version_id: id,
    revision: 1,
    link_factor: '1.5',
    link_at: '2026-01-01T00:00:00Z',
    ...more,
  }
}

export function linkRows(count: number, prefix: string): Row[] {
  return Array.from({ length: count }, (_, i) => linkRow(`${prefix}-${i}`))
}

/** Rows of one step: as many as its number says, so that a lost or doubled step shows in the count. */
export const rowsOfStep = (sequence: number) => 1 + (sequence % 7)

import { type Micros, toMicros } from '../../primitives/instants.ts'
import { INACTIVE_STATUSES } from '../../vocabulary/index-level.ts'
import type { ReadSession } from '../../warehouse/read/session.ts'
import type { Row } from '../../warehouse/schema.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { Span } from '../pause/schedule-acts.ts'

/** Returns the spans in which each index was suspended or archived: its ticks in them are not published. */
export async function inactiveSpans(session: ReadSession): Promise<ReadonlyMap<string, readonly Span[]>> {
  const by_index = new Map<string, Row[]>()
  for (const row of await session.query(readSql(import.meta.url, 'sql/status_history.sql')))
    by_index.set(String(row.index_id), [...(by_index.get(String(row.index_id)) ?? []), row])
  return new Map([...by_index].map(([index_id, rows]) => [index_id, spansOf(rows)]))
}

function spansOf(rows: readonly Row[]): readonly Span[] {
  const spans: Span[] = []
  let from: Micros | null = null
  for (const { status, updated_at } of rows) {
    const is_inactive = INACTIVE_STATUSES.some((inactive) => inactive === status)
    if (is_inactive) from ??= toMicros(updated_at)
    if (is_inactive || from === null) continue
    spans.push({ from, to: toMicros(updated_at) })
    from = null
  }
  return from === null ? spans : [...spans, { from, to: Number.POSITIVE_INFINITY }]
}

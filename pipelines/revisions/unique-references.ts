import type { ReferenceRecord } from '../venues/record.ts'

/**
 * Removes lines about markets that contradict an earlier line with the same key: venue, series, market and both clocks. An
 * equal line stays; it adds nothing when it is planned.
 */
export function uniqueReferences(sorted: readonly ReferenceRecord[]) {
  const seen = new Map<string, string>()
  const kept: ReferenceRecord[] = []
  const conflicts: ReferenceRecord[] = []
  for (const record of sorted) {
    const { venue_id, source_series_id, source_market_id, source_at, received_at } = record
    const key = [venue_id, source_series_id ?? '', source_market_id, source_at, received_at].join('\u001f')
    const content = JSON.stringify({ ...record, line: 0 })
    const first = seen.get(key) ?? content
    seen.set(key, first)
    if (first === content) kept.push(record)
    else conflicts.push(record)
  }
  return { kept, conflicts }
}

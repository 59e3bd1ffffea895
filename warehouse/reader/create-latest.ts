import type { Latest, Placed } from './reader.ts'
import { type Memories, newestOf } from './table-memory.ts'

/** The newest current rows, from memory. */
export function createLatest(memories: Memories): Latest {
  const placed = (found: Placed | null): Placed | null => (found === null ? null : { row: found.row, seq: found.seq })
  const group = (table: 'market_quote' | 'market_mark', market_id: string) =>
    newestOf(memories, table)
      .group(market_id)
      .map(({ row, seq }) => ({ row, seq }))
  return {
    observation: (index_id) => placed(newestOf(memories, 'index_observation').get({ index_id })),
    quotes: (market_id) => group('market_quote', market_id),
    marks: (market_id) => group('market_mark', market_id),
    book: (market_id, outcome_id) => placed(newestOf(memories, 'order_book').get({ market_id, outcome_id })),
    severityValue: (severity_index_id) => placed(newestOf(memories, 'severity_index_value').get({ severity_index_id })),
  }
}

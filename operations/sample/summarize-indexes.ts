import type { Instant } from '../../primitives/instants.ts'
import { statement } from '../../warehouse/queries/statements.ts'
import { openReadSession } from '../../warehouse/read/session.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { INDEX_TABLES, type ListedIndex } from '../list-indexes.ts'

export type RecentLevel = {
  readonly tick_at: Instant
  readonly level: string | null
  readonly quality_state: string
  readonly coverage_ratio: string
  readonly confidence: string
  readonly published_at: Instant
}

/** An index with its latest levels, newest first. */
export type IndexSummary = ListedIndex & { readonly levels: readonly RecentLevel[] }

const LEVELS_SHOWN = 5

/** The named indexes with their latest levels, in the order named. */
export async function summarizeIndexes(
  warehouse: Warehouse,
  index_ids: readonly string[],
): Promise<readonly IndexSummary[]> {
  const session = await openReadSession(warehouse, { as_of: null, tables: INDEX_TABLES })
  try {
    const listed = (await session.query(statement('indexes_with_latest_level'))) as unknown as readonly ListedIndex[]
    const summaries: IndexSummary[] = []
    for (const index_id of index_ids) {
      const index = listed.find((candidate) => candidate.index_id === index_id)!
      const rows = await session.query(statement('last_levels_of_index'), { index_id, count: LEVELS_SHOWN })
      summaries.push({ ...index, levels: rows as unknown as readonly RecentLevel[] })
    }
    return summaries
  } finally {
    await session.close()
  }
}

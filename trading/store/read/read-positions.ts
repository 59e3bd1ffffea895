import { formatMicros, type Micros } from '../../../primitives/instants.ts'
import { headOf, type Query } from './snapshot.ts'
import type { Page, Part, PositionFilters, PositionRead } from './trading-reads.ts'

/** Positions as they are, or as the last batch up to an instant left them. */
export async function readPositions(
  query: Query,
  account_id: string,
  filters: PositionFilters,
  as_of: Micros | null,
  { after, limit }: Part,
): Promise<Page<PositionRead>> {
  const head = await headOf(query, as_of)
  const { market_id, outcome_id, nonzero_only, settlement_state } = filters
  const [market_after = null, outcome_after = null] = after ?? []
  const chosen = [market_id, outcome_id, nonzero_only, settlement_state, market_after, outcome_after, limit]
  if (as_of === null) return { head, rows: await query<PositionRead>('list_positions', [account_id, ...chosen]) }
  const place = [head.engine_sequence, head.ledger_sequence, formatMicros(head.at)]
  return { head, rows: await query<PositionRead>('list_positions_at', [account_id, ...chosen, ...place]) }
}

import type { PayloadVenue } from '../../pipelines/venues/payload-venues.ts'
import { type Instant, toMicros } from '../../primitives/instants.ts'
import { statement } from '../../warehouse/queries/statements.ts'
import { openReadSession } from '../../warehouse/read/session.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import type { MarketLife } from './backfill-types.ts'

type MarketRow = {
  readonly source_market_id: string
  readonly opens_at: Instant | null
  readonly ended_at: Instant | null
}

/** The markets of a venue that the warehouse knows, by their names; null = all of them. */
export async function venueMarkets(
  warehouse: Warehouse,
  venue_id: PayloadVenue,
  source_market_ids: readonly string[] | null,
): Promise<MarketLife[]> {
  const session = await openReadSession(warehouse, { as_of: null, tables: ['market', 'market_resolution'] })
  try {
    const rows = await session.query(statement('markets_of_venue'), { venue_id })
    const wanted = source_market_ids === null ? null : new Set(source_market_ids)
    return (rows as unknown as readonly MarketRow[])
      .filter(({ source_market_id }) => wanted?.has(source_market_id) ?? true)
      .map(({ source_market_id, opens_at, ended_at }) => {
        return { source_market_id, opens_at: microsOrNull(opens_at), ended_at: microsOrNull(ended_at) }
      })
  } finally {
    await session.close()
  }
}

function microsOrNull(instant: Instant | null): number | null {
  return instant === null ? null : toMicros(instant)
}

import { ownEventId, ownEventRecord } from '../../pipelines/venues/own-listing.ts'
import { FIRST_REVISION, supersede } from '../../primitives/append-only.ts'
import { formatMicros, type Micros } from '../../primitives/instants.ts'
import type { PublicMarketRead } from '../../trading/store/read/public-reads.ts'
import { openReadSession } from '../../warehouse/read/session.ts'
import type { Row } from '../../warehouse/schema.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { openAppendGuard, PlanOvertaken } from '../import/append-guard.ts'
import { VENUE_APP } from './load-venue-state.ts'

const ATTEMPTS_MAX = 5

/**
 * Stores the real-world events of listed markets: a market listed for another venue's event joins that event; any other market gets an
 * event of its own. An event that names its market already is not written.
 */
export async function storeEvents(
  warehouse: Warehouse,
  listings: readonly PublicMarketRead[],
  received_at: Micros,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await storeOnce(warehouse, listings, received_at)
    } catch (error) {
      // Another venue has published a revision of the same event meanwhile.
      if (!(error instanceof PlanOvertaken) || attempt === ATTEMPTS_MAX) throw error
    }
  }
}

async function storeOnce(
  warehouse: Warehouse,
  listings: readonly PublicMarketRead[],
  received_at: Micros,
): Promise<void> {
  const guard = await openAppendGuard(warehouse, ['event'])
  const known = await knownEvents(warehouse, [...new Set(listings.map(ownEventId))])
  const changed = new Map<string, Row>()
  for (const listing of listings) {
    const event_id = ownEventId(listing)
    const before = known.get(event_id) ?? null
    const after = eventRow(before, listing, received_at)
    if (after === null) continue
    known.set(event_id, after)
    // One revision per event, however many of its markets are listed at once.
    changed.set(event_id, { ...after, ...revisedOf(changed.get(event_id) ?? null, after) })
  }
  if (changed.size === 0) return
  await guard.append('event', [...changed.values()], {
    app_id: `${VENUE_APP}/event`,
    app_sequence: received_at,
    stamp: { kind: 'wall' },
    operation: 'OWN_VENUE',
  })
}

async function knownEvents(warehouse: Warehouse, event_ids: readonly string[]): Promise<Map<string, Row>> {
  const session = await openReadSession(warehouse, { as_of: null, tables: ['event'] })
  try {
    const rows = await session.query(readSql(import.meta.url, 'sql/events_to_revise.sql'), { event_ids })
    return new Map(rows.map((row) => [String(row.event_id), row]))
  } finally {
    await session.close()
  }
}

/** The event with the market added; null if it names the market already. */
function eventRow(before: Row | null, listing: PublicMarketRead, received_at: Micros): Row | null {
  const { published_at: _, row_ordinal: __, revision_max: ___, ...stated } = before ?? {}
  const record = ownEventRecord(before === null ? null : stated, listing)
  if (record === null) return null
  return {
    ...(record as Row),
    ...revisionAfter(record.event_id, before),
    updated_at: formatMicros(received_at),
    source_at: listing.created_at,
    received_at: Math.max(received_at, listing.created_at),
  }
}

function revisionAfter(event_id: string, before: Row | null) {
  if (before === null) return FIRST_REVISION
  const revision_max = (before.revision_max ?? before.revision) as number
  return supersede({ revision_max, current_id: `${event_id}.${before.revision}` }, 'REFERENCE_UPDATED')
}

function revisedOf(planned: Row | null, after: Row): Row {
  const { revision, supersedes_id, correction_reason } = planned ?? after
  return { revision, supersedes_id, correction_reason }
}

import { payloadKey } from '../../pipelines/revisions/payload-revisions.ts'
import type { VenuePayload } from '../../pipelines/venues/record.ts'
import { formatMicros, type Instant, toMicros } from '../../primitives/instants.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { openKnownSession } from './known-session.ts'

/** The columns of known_payloads.sql. */
type PayloadRow = {
  readonly content_hash: string
  readonly venue_id: string
  readonly endpoint: string
  readonly request: string | null
  readonly received_at: Instant
}

/**
 * Keys of the payloads of a batch that are stored.
 * @param sorted by received_at
 */
export async function readKnownPayloads(
  warehouse: Warehouse,
  sorted: readonly { readonly payload: VenuePayload; readonly content_hash: string }[],
): Promise<Set<string>> {
  const [from, to] = [sorted[0]?.payload.received_at, sorted.at(-1)?.payload.received_at]
  if (from === undefined || to === undefined) return new Set()
  const span = { column: 'received_at', from, to } as const
  const known = await openKnownSession(warehouse, [{ table: 'venue_payload', span }])
  if (known === null) return new Set()
  try {
    const rows = await known.session.query(readSql(import.meta.url, 'sql/known_payloads.sql'), {
      venue_ids: [...new Set(sorted.map(({ payload }) => payload.venue_id))],
      content_hashes: [...new Set(sorted.map(({ content_hash }) => content_hash))],
      from: formatMicros(from),
      to: formatMicros(to),
    })
    return new Set(
      (rows as unknown as readonly PayloadRow[]).map((row) =>
        payloadKey(row.content_hash, { ...row, received_at: toMicros(row.received_at) }),
      ),
    )
  } finally {
    await known.session.close()
  }
}

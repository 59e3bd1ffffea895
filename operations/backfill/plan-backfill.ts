import type { PayloadItem } from '../../connectors/archives/payloads/payload-item.ts'
import { isHazardKind } from '../../connectors/archives/payloads/payload-kinds.ts'
import type { VenueConnector } from '../../connectors/venues/venue-connector.ts'
import { PAYLOAD_VENUES, type PayloadVenue } from '../../pipelines/venues/payload-venues.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { type Instant, toMicros } from '../../primitives/instants.ts'
import { parseRange } from '../../primitives/ranges.ts'
import { openReadSession } from '../../warehouse/read/session.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { incompleteError, lackOf } from './answer-tally.ts'
import { requireVenueUnpaused } from './backfill-chunk.ts'
import type { BackfillChunk, BackfillPorts, BackfillRequest, MarketLife } from './backfill-types.ts'
import { chunksOf } from './chunks.ts'
import { importPart } from './import-part.ts'

/**
 * Plans the chunks of a venue's past: each market of the range, UTC day by UTC day. Imports the venue's description of these markets
 * first. The same markets and range give the same chunks, however often they are planned.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: a feed without markets; MARKET_NOT_FOUND: a market that the venue does not
 *   know; BACKFILL_CHUNK_INCOMPLETE: its descriptions cannot all be read; VALIDATION_INSTANT_INVALID, VALIDATION_RANGE_INVALID,
 *   SCHEDULE_PAUSED, VENUE_UNAVAILABLE, VENUE_ANSWER_REFUSED
 */
export async function planBackfill(request: BackfillRequest, ports: BackfillPorts): Promise<BackfillChunk[]> {
  const { venue_id, markets } = request
  refuseFeed(request)
  const range = parseRange(request.from, request.to)
  await requireVenueUnpaused(ports, venue_id)
  const connector = ports.connectorOf(venue_id)
  const items = catalogue(connector, request, range, ports.signal)
  const { answers } = await importPart({ venue_id, items, range: NOTHING_OBSERVED }, ports)
  const lack = lackOf({ answers, records_read: 0, records_quarantined: 0 })
  if (lack !== null) {
    connector.forget()
    throw incompleteError(venue_id, lack)
  }
  const known = await venueMarkets(ports.warehouse, venue_id, markets)
  refuseUnknown(
    venue_id,
    markets,
    known.map(({ source_market_id }) => source_market_id),
  )
  return chunksOf(request, known)
}

/** Empty range: planning imports descriptions alone, and leaves observations to the chunks. */
const NOTHING_OBSERVED = { from: 0, to: 0 } as const

async function* catalogue(
  connector: VenueConnector,
  { markets }: BackfillRequest,
  range: { readonly from: number; readonly to: number },
  signal: AbortSignal | undefined,
): AsyncGenerator<PayloadItem> {
  if (markets !== null) {
    yield* connector.read('catalogue', { ...range, source_market_ids: markets }, signal)
    return
  }
  yield* connector.read('catalogue', range, signal)
  // Some venues list no ended markets; their resolutions name them.
  yield* connector.read('resolutions', range, signal)
}

/** A feed of hazards has no markets, and does not serve its past. */
function refuseFeed({ venue_id }: BackfillRequest): void {
  if (!isHazardKind(venue_id)) return
  const allowed = PAYLOAD_VENUES.filter((venue) => !isHazardKind(venue)).join(', ')
  throw new ServiceError(
    'VALIDATION_USAGE_INVALID',
    `venue is ${venue_id}, which has no markets; allowed: ${allowed}`,
    {
      field: 'venue',
      value: venue_id,
    },
  )
}

function refuseUnknown(venue_id: string, markets: readonly string[] | null, known: readonly string[]): void {
  const missing = (markets ?? []).find((market) => !known.includes(market))
  if (missing === undefined) return
  throw new ServiceError('MARKET_NOT_FOUND', `market is ${missing}, which ${venue_id} does not know`, {
    field: 'market',
    value: missing,
  })
}

type MarketRow = {
  readonly source_market_id: string
  readonly opens_at: Instant | null
  readonly ended_at: Instant | null
}

/** The markets of a venue that the warehouse knows, by the venue's own ids; null = all of them. */
async function venueMarkets(
  warehouse: Warehouse,
  venue_id: PayloadVenue,
  source_market_ids: readonly string[] | null,
): Promise<MarketLife[]> {
  const session = await openReadSession(warehouse, { as_of: null, tables: ['market', 'market_resolution'] })
  try {
    const rows = await session.query(readSql(import.meta.url, 'sql/markets_of_venue.sql'), { venue_id })
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

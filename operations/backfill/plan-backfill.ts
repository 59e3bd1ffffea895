import type { PayloadItem } from '../../connectors/archives/payloads/payload-item.ts'
import { isHazardKind } from '../../connectors/archives/payloads/payload-kinds.ts'
import type { VenueConnector } from '../../connectors/venues/venue-connector.ts'
import { PAYLOAD_VENUES } from '../../pipelines/venues/payload-venues.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { parseRange } from '../../primitives/ranges.ts'
import type { BackfillChunk, BackfillPorts, BackfillRequest } from './backfill-types.ts'
import { chunksOf } from './chunks.ts'
import { importPart } from './import-part.ts'
import { venueMarkets } from './venue-markets.ts'

/**
 * The pieces of a venue's past: each market of the range, UTC day by UTC day. What the venue says of these markets is read and
 * imported first. The same markets and range give the same chunks, however often they are planned.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: a feed without markets; MARKET_NOT_FOUND: a market that the venue does not
 *   know; VALIDATION_INSTANT_INVALID, VALIDATION_RANGE_INVALID, VENUE_UNAVAILABLE, VENUE_ANSWER_REFUSED
 */
export async function planBackfill(request: BackfillRequest, ports: BackfillPorts): Promise<BackfillChunk[]> {
  const { venue_id, markets } = request
  refuseFeed(request)
  const range = parseRange(request.from, request.to)
  const items = catalogue(ports.connectorOf(venue_id), request, range, ports.signal)
  await importPart({ venue_id, items, range: NOTHING_OBSERVED }, ports)
  const known = await venueMarkets(ports.warehouse, venue_id, markets)
  refuseUnknown(
    venue_id,
    markets,
    known.map(({ source_market_id }) => source_market_id),
  )
  return chunksOf(request, known)
}

/** What was observed is the chunks' to store: here it is read what there is to observe. */
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
  // Where the lists leave out what has ended, these name it.
  yield* connector.read('resolutions', range, signal)
}

/** A feed of hazards has no markets: its past is what it said, and it says nothing of the past. */
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

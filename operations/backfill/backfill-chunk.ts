import type { PayloadItem } from '../../connectors/archives/payloads/payload-item.ts'
import type { ReadPart, ReadRange, VenueConnector } from '../../connectors/venues/venue-connector.ts'
import { marketIdOf } from '../../pipelines/revisions/identity.ts'
import { parseRange } from '../../primitives/ranges.ts'
import { ingestScheduleOf, SCHEDULE_IDS } from '../../vocabulary/schedules.ts'
import { publishArchiveMarks } from '../marks/publish-archive-marks.ts'
import { openPauses, requireUnpaused } from '../pause/pauses.ts'
import { incompleteError, lackOf } from './answer-tally.ts'
import type { BackfillChunk, BackfillPorts, ChunkProgress, ChunkReport } from './backfill-types.ts'
import { importPart } from './import-part.ts'

/** Parts of a market's past, in reading order. For venues whose records need them, its documents are read before. */
const PARTS = ['trades', 'resolutions', 'history'] as const satisfies readonly ReadPart[]

/**
 * Reads one market's part of one day and stores it under the wall clock, as late data: payloads before they are parsed, records after,
 * the marks of the day last.
 * A repeated chunk stores nothing; an interrupted or incomplete one is completed by repeating it.
 * @throws {ServiceError} BACKFILL_CHUNK_INCOMPLETE: answers could not be read, the others are stored; SCHEDULE_PAUSED,
 *   VENUE_UNAVAILABLE, VENUE_ANSWER_REFUSED, the errors of Warehouse.append; the signal's reason
 */
export async function backfillChunk(
  chunk: BackfillChunk,
  ports: BackfillPorts,
  on_progress?: (progress: ChunkProgress) => void,
): Promise<ChunkReport> {
  const { venue_id, source_market_id } = chunk
  const range = parseRange(chunk.from, chunk.to)
  await requireVenueUnpaused(ports, venue_id)
  const connector = ports.connectorOf(venue_id)
  const items = past(connector, { ...range, source_market_ids: [source_market_id] }, ports.signal)
  const report = await importPart({ venue_id, items, range }, ports, on_progress)
  const { records_read, records_new, records_revised, records_duplicate, records_quarantined } = report
  const counts = { records_read, records_new, records_revised, records_duplicate, records_quarantined }
  const on_published = (marks_published: number) => ports.on_stored?.({ records_new, records_revised, marks_published })
  const marks_published = records_read === 0 ? 0 : await publishMarks(chunk, ports, on_published)
  const lack = lackOf(report)
  if (lack === null) return { ...counts, marks_published }
  connector.forget()
  throw incompleteError(venue_id, lack)
}

/** A backfill of a venue ingests and publishes marks, so it holds while either is paused. @throws {ServiceError} SCHEDULE_PAUSED */
export function requireVenueUnpaused({ warehouse }: BackfillPorts, venue_id: string): Promise<void> {
  return requireUnpaused(openPauses(warehouse), schedulesOfVenue(venue_id))
}

/** Returns the schedules whose pause a backfill of a venue waits for. */
export function schedulesOfVenue(venue_id: string): readonly string[] {
  return [ingestScheduleOf(venue_id), SCHEDULE_IDS.publish]
}

/** Publishes the marks of a chunk, of every record that is known of its day by now. */
async function publishMarks(
  chunk: BackfillChunk,
  { warehouse, signal }: BackfillPorts,
  on_published: (marks_published: number) => void,
): Promise<number> {
  const market_id = marketIdOf(chunk.venue_id, chunk.source_market_id)
  const markets = [{ market_id, ...parseRange(chunk.from, chunk.to) }]
  const published = await publishArchiveMarks({
    warehouse,
    clock: 'wall',
    markets,
    is_late: true,
    signal,
    on_published,
  })
  return published.marks_published
}

async function* past(
  connector: VenueConnector,
  range: ReadRange,
  signal: AbortSignal | undefined,
): AsyncGenerator<PayloadItem> {
  if (connector.described_first) yield* connector.read('catalogue', range, signal)
  for (const part of PARTS) yield* connector.read(part, range, signal)
}

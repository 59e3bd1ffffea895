import type { PayloadItem } from '../../connectors/archives/payloads/payload-item.ts'
import type { PayloadVenue } from '../../pipelines/venues/payload-venues.ts'
import type { VenueReader } from '../../pipelines/venues/record.ts'
import { VENUE_READERS } from '../../pipelines/venues/venue-readers.ts'
import type { Micros } from '../../primitives/instants.ts'
import type { ImportReport } from '../import/import-report.ts'
import { importLive } from '../import-live.ts'
import type { BackfillPorts, ChunkProgress } from './backfill-types.ts'
import { recordsWithin } from './records-within.ts'

export type PartImport = {
  readonly venue_id: PayloadVenue
  readonly items: AsyncIterable<PayloadItem>
  /** What was observed outside of it is not stored: it is another chunk's. */
  readonly range: { readonly from: Micros; readonly to: Micros }
}

/** Imports a part of a venue's past under the wall clock. What says nothing new is a duplicate, however late it is read again. */
export function importPart(
  { venue_id, items, range }: PartImport,
  { warehouse, signal }: BackfillPorts,
  on_progress?: (progress: ChunkProgress) => void,
): Promise<ImportReport> {
  const create_reader = (now: Micros): VenueReader => {
    return recordsWithin(VENUE_READERS[venue_id].create_reader(now), range)
  }
  return importLive({
    archive: venue_id,
    items: counted(items, on_progress),
    clock: 'wall',
    warehouse,
    signal,
    linger_ms: null,
    repeated: 'is_duplicate',
    readers: { [venue_id]: { create_reader } },
  })
}

async function* counted(
  items: AsyncIterable<PayloadItem>,
  on_progress: ((progress: ChunkProgress) => void) | undefined,
): AsyncGenerator<PayloadItem> {
  let payloads_read = 0
  for await (const item of items) {
    payloads_read += 1
    on_progress?.({ payloads_read })
    yield item
  }
}

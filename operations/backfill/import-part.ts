import type { PayloadItem } from '../../connectors/archives/payloads/payload-item.ts'
import type { PayloadVenue } from '../../pipelines/venues/payload-venues.ts'
import type { VenueReader, VenueRecords } from '../../pipelines/venues/record.ts'
import { VENUE_READERS } from '../../pipelines/venues/venue-readers.ts'
import type { Micros } from '../../primitives/instants.ts'
import { importLive } from '../import/import-live.ts'
import type { ImportReport } from '../import/import-report.ts'
import { type Answers, AnswerTally } from './answer-tally.ts'
import { type BackfillPorts, type ChunkProgress, NOTHING_STORED } from './backfill-types.ts'

type Range = { readonly from: Micros; readonly to: Micros }

/**
 * Wraps a reader so that it returns only the observations of a range: a document also shows the present, and a page also shows the days
 * around. Descriptions of markets and their resolutions are returned whatever their time.
 */
function recordsWithin(reader: VenueReader, range: Range, tally: AnswerTally): VenueReader {
  return {
    read: (payload) => {
      const records = reader.read(payload)
      tally.add(payload, records)
      return cut(records, range, ASKED_BY_TIME.test(payload.request ?? ''))
    },
    finish: () => cut(reader.finish?.() ?? {}, range, false),
  }
}

/** Requests for a tape that the venue cuts itself, by order time: a trade may be later than its order, on a day that does not list it. */
const ASKED_BY_TIME = /[?&](?:min_ts|afterTime)=/

function cut(records: VenueRecords, { from, to }: Range, is_cut_tape: boolean): VenueRecords {
  const within = ({ source_at }: { readonly source_at: Micros }) => source_at >= from && source_at < to
  // A statement about the instant at which it was read is about the present.
  const isDated = (stated: { readonly source_at: Micros; readonly received_at: Micros }) =>
    stated.source_at !== stated.received_at
  const { quotes, trades, books, metrics, resolutions, ...rest } = records
  return {
    ...rest,
    ...(quotes && { quotes: quotes.filter(within) }),
    ...(trades && { trades: is_cut_tape ? trades : trades.filter(within) }),
    ...(books && { books: books.filter(within) }),
    ...(resolutions && { resolutions: resolutions.filter(isDated) }),
    ...(metrics && { metrics: metrics.filter(within) }),
  }
}

export type PartImport = {
  readonly venue_id: PayloadVenue
  readonly items: AsyncIterable<PayloadItem>
  /** Observations outside of it belong to other chunks and are not stored. */
  readonly range: { readonly from: Micros; readonly to: Micros }
}

export type PartReport = ImportReport & { readonly answers: Answers }

/** Imports a part of a venue's past under the wall clock. A record that states nothing new is a duplicate, however late it is read. */
export async function importPart(
  { venue_id, items, range }: PartImport,
  { warehouse, signal, on_stored }: BackfillPorts,
  on_progress?: (progress: ChunkProgress) => void,
): Promise<PartReport> {
  const tally = new AnswerTally()
  const create_reader = (now: Micros): VenueReader => {
    return recordsWithin(VENUE_READERS[venue_id].create_reader(now), range, tally)
  }
  const report = await importLive({
    archive: venue_id,
    items: counted(items, tally, on_progress),
    clock: 'wall',
    warehouse,
    signal,
    linger_ms: null,
    repeated: 'is_duplicate',
    on_stored: ({ records_new, records_revised }) => on_stored?.({ ...NOTHING_STORED, records_new, records_revised }),
    readers: { [venue_id]: { create_reader } },
  })
  return { ...report, answers: tally.answers() }
}

async function* counted(
  items: AsyncIterable<PayloadItem>,
  tally: AnswerTally,
  on_progress: ((progress: ChunkProgress) => void) | undefined,
): AsyncGenerator<PayloadItem> {
  let payloads_read = 0
  for await (const item of items) {
    payloads_read += 1
    on_progress?.({ payloads_read })
    if ('quarantined' in item) tally.addUnkept(item.quarantined.file)
    yield item
  }
}

import { BATCH_LIMITS, type BatchLimits, type PayloadBatch } from '../connectors/archives/payloads/batch-payloads.ts'
import { openPayloadArchive, type PayloadArchive } from '../connectors/archives/payloads/open-payload-archive.ts'
import { placeOf } from '../connectors/archives/payloads/payload-item.ts'
import { type PayloadKind, venuesOfKind } from '../connectors/archives/payloads/payload-kinds.ts'
import type { ImportClock } from '../pipelines/venues/batches.ts'
import { createIdentities, type Identities } from '../pipelines/venues/identities.ts'
import { type MinuteStamps, minuteStamps } from '../pipelines/venues/minute-stamps.ts'
import type { PayloadVenue } from '../pipelines/venues/payload-venues.ts'
import type { ArchiveContent, VenueReader } from '../pipelines/venues/record.ts'
import type { VenueReading } from '../pipelines/venues/venue-readers.ts'
import { VENUE_READERS } from '../pipelines/venues/venue-readers.ts'
import type { Micros } from '../primitives/instants.ts'
import type { Warehouse } from '../warehouse/warehouse.ts'
import { type CommitOptions, checkRecordedClock, commitPlan } from './import/commit-plan.ts'
import { type ImportReport, ReportTally } from './import/import-report.ts'
import { planRecords } from './import/plan-records.ts'
import { readKnown } from './import/read-known.ts'
import { RecordBuffer } from './import/record-buffer.ts'
import { storePayloads } from './import/store-payloads.ts'

export type ImportLimits = BatchLimits & {
  /** Records that are planned at once. */
  readonly records_max: number
}

const LIMITS: ImportLimits = { ...BATCH_LIMITS, records_max: 50_000 }

export type PayloadImportOptions = {
  readonly archive: PayloadKind
  readonly dir: string
  readonly clock: ImportClock
  readonly warehouse: Warehouse
  readonly signal?: AbortSignal | undefined
  readonly on_progress?: ((progress: { done: number; total: number; unit: 'bytes' }) => void) | undefined
  /** How much is in memory at once; other limits cut the same records into other commits. */
  readonly limits?: ImportLimits
  /** Readers in the place of the venues' own, by venue_id. */
  readonly readers?: Readonly<Partial<Record<PayloadVenue, Pick<VenueReading, 'create_reader'>>>>
}

/**
 * Loads an archive of payloads, batch by batch, in memory that does not grow with the archive. The payloads of a batch are
 * stored before any of them is read; the records that are read from them are stored next. Every file is looked at before the
 * first batch, so that a broken one stores nothing. Repeating an import adds nothing, and one that was ended anywhere is
 * completed by the next: it reads everything again, because readers remember, and stores what is not there.
 * @throws {ServiceError} VALIDATION_INPUT_UNREADABLE, VALIDATION_ARCHIVE_INVALID, VALIDATION_CLOCK_REFUSED, and what
 *   Warehouse.append throws
 */
export async function importPayloads(options: PayloadImportOptions): Promise<ImportReport> {
  const now = await options.warehouse.now()
  return importSource(options, await openPayloadArchive(options.archive, options.dir, now), now)
}

/** How payloads are imported, wherever they come from. */
export type SourceImportOptions = Omit<PayloadImportOptions, 'dir'>

/**
 * Loads payloads in the order of their receipt, batch by batch, as `importPayloads` does.
 * @param now nothing of the source can have been received later
 * @throws {ServiceError} VALIDATION_CLOCK_REFUSED, and what the source and Warehouse.append throw
 */
export async function importSource(
  options: SourceImportOptions,
  opened: PayloadArchive,
  now: Micros,
): Promise<ImportReport> {
  const { archive, on_progress } = options
  const run = openRun(options, now)
  run.tally.addQuarantine(opened.quarantine)
  let done = 0
  const on_read = (bytes: number) => {
    done += bytes
    on_progress?.({ done, total: opened.bytes, unit: 'bytes' })
  }
  try {
    for await (const batch of opened.batches(options.limits, on_read)) await importBatch(run, batch)
    for (const reader of run.readers.values()) run.buffer.add(reader.finish?.() ?? {})
    await storeRecords(run)
  } finally {
    await run.storing.done.catch(() => undefined) // whoever started it throws it below or has ended for another reason
  }
  await run.storing.done
  return run.tally.report(archive, opened.files)
}

type Run = {
  readonly options: SourceImportOptions
  readonly commit: CommitOptions
  readonly readers: ReadonlyMap<string, VenueReader>
  readonly ids: Identities
  readonly tally: ReportTally
  readonly buffer: RecordBuffer
  /** The last stamps of the recorded clock: of payloads, and of the records read from them. */
  readonly stamped: { payloads: Micros; records: Micros }
  /** The commits of the records that were planned last: they are made while the next payloads are read. */
  readonly storing: { done: Promise<void> }
}

function openRun(options: SourceImportOptions, now: Micros): Run {
  const { archive, clock, signal, limits = LIMITS, readers } = options
  const of_venue = (venue_id: PayloadVenue): Pick<VenueReading, 'create_reader'> =>
    readers?.[venue_id] ?? VENUE_READERS[venue_id]
  return {
    options,
    commit: { archive, clock, signal },
    readers: new Map<string, VenueReader>(
      venuesOfKind(archive).map((venue_id) => [venue_id, of_venue(venue_id).create_reader(now)]),
    ),
    ids: createIdentities(),
    tally: new ReportTally(),
    buffer: new RecordBuffer(limits.records_max),
    stamped: { payloads: 0, records: 0 },
    storing: { done: Promise.resolve() },
  }
}

async function importBatch(run: Run, batch: PayloadBatch): Promise<void> {
  const { options, tally, buffer, readers, stamped, commit } = run
  options.signal?.throwIfAborted()
  tally.addQuarantine(batch.quarantine)
  tally.payloads_read += batch.payloads.length
  const stamps = minuteStamps([batch.payloads], Math.max(stamped.payloads, stamped.records))
  const stored = await storePayloads(options.warehouse, batch.payloads, stamps, options.archive, commit)
  stamped.payloads = lastOf(stamps) ?? stamped.payloads
  tally.payloads_new += stored.payloads
  tally.commits += stored.commits
  for (const payload of batch.payloads) {
    if (buffer.isFullBefore(payload)) await storeRecords(run)
    buffer.add(readers.get(payload.venue_id)!.read(payload), payload)
  }
  await storeRecords(run)
}

/**
 * Plans what was read, once what was read before is stored, and begins to commit it. Empties the buffer.
 * @throws what the commits before this one throw
 */
async function storeRecords({ options, commit, ids, tally, buffer, stamped, storing }: Run): Promise<void> {
  await storing.done
  const content = buffer.take()
  const { warehouse, clock } = options
  const stamps = clock === 'recorded' ? minuteStamps(receivedOf(content), stamped.records) : null
  const plan = planRecords(content, await readKnown(warehouse, content, ids), { ids, stamps })
  if (stamps !== null) {
    await checkRecordedClock(warehouse, plan)
    stamped.records = lastOf(stamps) ?? stamped.records
  }
  tally.addPlan({ ...plan, quarantine: plan.quarantine.map(placeOf) })
  tally.addSpan(content)
  storing.done = commitPlan(warehouse, plan, commit).then((commits) => {
    tally.commits += commits
  })
  storing.done.catch(() => undefined) // seen where it is awaited
}

function receivedOf({ payloads, quotes, books, metrics, trades, resolutions, references, hazards }: ArchiveContent) {
  return [payloads, quotes, books, metrics, trades, resolutions, references, hazards]
}

function lastOf(stamps: MinuteStamps): Micros | undefined {
  return [...stamps.values()].at(-1)
}

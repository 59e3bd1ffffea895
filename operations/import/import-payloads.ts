import { setImmediate } from 'node:timers/promises'
import { archiveBytes } from '../../connectors/archives/archive-file.ts'
import { BATCH_LIMITS, type BatchLimits } from '../../connectors/archives/payloads/batch-payloads.ts'
import { openPayloadArchive, type PayloadArchive } from '../../connectors/archives/payloads/open-payload-archive.ts'
import { locateItem } from '../../connectors/archives/payloads/payload-item.ts'
import { type PayloadKind, venuesOfKind } from '../../connectors/archives/payloads/payload-kinds.ts'
import { createIdentities, type Identities } from '../../pipelines/revisions/identities.ts'
import { type MinuteStamps, minuteStamps } from '../../pipelines/venues/minute-stamps.ts'
import type { PayloadVenue } from '../../pipelines/venues/payload-venues.ts'
import type { ArchiveContent, VenueReader } from '../../pipelines/venues/record.ts'
import { VENUE_READERS, type VenueReading } from '../../pipelines/venues/venue-readers.ts'
import type { Micros } from '../../primitives/instants.ts'
import type { ImportClock } from '../../vocabulary/ingest.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { openAppendGuard } from './append-guard.ts'
import { type CommitOptions, checkRecordedClock } from './commit-plan.ts'
import { commitPlanned, type Planned } from './commit-planned.ts'
import { type ImportedMarket, type ImportReport, ReportTally } from './import-report.ts'
import { type KeeperThread, keepInWorker } from './keep-in-worker.ts'
import { type KeptBatch, keepPayloads } from './keep-payloads.ts'
import type { OpenedArchive } from './keeper-messages.ts'
import { type OwnedPlan, planRecords, type RepeatedRecord } from './plan-records.ts'
import { IMPORT_TABLES, type KnownReader, openKnownReader } from './read-known.ts'
import { type OwnedContent, RecordBuffer } from './record-buffer.ts'

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
  /** Whether 0 stands for a missing price in the fields of ZERO_FIELDS; not when left out. */
  readonly zero_means_missing?: boolean
  readonly signal?: AbortSignal | undefined
  readonly on_progress?: ((progress: { done: number; total: number; unit: 'bytes' }) => void) | undefined
  /** Receives the markets that the payloads have records of, when all of them are stored. */
  readonly on_markets?: ((markets: readonly ImportedMarket[]) => void) | undefined
  /** Limits of what is in memory at once; other limits cut the same records into other commits. */
  readonly limits?: ImportLimits
  /**
   * Treatment of a record that repeats its chain's current one: as a confirmation, which is a revision, or as a duplicate. Live imports
   * confirm quotes alone, backfills nothing. A confirmation when left out, as in archives.
   */
  readonly repeated?: RepeatedRecord
  /** Receives the report so far after each commit, also of a plan that failed on its way. */
  readonly on_stored?: (so_far: ImportReport) => void
  /**
   * Archives of at least this size have their payloads read and stored in a second thread, beside the records of earlier payloads;
   * absent: never. The thread opens the folder of the warehouse itself.
   */
  readonly thread_from_bytes?: number | undefined
  /** Readers that replace the venues' own, by venue_id. */
  readonly readers?: Readonly<Partial<Record<PayloadVenue, Pick<VenueReading, 'create_reader'>>>>
}

/**
 * Loads an archive of payloads, batch by batch, in memory that does not grow with the archive. The payloads of a batch are stored before
 * any of them is parsed; their records are stored next. Every file is checked before the first batch, so an archive with a broken file
 * stores nothing. A repeated import adds nothing, and an interrupted one is completed by the next, which reads everything again, because
 * readers have memory, and stores the rest.
 * @throws {ServiceError} VALIDATION_INPUT_UNREADABLE, VALIDATION_ARCHIVE_INVALID, VALIDATION_CLOCK_REFUSED, and the
 *   errors of Warehouse.append
 */
export async function importPayloads(options: PayloadImportOptions): Promise<ImportReport> {
  const {
    archive,
    dir,
    clock,
    warehouse,
    signal,
    limits = LIMITS,
    thread_from_bytes = Number.POSITIVE_INFINITY,
  } = options
  const now = await warehouse.now()
  if (archiveBytes(dir) < thread_from_bytes) {
    return importSource(options, await openPayloadArchive(archive, dir, now), now)
  }
  const keeper = await keepInWorker({ root: warehouse.root, archive, dir, clock, limits, now }, signal)
  try {
    return await importKept(options, keeper, now)
  } finally {
    await keeper.end()
  }
}

/** Options of an import of payloads, whatever their source. */
export type SourceImportOptions = Omit<PayloadImportOptions, 'dir'>

/**
 * Loads payloads in the order of their receipt, batch by batch, as `importPayloads` does.
 * @param now nothing of the source can have been received later
 * @throws {ServiceError} VALIDATION_CLOCK_REFUSED, and the errors of the source and Warehouse.append
 */
export async function importSource(
  options: SourceImportOptions,
  opened: PayloadArchive,
  now: Micros,
): Promise<ImportReport> {
  const { archive, warehouse, clock, signal } = options
  const { files, quarantine, ignored, bytes } = opened
  return importKept(
    options,
    {
      files,
      quarantine,
      ignored,
      bytes,
      batches: (on_read, plannedThrough) =>
        keepPayloads(opened.batches(options.limits, on_read), {
          warehouse,
          kind: archive,
          commit: { archive, clock, signal },
          recordsStamp: plannedThrough,
        }),
    },
    now,
  )
}

/** Payloads that are stored as they are read, in this thread or another. */
type KeptSource = OpenedArchive & Pick<KeeperThread, 'batches'>

async function importKept(options: SourceImportOptions, source: KeptSource, now: Micros): Promise<ImportReport> {
  const { archive, on_progress } = options
  const run = openRun(options, now)
  run.tally.addUnread(source)
  let done = 0
  const on_read = (bytes: number) => {
    done += bytes
    on_progress?.({ done, total: source.bytes, unit: 'bytes' })
  }
  try {
    for await (const batch of source.batches(on_read, () => run.stamped.records)) await importBatch(run, batch)
    for (const reader of run.readers.values()) run.buffer.add(reader.finish?.() ?? {})
    await storeRecords(run)
  } finally {
    await run.storing.done.catch(() => undefined) // whoever started it throws it below or has ended for another reason
    await run.known.close()
  }
  await run.storing.done
  options.on_markets?.(run.tally.markets())
  return run.tally.report(archive, source.files)
}

type Run = {
  readonly options: SourceImportOptions
  readonly commit: CommitOptions
  readonly readers: ReadonlyMap<string, VenueReader>
  readonly ids: Identities
  readonly known: KnownReader
  readonly tally: ReportTally
  readonly buffer: RecordBuffer
  /** The last stamp of the recorded clock that records got. */
  readonly stamped: { records: Micros }
  /** The commits of the records that were planned last: they are made while the next payloads are read. */
  readonly storing: { done: Promise<void> }
}

function openRun(options: SourceImportOptions, now: Micros): Run {
  const { archive, clock, signal, limits = LIMITS, readers, zero_means_missing } = options
  const of_venue = (venue_id: PayloadVenue): Pick<VenueReading, 'create_reader'> =>
    readers?.[venue_id] ?? VENUE_READERS[venue_id]
  const tally = new ReportTally()
  return {
    options,
    commit: { archive, clock, signal },
    readers: new Map<string, VenueReader>(
      venuesOfKind(archive).map((venue_id) => [venue_id, of_venue(venue_id).create_reader(now, zero_means_missing)]),
    ),
    ids: createIdentities(),
    known: openKnownReader(options.warehouse),
    tally,
    buffer: new RecordBuffer(limits.records_max, tally.input),
    stamped: { records: 0 },
    storing: { done: Promise.resolve() },
  }
}

/**
 * Payloads parsed in one turn of the event loop. Between two turns DuckDB, which writes the records of the previous batch in a thread of
 * its own, gets the next rows, so its writing and flushing are done by the time the batch is parsed.
 */
const PAYLOADS_A_TURN = 256

async function importBatch(run: Run, batch: KeptBatch): Promise<void> {
  const { options, tally, buffer, readers } = run
  options.signal?.throwIfAborted()
  tally.addUnread(batch)
  tally.payloads_read += batch.payload_count
  tally.payloads_new += batch.stored.payloads
  tally.commits += batch.stored.commits
  let count = 0
  for (const payload of batch.payloads) {
    if (buffer.isFullBefore(payload)) await storeRecords(run)
    const records = readers.get(payload.venue_id)!.read(payload)
    if (records.zeros !== undefined) tally.addZeros(records.zeros)
    buffer.add(records, payload)
    count += 1
    if (count % PAYLOADS_A_TURN === 0) await setImmediate()
  }
  await storeRecords(run)
}

/**
 * Plans what was read, once what was read before is stored, and begins to commit it. Empties the buffer.
 * @throws what the commits before this one throw
 */
async function storeRecords(run: Run): Promise<void> {
  const { options, tally, buffer, storing } = run
  await storing.done
  const { content, items } = buffer.take()
  const planAgain = () => planContent(run, content)
  const first = await planAgain()
  tally.addSpan(content)
  const { warehouse } = options
  storing.done = commitPlanned(first, {
    warehouse,
    tally,
    items,
    planAgain,
    decidedBy: ({ decided }) => decided,
  }).finally(() => options.on_stored?.(tally.report(options.archive, [])))
  storing.done.catch(() => undefined) // seen where it is awaited
}

/** Under the wall clock others may write the same records meanwhile, so that a plan holds only until somebody does. */
async function planContent(
  { options, commit, ids, known, stamped }: Run,
  content: OwnedContent,
): Promise<Planned<OwnedPlan>> {
  const { warehouse, clock, repeated = 'confirms' } = options
  const stamps = clock === 'recorded' ? minuteStamps(receivedOf(content), stamped.records) : null
  const guard = clock === 'wall' ? await openAppendGuard(warehouse, IMPORT_TABLES) : undefined
  const plan = planRecords(content, await known.read(content, ids), { ids, stamps, repeated })
  if (stamps !== null) {
    await checkRecordedClock(warehouse, plan)
    stamped.records = lastOf(stamps) ?? stamped.records
  }
  return { plan: { ...plan, quarantine: plan.quarantine.map(locateItem) }, commit: { ...commit, guard } }
}

function receivedOf({ payloads, quotes, books, metrics, trades, resolutions, references, hazards }: ArchiveContent) {
  return [payloads, quotes, books, metrics, trades, resolutions, references, hazards]
}

function lastOf(stamps: MinuteStamps): Micros | undefined {
  return [...stamps.values()].at(-1)
}

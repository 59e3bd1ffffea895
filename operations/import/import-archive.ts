export type { ImportReport } from './import-report.ts'

import { archiveBytes } from '../../connectors/archives/archive-file.ts'
import { isPayloadKind } from '../../connectors/archives/payloads/payload-kinds.ts'
import { readArchive } from '../../connectors/archives/read-archive.ts'
import { createIdentities } from '../../pipelines/revisions/identities.ts'
import type { ArchiveContent, Origin } from '../../pipelines/venues/record.ts'
import { readZeros, ZERO_FIELDS } from '../../pipelines/venues/zero-values.ts'
import { ServiceError } from '../../primitives/errors.ts'
import type { Micros } from '../../primitives/instants.ts'
import type { ImportClock } from '../../vocabulary/ingest.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { openAppendGuard } from './append-guard.ts'
import { checkRecordedClock } from './commit-plan.ts'
import { commitPlanned, type Planned } from './commit-planned.ts'
import { importInWorker } from './import-in-worker.ts'
import { type ImportedMarket, type ImportReport, ReportTally } from './import-report.ts'
import type { DecidedTables, PendingItems } from './input-tally.ts'
import { type DecidedLines, type LinePlan, planImport } from './plan-import.ts'
import { IMPORT_TABLES, openKnownReader } from './read-known.ts'

export type ImportOptions = {
  /** Kind of the archive: `forecastbench`, `quotes`, a venue or feed whose payloads are read, or `payloads`. */
  readonly archive: string
  /** Folder with the archive's files. */
  readonly dir: string
  /** File that says how the columns of CSV and Parquet files become quotes; with `quotes` alone. */
  readonly mapping?: string | undefined
  /** wall: published_at is now. recorded: published_at follows the archive (docs/archives.md "Clocks"). */
  readonly clock: ImportClock
  /** Whether 0 stands for a missing price in the fields of ZERO_FIELDS; not when left out. */
  readonly zero_means_missing?: boolean
  readonly warehouse: Warehouse
  /** Ends the import between two commits; the next import continues there. */
  readonly signal?: AbortSignal | undefined
  readonly on_progress?: ((progress: ImportProgress) => void) | undefined
  /** Receives the markets that the archive has records of, when all of them are stored. */
  readonly on_markets?: ((markets: readonly ImportedMarket[]) => void) | undefined
  /**
   * Archives of at least this size are imported in threads, one for payloads and one for records, which open the folder of the
   * warehouse themselves; absent: never.
   */
  readonly thread_from_bytes?: number | undefined
}

type ImportProgress = { readonly done: number; readonly total: number; readonly unit: 'rows' | 'bytes' }

/**
 * Loads an archive. With a file that is cut, corrupt or of another format, or a refused clock, nothing is stored. Malformed records are
 * quarantined. A repeated import adds nothing; an interrupted one is completed.
 * @throws {ServiceError} VALIDATION_INPUT_UNREADABLE, VALIDATION_ARCHIVE_INVALID, VALIDATION_USAGE_INVALID,
 *   VALIDATION_CLOCK_REFUSED, and the errors of Warehouse.append
 */
export async function importArchive(options: ImportOptions): Promise<ImportReport> {
  const { archive, mapping } = options
  if (options.zero_means_missing === true) checkZeroKind(archive)
  if (!isPayloadKind(archive)) return importRecords(options)
  if (mapping !== undefined) throw needsNoMapping(archive, mapping)
  const { dir, clock, warehouse, zero_means_missing = false, thread_from_bytes = Number.POSITIVE_INFINITY } = options
  if (archiveBytes(dir) >= thread_from_bytes)
    return importInWorker({ archive, dir, clock, zero_means_missing, root: warehouse.root, thread_from_bytes }, options)
  const { importPayloads } = await import('./import-payloads.ts') // loads every venue's reader
  return importPayloads({ ...options, archive })
}

/** Imports an archive of record tables: all of it is read, parsed and planned before the first commit. */
async function importRecords(options: ImportOptions): Promise<ImportReport> {
  const { archive, warehouse, on_markets, on_progress } = options
  const read = await readRecords(options, await warehouse.now())
  const { content, zeros, ignored } = readZeros(read, options.zero_means_missing === true)
  const tally = new ReportTally()
  tally.addZeros(zeros)
  for (const { file, line, rule } of ignored) tally.input.countFile(file, rule, line)
  const lines = countLines(tally, content)
  const planAgain = () => planTables(content, options)
  await commitPlanned(await planAgain(), { ...lines, warehouse, tally, planAgain, on_progress })
  tally.addSpan(content)
  on_markets?.(tally.markets())
  return tally.report(archive, content.files)
}

/** Plans the tables. Under the wall clock a plan holds until others write the same chains. */
async function planTables(
  content: ArchiveContent,
  { archive, clock, warehouse, signal }: ImportOptions,
): Promise<Planned<LinePlan>> {
  const guard = clock === 'wall' ? await openAppendGuard(warehouse, IMPORT_TABLES) : undefined
  const plan = planImport(content, await knownOf(warehouse, content), clock)
  if (clock === 'recorded') await checkRecordedClock(warehouse, plan)
  return { plan, commit: { archive, clock, signal, guard } }
}

/** Reads the tables of an archive, by a mapping if there is one. Nothing is stored. @throws {ServiceError} as importArchive */
export async function readRecords(
  { archive, dir, mapping }: Pick<ImportOptions, 'archive' | 'dir' | 'mapping'>,
  now: Micros,
): Promise<ArchiveContent> {
  if (mapping === undefined) return readArchive(archive, dir, now)
  if (archive !== 'quotes') throw needsNoMapping(archive, mapping)
  const [{ readMappingFile }, { readMapped }] = await Promise.all([
    import('./mapped/read-mapping-file.ts'),
    import('./mapped/read-mapped.ts'),
  ])
  return readMapped(dir, await readMappingFile(mapping), now)
}

/** @throws {ServiceError} VALIDATION_USAGE_INVALID for a kind of archive whose zeros are never read as missing */
export function checkZeroKind(archive: string): void {
  const kinds = [...Object.keys(ZERO_FIELDS), 'payloads']
  if (kinds.includes(archive)) return
  throw new ServiceError(
    'VALIDATION_USAGE_INVALID',
    `zero_means_missing does not apply to ${archive}; allowed: ${kinds.join(', ')}`,
    { field: 'zero_means_missing', value: archive },
  )
}

/** The lines of tables that were taken, and what a plan decides about them. */
type CountedLines = { readonly items: PendingItems; readonly decidedBy: (plan: LinePlan) => DecidedTables }

/** Counts every line of the tables under one outcome; a line of a mapped table may give several records. */
export function countLines({ input }: ReportTally, content: ArchiveContent): CountedLines {
  const { references, quotes, metrics, trades, resolutions, quarantine, ignored = [] } = content
  const item_of = new Map<string, number>()
  for (const { file, line } of [...references, ...quotes, ...metrics, ...trades, ...resolutions]) {
    const key = `${file}:${line}`
    if (!item_of.has(key)) item_of.set(key, input.countFile(file, 'taken', line))
  }
  for (const { file, line } of quarantine) input.countFile(file, 'quarantined', line)
  for (const { file, line, rule } of ignored) input.countFile(file, rule, line)
  const itemsOf = (records: readonly Origin[]) => records.map(({ file, line }) => item_of.get(`${file}:${line}`) ?? -1)
  const decide = ({ stored, conflicting }: DecidedLines) => ({
    stored: itemsOf(stored),
    conflicting: itemsOf(conflicting),
  })
  return {
    items: input.takePending(),
    decidedBy: ({ decided }) =>
      Object.fromEntries(Object.entries(decided).map(([table, lines]) => [table, () => decide(lines)])),
  }
}

async function knownOf(warehouse: Warehouse, content: ArchiveContent) {
  const known = openKnownReader(warehouse)
  try {
    return await known.read(content, createIdentities())
  } finally {
    await known.close()
  }
}

/** Error of a mapping that is given with an archive that needs none. */
export function needsNoMapping(archive: string, mapping: string): ServiceError {
  return new ServiceError(
    'VALIDATION_USAGE_INVALID',
    `mapping is ${mapping}; allowed: none with ${archive}, one with quotes`,
    {
      field: 'mapping',
      value: mapping,
    },
  )
}

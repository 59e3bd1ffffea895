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
import type { TableName } from '../../warehouse/tables.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { openAppendGuard, PlanOvertaken } from './append-guard.ts'
import { checkRecordedClock, commitPlan } from './commit-plan.ts'
import { importInWorker } from './import-in-worker.ts'
import { type ImportedMarket, type ImportReport, ReportTally } from './import-report.ts'
import type { PendingItems } from './input-tally.ts'
import { type LinePlan, planImport } from './plan-import.ts'
import { IMPORT_TABLES, OBSERVED_TABLES, openKnownReader } from './read-known.ts'

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
  const { archive, warehouse, on_markets } = options
  const read = await readRecords(options, await warehouse.now())
  const { content, zeros, ignored } = readZeros(read, options.zero_means_missing === true)
  const tally = new ReportTally()
  tally.addZeros(zeros)
  for (const { file, line, rule } of ignored) tally.input.countFile(file, rule, line)
  const { plan, commits, earlier } = await storeTables(content, options)
  const items = countLines(tally, content, { ...plan, stored: [...earlier.lines, ...plan.stored] })
  tally.addPlan(plan)
  tally.addDuplicates(-earlier.rows)
  tally.addSpan(content)
  tally.commits = commits
  items.settle()
  on_markets?.(tally.markets())
  return tally.report(archive, content.files)
}

/** Last plan of an import, and what earlier ones had stored before another writer came first. */
type StoredTables = {
  readonly plan: LinePlan
  readonly commits: number
  readonly earlier: { readonly rows: number; readonly lines: readonly Origin[] }
}

/** Plans and commits. Under the wall clock others may write the same chains meanwhile: what is left is then planned again. */
async function storeTables(
  content: ArchiveContent,
  { archive, clock, warehouse, signal, on_progress }: ImportOptions,
): Promise<StoredTables> {
  const earlier = { rows: 0, lines: [] as Origin[] }
  let commits = 0
  for (;;) {
    const guard = clock === 'wall' ? await openAppendGuard(warehouse, IMPORT_TABLES) : undefined
    const plan = planImport(content, await knownOf(warehouse, content), clock)
    if (clock === 'recorded') await checkRecordedClock(warehouse, plan)
    const total = plan.tables.reduce((sum, { commits }) => sum + commits.reduce((rows, c) => rows + c.row_count, 0), 0)
    const [done, observed] = [{ rows: 0 }, { rows: 0 }]
    const on_commit = (rows: number, table: TableName, already_done: boolean) => {
      done.rows += rows
      if (!already_done) commits += 1
      if (!already_done && OBSERVED_TABLES.has(table)) observed.rows += rows
      on_progress?.({ done: done.rows, total, unit: 'rows' })
    }
    try {
      await commitPlan(warehouse, plan, { archive, clock, signal, guard, on_commit })
      return { plan, commits, earlier }
    } catch (error) {
      if (!(error instanceof PlanOvertaken)) throw error
      earlier.rows += observed.rows
      if (done.rows > 0) earlier.lines.push(...plan.stored)
    }
  }
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

/** Counts every line of the tables under one outcome; a line of a mapped table may give several records. */
export function countLines(
  { input }: ReportTally,
  content: ArchiveContent,
  { stored, conflicting }: LinePlan,
): PendingItems {
  const { references, quotes, metrics, trades, resolutions, quarantine, ignored = [] } = content
  const item_of = new Map<string, number>()
  for (const { file, line } of [...references, ...quotes, ...metrics, ...trades, ...resolutions]) {
    const key = `${file}:${line}`
    if (!item_of.has(key)) item_of.set(key, input.countFile(file, 'taken', line))
  }
  for (const { file, line } of quarantine) input.countFile(file, 'quarantined', line)
  for (const { file, line, rule } of ignored) input.countFile(file, rule, line)
  const items = input.takePending()
  const itemsOf = (records: readonly Origin[]) => records.map(({ file, line }) => item_of.get(`${file}:${line}`) ?? -1)
  items.note({ stored: itemsOf(stored), conflicting: itemsOf(conflicting) })
  return items
}

async function knownOf(warehouse: Warehouse, content: ArchiveContent) {
  const known = openKnownReader(warehouse)
  try {
    return await known.read(content, createIdentities())
  } finally {
    known.close()
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

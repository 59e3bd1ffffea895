import { readArchive } from '../connectors/archives/read-archive.ts'
import type { ImportClock } from '../pipelines/venues/batches.ts'
import type { QuarantineItem } from '../pipelines/venues/quarantine.ts'
import type { ArchiveContent } from '../pipelines/venues/record.ts'
import { formatMicros, type Instant } from '../primitives/instants.ts'
import type { Warehouse } from '../warehouse/warehouse.ts'
import { checkRecordedClock, commitPlan } from './import/commit-plan.ts'
import { type ImportPlan, planImport } from './import/plan-import.ts'
import { readKnown } from './import/read-known.ts'

export type ImportOptions = {
  /** Kind of the archive: `forecastbench` or `quotes`. */
  readonly archive: string
  /** Folder with the archive's files. */
  readonly dir: string
  /** wall: published_at is now. recorded: one commit per table and received_at, stamped with it. */
  readonly clock: ImportClock
  readonly warehouse: Warehouse
  /** Ends the import between two commits; the next one goes on there. */
  readonly signal?: AbortSignal | undefined
  readonly on_progress?: ((progress: ImportProgress) => void) | undefined
}

export type ImportProgress = { readonly done: number; readonly total: number; readonly unit: 'rows' }

/** What an import did. records_read = new + revised + duplicate + quarantined. */
export type ImportReport = {
  readonly archive: string
  /** Names of the files read. */
  readonly files: readonly string[]
  readonly records_read: number
  /** First revisions stored. */
  readonly records_new: number
  /** Later revisions stored. */
  readonly records_revised: number
  readonly records_duplicate: number
  /** Every record that was not taken, described in `quarantine`. */
  readonly records_quarantined: number
  readonly quarantine: readonly QuarantineItem[]
  /** Revisions of markets and events stored. */
  readonly reference_records: number
  /** Least and greatest source instant of the valid records; null without any. */
  readonly first_source_at: Instant | null
  readonly last_source_at: Instant | null
  readonly commits: number
}

/**
 * Loads an archive. All of it is read, parsed and planned before the first commit, so a broken file or a refused clock
 * stores nothing. Malformed records are quarantined. Repeating an import adds nothing; an interrupted one is completed.
 * @throws {ServiceError} VALIDATION_INPUT_UNREADABLE, VALIDATION_ARCHIVE_INVALID, VALIDATION_USAGE_INVALID,
 *   VALIDATION_CLOCK_REFUSED, and what Warehouse.append throws
 */
export async function importArchive(options: ImportOptions): Promise<ImportReport> {
  const { archive, dir, clock, warehouse, signal, on_progress } = options
  const content = await readArchive(archive, dir, await warehouse.now())
  const plan = planImport(content, await readKnown(warehouse, content), clock)
  if (clock === 'recorded') await checkRecordedClock(warehouse, plan)
  const total = plan.tables.reduce((sum, { commits }) => sum + commits.reduce((rows, c) => rows + c.row_count, 0), 0)
  let done = 0
  const on_commit = (rows: number) => {
    done += rows
    on_progress?.({ done, total, unit: 'rows' })
  }
  const commits = await commitPlan(warehouse, plan, { archive, clock, signal, on_commit })
  return { archive, ...reportOf(content, plan), commits }
}

function reportOf(content: ArchiveContent, { counts, quarantine, reference_records }: ImportPlan) {
  const { first, last } = sourceSpan(content)
  const taken = counts.new + counts.revised + counts.duplicate
  return {
    files: content.files,
    records_read: taken + quarantine.length,
    records_new: counts.new,
    records_revised: counts.revised,
    records_duplicate: counts.duplicate,
    records_quarantined: quarantine.length,
    quarantine,
    reference_records,
    first_source_at: first === null ? null : formatMicros(first),
    last_source_at: last === null ? null : formatMicros(last),
  }
}

function sourceSpan({ quotes, trades, resolutions }: ArchiveContent) {
  let first: number | null = null
  let last: number | null = null
  for (const records of [quotes, trades, resolutions]) {
    for (const { source_at } of records) {
      first = first === null ? source_at : Math.min(first, source_at)
      last = last === null ? source_at : Math.max(last, source_at)
    }
  }
  return { first, last }
}

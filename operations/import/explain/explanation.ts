import type { ArchiveKind } from '../../../connectors/archives/read-archive.ts'
import type { ArchiveContent } from '../../../pipelines/venues/record.ts'
import type { Micros } from '../../../primitives/instants.ts'
import type { ImportReport } from '../import-report.ts'
import { RECORD_LISTS } from '../record-buffer.ts'

export type ExplainOptions = {
  /** Kind of the archive; null: found from the names of the files and from what is in them. */
  readonly archive: ArchiveKind | null
  /** Folder or file. */
  readonly path: string
  readonly mapping?: string | undefined
  /** Whether a price of 0 is read as missing, as by an import; false when left out. */
  readonly zero_means_missing?: boolean | undefined
  /** The wall clock: nothing can have been received later. */
  readonly now: Micros
  readonly signal?: AbortSignal | undefined
}

/** An endpoint of which a file holds answers or messages, and how they are known. */
type ExplainedEndpoint = {
  readonly venue_id: string
  readonly endpoint: string
  readonly payloads: number
  readonly known_by: string
}

/** A file: the form in which it is read and the reason; `form` null: it is not read. */
export type ExplainedFile = {
  readonly file: string
  readonly form: string | null
  readonly why: string
  readonly endpoints: readonly ExplainedEndpoint[]
}

/** Number of records by their table. */
export type RecordCounts = { readonly [list in (typeof RECORD_LISTS)[number]]: number }

/** Contents of the files. */
export type Found = {
  readonly files: readonly ExplainedFile[]
  readonly report: ImportReport
  readonly records: RecordCounts
  /** Markets that the records are about, as `venue market`. */
  readonly markets: readonly string[]
  readonly venues: readonly string[]
  /** Rules of the mapping, in words: one per column. */
  readonly mapping: readonly string[]
}

/** Effect that an import would have. `usable` records are imported, or are duplicates of what is stored already. */
export type ImportExplanation = Omit<Found, 'report' | 'markets'> &
  Pick<ImportReport, 'ignored' | 'redactions' | 'problems' | 'first_source_at' | 'last_source_at'> & {
    readonly archive: ArchiveKind
    readonly archive_why: string
    readonly path: string
    readonly input: ExplainedCounts
    readonly input_files: readonly (ExplainedCounts & { readonly file: string })[]
    readonly market_count: number
    /** The first of them. */
    readonly markets: readonly string[]
    /** The next step in one sentence. */
    readonly advice: string
  }

export type ExplainedCounts = {
  readonly read: number
  readonly usable: number
  readonly repeated: number
  readonly redacted: number
  readonly ignored: number
  readonly quarantined: number
}

/** Counts the records of some content by table. */
export function countRecords(content: Pick<ArchiveContent, keyof RecordCounts>, before?: RecordCounts): RecordCounts {
  const counts = RECORD_LISTS.map((list) => [list, content[list].length + (before?.[list] ?? 0)] as const)
  return Object.fromEntries(counts) as RecordCounts
}

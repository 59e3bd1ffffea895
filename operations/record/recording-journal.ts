import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { RECORDING_JOURNAL } from '../../connectors/archives/file-names.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { formatMicros, type Instant, type Micros } from '../../primitives/instants.ts'

/** A file of a recording that is complete and will not change. */
export type SealedFile = {
  readonly file: string
  readonly payloads: number
  readonly bytes: number
  readonly sha256: string
  readonly first_received_at: Instant
  readonly last_received_at: Instant
}

/** Time in which part of the venue was not recorded; `to` null: it lasts. */
export type RecordedGap = {
  /** `recorder` (it did not run), `streams`, or the parts of a read. */
  readonly missing: string
  readonly from: Instant
  readonly to: Instant | null
  readonly reason: string
}

/** An answer or message that is not in the files: bytes that may name accounts and cannot be read. */
export type NotKept = {
  readonly event: 'not_kept'
  readonly reason: string
  readonly endpoint?: string
  readonly request?: string | null
  readonly bytes?: number
  readonly sha256?: string
}

/** One line of a recording's journal, beside its instant. */
type JournalEvent =
  | { readonly event: 'started'; readonly venue_id: string; readonly markets: readonly string[] | null }
  | ({ readonly event: 'sealed' } & SealedFile)
  /** The end of a file that a kill or a full disk had torn was cut off. */
  | { readonly event: 'repaired'; readonly file: string; readonly bytes_removed: number }
  | { readonly event: 'dropped'; readonly file: string }
  | ({ readonly event: 'gap' } & RecordedGap)
  | NotKept
  | { readonly event: 'stopped'; readonly reason: string }

type JournalLine = JournalEvent & { readonly at: Instant }

/** Journal of a recording: one JSON object per line, appended as things happen. Imports do not read it. */
export type RecordingJournal = {
  /** Lines that were there when it was opened. */
  readonly before: readonly JournalLine[]
  write(event: JournalEvent): void
}

/**
 * Opens the journal of a folder, or begins one.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID if the folder holds a recording of another venue
 */
export function openJournal(dir: string, venue_id: string, now: () => Micros): RecordingJournal {
  const path = join(dir, RECORDING_JOURNAL)
  const before = existsSync(path) ? linesOf(readFileSync(path, 'utf8')) : []
  const other = before.find((line) => line.event === 'started' && line.venue_id !== venue_id)
  if (other?.event === 'started') {
    throw new ServiceError(
      'VALIDATION_USAGE_INVALID',
      `out is ${dir}, which holds a recording of ${other.venue_id}; allowed: a folder for ${venue_id} alone`,
      { field: 'out', value: dir },
    )
  }
  return {
    before,
    write: (event) => appendFileSync(path, `${JSON.stringify({ at: formatMicros(now()), ...event })}\n`),
  }
}

/** A line that a kill cut off is left out. */
function linesOf(text: string): JournalLine[] {
  return text.split('\n').flatMap((line) => {
    try {
      return [JSON.parse(line) as JournalLine]
    } catch {
      return []
    }
  })
}

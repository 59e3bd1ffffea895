import { isServiceError, ServiceError } from '../../primitives/errors.ts'
import { type Instant, toMicros } from '../../primitives/instants.ts'
import type { Store } from '../../warehouse/store/store.ts'
import { journalKey } from '../../warehouse/store/work-keys.ts'

/** Journal of a backfill without a server, kept in the store between runs. */
export type BackfillJournal = {
  readonly format: 1
  readonly backfill_id: string
  /** true: every chunk is complete, and the next run starts over. */
  readonly complete: boolean
  readonly started_at: Instant
  readonly records_new: number
  readonly records_quarantined: number
  /** Absent in journals of earlier releases. */
  readonly marks_published?: number
  /** Keys of the completed chunks. */
  readonly done: readonly string[]
}

/**
 * Reads the journal of an interrupted run; null if there is none to resume.
 * @throws {ServiceError} VALIDATION_INPUT_UNREADABLE if it is damaged
 */
export async function readJournal(store: Store, backfill_id: string): Promise<BackfillJournal | null> {
  const key = journalKey(backfill_id)
  const bytes = await store.get(key)
  if (bytes === null) return null
  try {
    const journal = JSON.parse(String(bytes)) as BackfillJournal
    const is_whole = journal.format === 1 && journal.backfill_id === backfill_id && Array.isArray(journal.done)
    if (is_whole && toMicros(journal.started_at) > 0) return journal.complete ? null : journal
  } catch (error) {
    if (!(error instanceof SyntaxError) && !isServiceError(error)) throw error
  }
  throw new ServiceError(
    'VALIDATION_INPUT_UNREADABLE',
    `backfill journal ${key} of ${store.root} is damaged; allowed: a journal as written by a run; delete it to start the backfill over`,
    { file: key },
  )
}

/** Replaces the journal atomically: an interrupted run leaves the old one or the new one. */
export function writeJournal(store: Store, journal: BackfillJournal): Promise<void> {
  return store.replace(journalKey(journal.backfill_id), Buffer.from(`${JSON.stringify(journal)}\n`))
}

import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isServiceError, ServiceError } from '../../primitives/errors.ts'
import { type Instant, toMicros } from '../../primitives/instants.ts'

/** Journal of a backfill without a server, kept in `<home>/backfills/<id>.json` between runs. */
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
 * @throws {ServiceError} VALIDATION_INPUT_UNREADABLE if the file is damaged
 */
export async function readJournal(home: string, backfill_id: string): Promise<BackfillJournal | null> {
  const file = journalFile(home, backfill_id)
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (text === null) return null
  try {
    const journal = JSON.parse(text) as BackfillJournal
    const is_whole = journal.format === 1 && journal.backfill_id === backfill_id && Array.isArray(journal.done)
    if (is_whole && toMicros(journal.started_at) > 0) return journal.complete ? null : journal
  } catch (error) {
    if (!(error instanceof SyntaxError) && !isServiceError(error)) throw error
  }
  throw new ServiceError(
    'VALIDATION_INPUT_UNREADABLE',
    `backfill journal ${file} is damaged; allowed: a journal as written by a run; delete the file to start the backfill over`,
    { file },
  )
}

/** Replaces the file atomically: an interrupted run leaves the old journal or the new one. */
export async function writeJournal(home: string, journal: BackfillJournal): Promise<void> {
  const file = journalFile(home, journal.backfill_id)
  await mkdir(join(home, 'backfills'), { recursive: true })
  await writeFile(`${file}.new`, `${JSON.stringify(journal)}\n`)
  await rename(`${file}.new`, file)
}

function journalFile(home: string, backfill_id: string): string {
  return join(home, 'backfills', `${backfill_id}.json`)
}

import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isServiceError, ServiceError } from '../../primitives/errors.ts'
import { type Instant, toMicros } from '../../primitives/instants.ts'

/** What a backfill in this process has done, as `<home>/backfills/<id>.json` keeps it between two runs. */
export type BackfillJournal = {
  readonly format: 1
  readonly backfill_id: string
  /** true: every chunk was done; the next run begins anew. */
  readonly complete: boolean
  readonly started_at: Instant
  readonly records_new: number
  readonly records_quarantined: number
  /** Keys of the chunks that were done. */
  readonly done: readonly string[]
}

/**
 * What an earlier run that was ended left; null where there is nothing to go on with.
 * @throws {ServiceError} VALIDATION_INPUT_UNREADABLE where the file is damaged
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
    `backfill ${file} is damaged; allowed: what an earlier run wrote, or no such file (the backfill then begins anew)`,
    { file },
  )
}

/** Replaces the file at once: a run that is ended leaves the old or the new one. */
export async function writeJournal(home: string, journal: BackfillJournal): Promise<void> {
  const file = journalFile(home, journal.backfill_id)
  await mkdir(join(home, 'backfills'), { recursive: true })
  await writeFile(`${file}.new`, `${JSON.stringify(journal)}\n`)
  await rename(`${file}.new`, file)
}

function journalFile(home: string, backfill_id: string): string {
  return join(home, 'backfills', `${backfill_id}.json`)
}

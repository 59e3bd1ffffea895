import { foldBook } from '../public-market/fold-book.ts'
import type { Pool } from './create-pool.ts'
import { CHECKPOINT_EVERY, readPastBooks } from './past-books.ts'
import { prepared } from './read-sql.ts'

const INSERT = prepared('insert_book_checkpoint')
const OUTCOMES = prepared('outcome_ids')

/** Most checkpoints stored by one call: about a second of work. */
const STORED_MAX = 100

/** Stores checkpoints of the public books of listed markets. Several processes may do so at once: they store the same rows. */
export type CheckpointKeeper = {
  /**
   * Stores the checkpoints that are missing up to an event, oldest first.
   * @returns false: there were many, and the next call continues. @throws {ServiceError} SERVICE_UNAVAILABLE
   */
  keep(outcome_ids: readonly string[], through: number): Promise<boolean>
  outcomes(): Promise<readonly string[]>
}

/** Creates the keeper over a pool of the trading database. @param every book events of an outcome between two checkpoints */
export function checkpointKeeper(pool: Pool, every = CHECKPOINT_EVERY): CheckpointKeeper {
  return {
    async keep(outcome_ids, through) {
      let left = STORED_MAX
      for (const outcome_id of outcome_ids) left -= await keepOne(pool, outcome_id, { through, every, left })
      return left > 0
    },
    outcomes: async () => (await pool.query<{ outcome_id: string }>({ ...OUTCOMES })).rows.map((row) => row.outcome_id),
  }
}

/** Each step reads from the newest checkpoint on, so that one ended anywhere is resumed. */
async function keepOne(
  pool: Pool,
  outcome_id: string,
  { through, every, left }: { readonly through: number; readonly every: number; readonly left: number },
): Promise<number> {
  for (let stored = 0; ; stored += 1) {
    if (stored >= left) return stored
    const [book] = await readPastBooks(pool, [outcome_id], through, every)
    if (book === undefined || book.last === null || book.count < every) return stored
    const levels = JSON.stringify(foldBook(book.checkpoint, book.events))
    await pool.query({ ...INSERT, values: [outcome_id, book.last, levels] })
  }
}

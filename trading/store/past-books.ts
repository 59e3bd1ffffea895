import type { LevelEvent, StoredLevel } from '../public-market/fold-book.ts'
import type { PastBook } from '../public-market/past-market.ts'
import type { Pool } from './create-pool.ts'
import { queryOnce } from './read/snapshot.ts'

/** Book events of an outcome between two checkpoints: few enough that a past book is read within milliseconds. */
export const CHECKPOINT_EVERY = 500

/** Most book events of one outcome in a whole past book; more means that its checkpoints are not kept yet. */
const EVENTS_MAX = 100 * CHECKPOINT_EVERY

type BookRow = {
  readonly outcome_id: string
  readonly checkpoint: readonly StoredLevel[] | null
  readonly count: number
  readonly events: string
  readonly last: number | null
}

/** A past book, with the number of events after its checkpoint and the engine_sequence of the last of them (null: none). */
export type PastBookRead = PastBook & { readonly count: number; readonly last: number | null }

/**
 * Reads past books from their checkpoints.
 * @param through engine_sequence, inclusive
 * @param events_max most events read of one outcome: with more, its book is older than `through`
 * @throws {ServiceError} SERVICE_UNAVAILABLE
 */
export async function readPastBooks(
  pool: Pool,
  outcome_ids: readonly string[],
  through: number,
  events_max: number,
): Promise<readonly PastBookRead[]> {
  const rows = await queryOnce<BookRow>(pool, 'public_books_at', [outcome_ids, through, events_max])
  return rows.map(({ outcome_id, checkpoint, count, events, last }) => {
    return { outcome_id, checkpoint: checkpoint ?? [], events: JSON.parse(events) as LevelEvent[], count, last }
  })
}

/**
 * Reads past books with all their events.
 * @param through engine_sequence, inclusive
 * @returns null: some checkpoints are still being made
 * @throws {ServiceError} SERVICE_UNAVAILABLE
 */
export async function readWholePastBooks(
  pool: Pool,
  outcome_ids: readonly string[],
  through: number,
): Promise<readonly PastBook[] | null> {
  const books = await readPastBooks(pool, outcome_ids, through, EVENTS_MAX + 1)
  return books.every(({ count }) => count <= EVENTS_MAX) ? books : null
}

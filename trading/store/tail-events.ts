import type { Micros } from '../../primitives/instants.ts'
import type { EngineEvent } from '../engine/events.ts'
import type { EventRow } from '../projections/rows.ts'
import { CommitBell } from './commit-bell.ts'
import type { Pool } from './create-pool.ts'
import { prepared } from './read-sql.ts'

const AFTER = prepared('events_after')

/** An event with the stamp of its batch. */
export type TailedEvent = EventRow & { readonly at: Micros }

export type TailOptions = {
  /** Events at most in one piece. */
  readonly limit?: number
  /** Look by itself after this long without a notice. */
  readonly poll_ms?: number
  readonly signal: AbortSignal
}

/** An event as the engine told it, out of its row. */
export function decodeEvent({ engine_sequence, at, kind, body }: TailedEvent): EngineEvent {
  return { engine_sequence, at, kind, ...(body as object) } as EngineEvent
}

/** Events after a cursor, oldest first. */
export async function eventsAfter(pool: Pool, engine_sequence: number, limit: number): Promise<readonly TailedEvent[]> {
  const { rows } = await pool.query<TailedEvent>({ ...AFTER, values: [engine_sequence, limit] })
  return rows
}

/**
 * Follows the committed events from a cursor on, in order and without a gap, until the signal. Sequences are given out and committed
 * by one engine in one order, so nothing appears behind the cursor later. A notice of the database only wakes it; while the database
 * cannot be reached it waits.
 * @param after_sequence the last engine_sequence that the caller has; 0: from the beginning
 */
export async function* tailEvents(
  pool: Pool,
  after_sequence: number,
  { limit = 1_000, poll_ms = 500, signal }: TailOptions,
): AsyncGenerator<readonly TailedEvent[]> {
  const bell = new CommitBell(pool)
  try {
    for (let cursor = after_sequence; !signal.aborted; ) {
      await bell.listen()
      const events = await eventsAfter(pool, cursor, limit).catch(() => [])
      if (events.length > 0) {
        cursor = events.at(-1)!.engine_sequence
        yield events
      }
      // A piece that is not full was all that there was; what was committed since has rung.
      if (events.length < limit) await bell.wait(poll_ms, signal)
    }
  } finally {
    bell.close()
  }
}

import { setTimeout as pause } from 'node:timers/promises'
import { formatMicros, type Micros } from '../../primitives/instants.ts'
import type { EngineEvent } from '../engine/events.ts'
import { CommitBell } from './commit-bell.ts'
import type { Pool } from './create-pool.ts'
import { prepared } from './read-sql.ts'

const AFTER = prepared('batches_after')

/** Events of one engine transaction, complete, by engine_sequence. */
export type EngineBatch = {
  readonly batch_sequence: number
  readonly at: Micros
  /** Account events (orders, fills, positions, money) are omitted unless requested; key events never are. */
  readonly events: readonly EngineEvent[]
  readonly last_engine_sequence: number
}

/** Last batch that a tail has delivered. */
export type BatchCursor = Pick<EngineBatch, 'at' | 'last_engine_sequence'>

/** Result of one read. */
export type TailedBatches = {
  readonly batches: readonly EngineBatch[]
  /** Time of the query, by performance.now(). */
  readonly asked_ms: number
  /** Whether everything committed before the query has been delivered. */
  readonly is_all: boolean
}

export type BatchTailOptions = {
  /** Longest wait for a notice before the next read. */
  readonly poll_ms: number
  /** Shortest time between two reads that found something: commits meanwhile are read together. */
  readonly gather_ms: number
  /** Whether account events are requested, which are most of all; left out: always. */
  readonly of_accounts?: () => boolean
  readonly signal: AbortSignal
}

/** Largest number of batches per read, because all their events are in memory at once. */
const LIMIT = 32

type BatchText = Omit<EngineBatch, 'events'> & { readonly events: string | null }

/**
 * Follows the committed batches from a cursor, in order and without gaps, until the signal; a read may be empty. A database
 * notice only wakes it, and it waits while the database cannot be reached. Batches without events are omitted.
 */
export async function* tailBatches(
  pool: Pool,
  cursor: BatchCursor,
  { poll_ms, gather_ms, of_accounts = () => true, signal }: BatchTailOptions,
): AsyncGenerator<TailedBatches> {
  const bell = new CommitBell(pool)
  try {
    while (!signal.aborted) {
      await bell.listen()
      const asked_ms = performance.now()
      const with_accounts = of_accounts()
      const rows = await batchesAfter(pool, cursor, with_accounts).catch(() => null)
      // A subscriber that joined during the read needs the account events too, so the batches are read again.
      if (!with_accounts && of_accounts()) continue
      const is_all = rows !== null && rows.length < LIMIT
      cursor = rows?.at(-1) ?? cursor
      if (rows !== null) yield { batches: rows.filter(hasEvents).map(decoded), asked_ms, is_all }
      if (rows === null || is_all) await bell.wait(poll_ms, signal)
      if (is_all && rows.length > 0) await pauseUntil(asked_ms + gather_ms, signal)
    }
  } finally {
    bell.close()
  }
}

async function batchesAfter(
  pool: Pool,
  { at, last_engine_sequence }: BatchCursor,
  with_accounts: boolean,
): Promise<readonly BatchText[]> {
  const values = [formatMicros(at), last_engine_sequence, LIMIT, with_accounts]
  return (await pool.query<BatchText>({ ...AFTER, values })).rows
}

function hasEvents(row: BatchText): row is BatchText & { readonly events: string } {
  return row.events !== null
}

function decoded(row: BatchText & { readonly events: string }): EngineBatch {
  const events = JSON.parse(row.events) as { at: Micros }[]
  for (const event of events) event.at = row.at
  return { ...row, events: events as unknown as EngineEvent[] }
}

async function pauseUntil(at_ms: number, signal: AbortSignal): Promise<void> {
  const wait_ms = at_ms - performance.now()
  if (wait_ms > 0) await pause(wait_ms, undefined, { signal }).catch(() => undefined)
}

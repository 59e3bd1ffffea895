import { setTimeout as pause } from 'node:timers/promises'
import { formatMicros, type Micros } from '../../primitives/instants.ts'
import type { EngineEvent } from '../engine/events.ts'
import { CommitBell } from './commit-bell.ts'
import type { Pool } from './create-pool.ts'
import { prepared } from './read-sql.ts'

const AFTER = prepared('batches_after')

/** What one transaction of the engine said: whole, in the order of engine_sequence. */
export type EngineBatch = {
  readonly batch_sequence: number
  readonly at: Micros
  /** Those of accounts (orders, fills, positions, money) are left out where they were not asked for; those of keys never are. */
  readonly events: readonly EngineEvent[]
  readonly last_engine_sequence: number
}

/** The last batch that a tail has. */
export type BatchCursor = Pick<EngineBatch, 'at' | 'last_engine_sequence'>

/** What one look has found. */
export type TailedBatches = {
  readonly batches: readonly EngineBatch[]
  /** When it was asked for, by performance.now(). */
  readonly asked_ms: number
  /** Everything that was committed until it was asked for has been given. */
  readonly is_all: boolean
}

export type BatchTailOptions = {
  /** Look by itself after this long without a notice. */
  readonly poll_ms: number
  /** From one look that found something to the next: what is committed meanwhile is read together. */
  readonly gather_ms: number
  /** Whether somebody wants the events of accounts, which are most of all; left out: always. */
  readonly of_accounts?: () => boolean
  readonly signal: AbortSignal
}

/** Batches of one look at most: the events of all are in memory at once. */
const LIMIT = 32

type BatchText = Omit<EngineBatch, 'events'> & { readonly events: string | null }

/**
 * Follows the committed batches from a cursor on, in order and without a gap, until the signal; a look may find none. A notice of the
 * database only wakes it; while the database cannot be reached it waits. Batches without events are left out.
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
      // Whoever came while it was read has not seen what was committed meanwhile: it is read again, with everything.
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

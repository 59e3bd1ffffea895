import type { Micros } from '../../primitives/instants.ts'
import type { EngineEvent } from '../engine/events.ts'
import type { EventRow } from '../projections/rows.ts'
import type { Pool, PoolClient } from './create-pool.ts'
import { prepared } from './read-sql.ts'

/** Channel of the notices that a batch was committed. */
const CHANNEL = 'tidemark_engine'
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
  const bell = new Bell(pool)
  try {
    for (let cursor = after_sequence; !signal.aborted; ) {
      await bell.listen()
      const events = await eventsAfter(pool, cursor, limit).catch(() => [])
      if (events.length === 0) await bell.wait(poll_ms, signal)
      else {
        cursor = events.at(-1)!.engine_sequence
        yield events
      }
    }
  } finally {
    bell.close()
  }
}

/** One listening connection, made again where it broke. */
class Bell {
  readonly #pool: Pool
  #client: PoolClient | null = null
  #rung = false
  #wake: () => void = () => undefined

  constructor(pool: Pool) {
    this.#pool = pool
  }

  async listen(): Promise<void> {
    if (this.#client !== null) return
    const client = await this.#pool.connect().catch(() => null)
    if (client === null) return
    const drop = () => {
      // Given back, or its pool would wait for it for ever when it ends.
      if (this.#client === client) {
        this.#client = null
        client.release(true)
      }
      this.#ring()
    }
    client.on('notification', () => this.#ring())
    client.on('end', drop)
    this.#client = client
    await client.query(`LISTEN ${CHANNEL}`).catch(drop)
  }

  /** Until a notice, at most `wait_ms`. One that came since the last wait counts. */
  async wait(wait_ms: number, signal: AbortSignal): Promise<void> {
    if (!this.#rung && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, wait_ms)
        this.#wake = () => {
          clearTimeout(timer)
          resolve()
        }
        signal.addEventListener('abort', this.#wake, { once: true })
      })
      signal.removeEventListener('abort', this.#wake)
    }
    this.#rung = false
  }

  close(): void {
    const client = this.#client
    this.#client = null
    // Closed, not returned: it listens, and the pool's other users do not want its notices.
    client?.release(true)
  }

  #ring(): void {
    this.#rung = true
    this.#wake()
  }
}

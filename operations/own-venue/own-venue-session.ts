import { createBackoff } from '../../primitives/backoff.ts'
import { isServiceError } from '../../primitives/errors.ts'
import { formatMicros, type Instant, MICROS_PER_SECOND, type Micros } from '../../primitives/instants.ts'
import { wallClock } from '../../primitives/wall-clock.ts'
import type { CheckpointKeeper } from '../../trading/store/keep-checkpoints.ts'
import type { VenueReads } from '../../trading/store/venue/venue-reads.ts'
import { OWN_VENUE } from '../../vocabulary/venue.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { type HealthRecorder, type IngestFacts, openHealthRecorder } from '../live/ingest-health.ts'
import { waitFor } from '../live/wait-for.ts'
import { openVenueTail, type VenueTail } from './venue-tail.ts'

export type OwnVenuePorts = {
  readonly warehouse: Warehouse
  readonly reads: VenueReads
  /** Keeper of book checkpoints, see `TailPorts`. */
  readonly checkpoints?: CheckpointKeeper
  /** Ends the session after events that were read are stored. */
  readonly signal: AbortSignal
  /** Wall clock in microseconds; that of this machine when left out. */
  readonly now?: () => Micros
  readonly on_problem?: (error: unknown) => void
  /** Time between two looks for new events, in milliseconds. */
  readonly linger_ms?: number
}

export type OwnVenueReport = {
  readonly records_new: number
  readonly last_source_at: Instant | null
  /** engine_sequence up to which everything is stored. */
  readonly cursor: number
}

/** Shortest time between two commits of a table, as for any venue. */
const LINGER_MS = 1_000
/** A quote counts for a minute after its confirmation (methodology §4), so it is confirmed a little more often. */
const CONFIRM_AFTER: Micros = 40 * MICROS_PER_SECOND
const CONFIRM_EVERY: Micros = 5 * MICROS_PER_SECOND
/** Interval of sizes: volume, open interest and liquidity. */
const SIZES_EVERY: Micros = 60 * MICROS_PER_SECOND
/** Interval of whole books; quotes and trades record what happens between two of them. */
const BOOKS_EVERY: Micros = 60 * MICROS_PER_SECOND

/**
 * Runs one session of our own exchange: stores the engine's commits as they happen, until the session's time is over or the signal is
 * aborted. Waits while the database cannot be reached; if another session stores the same events, this one continues after them.
 * @param heartbeat called after each look, with the report so far
 */
export async function ownVenueSession(
  { session_ms }: { readonly session_ms: number },
  ports: OwnVenuePorts,
  heartbeat: (so_far: OwnVenueReport) => void = () => undefined,
): Promise<OwnVenueReport> {
  const { linger_ms = LINGER_MS } = ports
  const over = new AbortController()
  const timer = setTimeout(() => over.abort(), session_ms)
  const signal = AbortSignal.any([ports.signal, over.signal])
  const session = new Session(ports, await openHealthRecorder(ports.warehouse, OWN_VENUE))
  const backoff = createBackoff()
  try {
    while (!signal.aborted) {
      const is_well = await session.look()
      heartbeat(session.report())
      if (is_well) backoff.reset()
      if (!session.is_behind) await waitFor(is_well ? linger_ms : backoff.next(), signal)
    }
    return await session.end()
  } finally {
    clearTimeout(timer)
  }
}

class Session {
  readonly #ports: OwnVenuePorts
  readonly #now: () => Micros
  readonly #health: HealthRecorder
  #tail: VenueTail | null = null
  #facts: IngestFacts
  #confirmed_at: Micros
  #books_at: Micros
  #sizes_at: Micros = 0
  #cursor = 0
  is_behind = false

  constructor(ports: OwnVenuePorts, health: HealthRecorder) {
    this.#ports = ports
    this.#now = ports.now ?? wallClock
    this.#health = health
    const at = this.#now()
    this.#confirmed_at = at
    this.#books_at = at
    const counts = { gaps: 0, quarantined: 0, records_new: 0, sessions: 1 }
    this.#facts = { at, state: 'ok', last_success_at: null, last_source_at: null, problem: null, ...counts }
  }

  report(): OwnVenueReport {
    const { records_new, last_source_at } = this.#facts
    const text = last_source_at === null ? null : formatMicros(last_source_at)
    return { records_new, last_source_at: text, cursor: this.#cursor }
  }

  /** @returns false after a failure, which was reported; the next look opens a new tail */
  async look(): Promise<boolean> {
    try {
      await this.#take()
      await this.#health.record(this.#facts)
      return true
    } catch (error) {
      this.#tail = null
      this.is_behind = false
      const problem = isServiceError(error) ? error.message : 'internal error'
      // A lasting problem is reported once: a database may be unreachable for long.
      if (problem !== this.#facts.problem) this.#ports.on_problem?.(error)
      this.#facts = { ...this.#facts, at: this.#now(), state: 'degraded', problem }
      await this.#health.record(this.#facts).catch(() => undefined)
      return false
    }
  }

  /** Stores whole books at the end, from which the next session continues. */
  async end(): Promise<OwnVenueReport> {
    try {
      await this.#tail?.storeBooks()
      await this.#health.end(this.#facts)
    } catch (error) {
      this.#ports.on_problem?.(error)
    }
    return this.report()
  }

  async #take(): Promise<void> {
    const at = this.#now()
    const { warehouse, reads, checkpoints } = this.#ports
    this.#tail ??= await openVenueTail({ warehouse, reads, now: this.#now, ...(checkpoints && { checkpoints }) })
    const taken = await this.#tail.take()
    await this.#tail.keepCheckpoints()
    this.is_behind = !taken.is_at_head
    let rows = taken.rows
    if (at - this.#books_at >= BOOKS_EVERY) {
      rows += await this.#tail.storeBooks()
      this.#books_at = at
    }
    if (taken.is_at_head && at - this.#sizes_at >= SIZES_EVERY) {
      rows += await this.#tail.storeSizes()
      this.#sizes_at = at
    }
    if (taken.is_at_head && at - this.#confirmed_at >= CONFIRM_EVERY && (await reads.isLed())) {
      rows += await this.#tail.confirmQuotes(at, at - CONFIRM_AFTER)
      this.#confirmed_at = at
    }
    this.#cursor = this.#tail.cursor()
    const { records_new, last_source_at } = this.#facts
    this.#facts = {
      ...this.#facts,
      at,
      state: 'ok',
      problem: null,
      last_success_at: at,
      last_source_at: taken.last_at ?? last_source_at,
      records_new: records_new + rows,
    }
  }
}

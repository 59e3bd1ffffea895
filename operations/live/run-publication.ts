import { createBackoff } from '../../primitives/backoff.ts'
import { MICROS_PER_SECOND, type Micros } from '../../primitives/instants.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import type { LivePublisher, PublishedTick } from './live-publisher.ts'
import { waitFor } from './wait-for.ts'

export type PublicationOptions = {
  readonly warehouse: Pick<Warehouse, 'now'>
  readonly publisher: LivePublisher
  /** Ends the publication after the tick under way. */
  readonly signal: AbortSignal
  /** Distance of the ticks, which are its multiples since the epoch; a minute when left out. */
  readonly step?: Micros
  /** When a tick is due after its instant; the default grace of the methodology when left out. */
  readonly grace?: Micros
  readonly on_tick?: (tick: PublishedTick) => void
  /** Receives failures; the same ticks are retried later. */
  readonly on_problem?: (error: unknown) => void
  /** Waits, in place of this process's timer. */
  readonly wait?: (wait_ms: number, signal: AbortSignal) => Promise<void>
}

const STEP: Micros = 60 * MICROS_PER_SECOND
const GRACE: Micros = 5 * MICROS_PER_SECOND

/**
 * Publishes what is due now, then at each tick + grace by the warehouse's clock, until the signal is aborted. One tick after
 * the other: one that takes longer than a step delays the next, which makes up for what was missed. Failures end nothing.
 */
export async function runPublication(options: PublicationOptions): Promise<void> {
  const { warehouse, publisher, signal, step = STEP, grace = GRACE, on_tick, on_problem, wait = waitFor } = options
  const backoff = createBackoff()
  while (!signal.aborted) {
    try {
      const started = await warehouse.now()
      const tick = await publisher.publishDue()
      on_tick?.(tick)
      backoff.reset()
      const left = nextDue(started, step, grace) - (await warehouse.now())
      await wait(Math.max(0, Math.ceil(left / 1_000)), signal)
    } catch (error) {
      on_problem?.(error)
      await wait(backoff.next(), signal)
    }
  }
}

/** The first instant after `now` at which a tick becomes due: a multiple of the step, and the grace. */
export function nextDue(now: Micros, step: Micros, grace: Micros): Micros {
  return (Math.floor((now - grace) / step) + 1) * step + grace
}

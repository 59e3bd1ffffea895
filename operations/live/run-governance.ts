import { createBackoff } from '../../primitives/backoff.ts'
import { MICROS_PER_SECOND, type Micros } from '../../primitives/instants.ts'
import { SCHEDULE_IDS } from '../../vocabulary/schedules.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { advanceGovernance } from '../governance/advance-governance.ts'
import { publishNotices } from '../notices/publish-notices.ts'
import { openPauses } from '../pause/pauses.ts'
import { runRebalances } from '../selection/run-rebalances.ts'
import { waitFor } from './wait-for.ts'

export type RunGovernanceOptions = {
  readonly warehouse: Warehouse
  readonly signal: AbortSignal
  /** Receives failures, which end nothing: the next turn tries again. */
  readonly on_problem: (error: unknown) => void
}

/** Longest time between two turns, equal to that of workflows/schedules.ts: people act in other processes meanwhile. */
const TURN: Micros = 5 * 60 * MICROS_PER_SECOND
/** Shortest wait, in milliseconds: the clock of the warehouse may be behind this process's timers. */
const WAIT_MS_MIN = 1_000

/**
 * Performs what time makes due in governance without a Temporal server, and publishes notices, at its instant or five minutes after an act of a person. Beside a
 * worker each step is recorded once.
 */
export async function runGovernance({ warehouse, signal, ...options }: RunGovernanceOptions): Promise<void> {
  const pauses = openPauses(warehouse)
  const backoff = createBackoff()
  while (!signal.aborted) {
    try {
      const is_paused = (await pauses.of(SCHEDULE_IDS.govern)) !== null
      const next_at = is_paused ? null : (await advanceGovernance(warehouse, signal)).next_at
      if (!is_paused) await runRebalances(warehouse, signal)
      if (!is_paused) await publishNotices(warehouse, signal)
      const now = await warehouse.now()
      backoff.reset()
      await waitFor(Math.max(WAIT_MS_MIN, Math.ceil(Math.min(TURN, (next_at ?? now + TURN) - now) / 1_000)), signal)
    } catch (error) {
      if (!signal.aborted) options.on_problem(error)
      await waitFor(backoff.next(), signal)
    }
  }
}

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

/** Longest time between two turns: notices follow from records of other tables too. */
const TURN: Micros = 5 * 60 * MICROS_PER_SECOND
/** Time between two looks at the acts of people in other processes, in milliseconds; each reads the end of two logs. */
const LOOK_MS = 2_000

/**
 * Performs what time makes due in governance within seconds of its instant, and publishes notices: at that instant, and after each act of
 * a person in any process. It runs beside workflows too, which look every five minutes: each step is recorded once.
 */
export async function runGovernance({ warehouse, signal, ...options }: RunGovernanceOptions): Promise<void> {
  const pauses = openPauses(warehouse)
  const backoff = createBackoff()
  while (!signal.aborted) {
    try {
      // Before the turn, so that an act recorded during it is followed by another turn.
      const seen = await headsOf(warehouse)
      const is_paused = (await pauses.of(SCHEDULE_IDS.govern)) !== null
      const next_at = is_paused ? null : (await advanceGovernance(warehouse, signal)).next_at
      if (!is_paused) await runRebalances(warehouse, signal)
      if (!is_paused) await publishNotices(warehouse, signal)
      const turn_ends_at = (await warehouse.now()) + TURN
      backoff.reset()
      await waitForTurn(warehouse, { seen, until: Math.min(turn_ends_at, next_at ?? turn_ends_at) }, signal)
    } catch (error) {
      if (!signal.aborted) options.on_problem(error)
      await waitFor(backoff.next(), signal)
    }
  }
}

/** Waits until an instant of the warehouse's clock, and no longer than until somebody acts, pauses or resumes. */
async function waitForTurn(
  warehouse: Warehouse,
  { seen, until }: { readonly seen: string; readonly until: Micros },
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const left_ms = Math.ceil((until - (await warehouse.now())) / 1_000)
    if (left_ms <= 0 || (await headsOf(warehouse)) !== seen) return
    await waitFor(Math.min(LOOK_MS, left_ms), signal)
  }
}

/** Returns the ends of the logs whose records change what is due. */
async function headsOf(warehouse: Warehouse): Promise<string> {
  const logs = (['governance_act', 'schedule_act'] as const).map((table) => warehouse.log(table).snapshot())
  return (await Promise.all(logs)).map(({ version, head_stamp }) => `${version} ${head_stamp}`).join(', ')
}

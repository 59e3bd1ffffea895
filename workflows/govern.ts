import { proxyActivities, sleep } from '@temporalio/workflow'
import { toMicros } from '../primitives/instants.ts'
import type { Activities } from './activities/activity-types.ts'
import { UPKEEP } from './retry.ts'

const { advanceGovernance } = proxyActivities<Activities>(UPKEEP)

type GovernReport = { readonly performed: number }

/** Length of a turn: the schedule starts the next one then. */
const TURN_MS = 5 * 60_000
/** Shortest wait: a timer may fire slightly before the instant it was set for, and is then set again. */
const WAIT_MS_MIN = 1_000

/**
 * Performs what time makes due in governance, at its instant: ends of comments, votes and notices, activations, expiries and lapses. A
 * timer is set for each instant of the turn; the state is in the warehouse, so a turn that is missed loses nothing.
 *
 * Workflow id `govern/<scheduled_at>`. Each step is recorded once, whoever is first.
 */
export async function govern(): Promise<GovernReport> {
  const ends_at = Date.now() + TURN_MS
  for (let performed = 0; ; ) {
    const done = await advanceGovernance()
    performed += done.performed
    const due_at = done.next_at === null ? Number.POSITIVE_INFINITY : toMicros(done.next_at) / 1_000
    if (due_at >= ends_at) return { performed }
    await sleep(Math.max(WAIT_MS_MIN, Math.ceil(due_at - Date.now())))
  }
}

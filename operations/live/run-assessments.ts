import { createBackoff } from '../../primitives/backoff.ts'
import { formatMicros, MICROS_PER_SECOND, type Micros } from '../../primitives/instants.ts'
import { SCHEDULE_IDS } from '../../vocabulary/schedules.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { openPauses } from '../pause/pauses.ts'
import type { ScoringFiles } from '../rating/load-scoring.ts'
import { runRatings } from '../rating/run-ratings.ts'
import { expireOverrides } from '../review/review.ts'
import { REVIEW_SUBJECTS } from '../review/review-subjects.ts'
import { publishSeverityIndexes } from '../severity/publish-severity-indexes.ts'
import { runSeverity } from '../severity/run-severity.ts'
import { waitFor } from './wait-for.ts'

export type AssessmentsOptions = {
  readonly warehouse: Warehouse
  /** Facts and rubric that markets are rated by; the published ones when left out. */
  readonly scoring?: ScoringFiles
  readonly signal: AbortSignal
  /** Receives failures, which end nothing: the next turn tries again. */
  readonly on_problem: (error: unknown) => void
}

const MINUTE: Micros = 60 * MICROS_PER_SECOND
/** Intervals, equal to those of workflows/schedules.ts. */
const EXPIRE: Micros = 5 * MINUTE
const ASSESS: Micros = 15 * MINUTE
const RATE: Micros = 60 * MINUTE

/**
 * Runs a committee's scheduled work without a Temporal server: ends of overrides, severity of events with news and the severity indexes,
 * ratings of the day. Each runs at the multiples of its interval, and once at the start, until the signal is aborted. Work done twice, or
 * beside a worker, is published once.
 */
export async function runAssessments({ warehouse, signal, scoring, ...options }: AssessmentsOptions): Promise<void> {
  const pauses = openPauses(warehouse)
  const on_problem = (error: unknown) => (signal.aborted ? undefined : options.on_problem(error))
  const backoff = createBackoff()
  let before: Micros = 0
  while (!signal.aborted) {
    try {
      const now = await warehouse.now()
      await runDue(before, now)
      before = now
      backoff.reset()
      await waitFor((EXPIRE - (now % EXPIRE)) / 1_000, signal)
    } catch (error) {
      on_problem(error)
      await waitFor(backoff.next(), signal)
    }
  }

  /** Runs what is due at an instant and was not before. @throws errors of reading the pauses */
  async function runDue(before: Micros, now: Micros): Promise<void> {
    const isDue = async (schedule_id: string, every: Micros) =>
      Math.floor(before / every) < Math.floor(now / every) && !signal.aborted && (await pauses.of(schedule_id)) === null
    const at = formatMicros(now)
    const { expire, assess, rate } = SCHEDULE_IDS
    const due = [await isDue(expire, EXPIRE), await isDue(assess, ASSESS), await isDue(rate, RATE)]
    if (due[0]) {
      for (const subject of Object.values(REVIEW_SUBJECTS))
        await expireOverrides(subject, { warehouse, at: null }).catch(on_problem)
    }
    if (due[1]) {
      await runSeverity({ at, clock: 'wall', warehouse }).catch(on_problem)
      await publishSeverityIndexes({ at, warehouse, signal }).catch(on_problem)
    }
    if (due[2])
      await runRatings({ at, clock: 'wall', warehouse, signal, ...(scoring && { files: scoring }) }).catch(on_problem)
  }
}

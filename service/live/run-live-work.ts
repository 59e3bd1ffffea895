import { followVenue } from '../../operations/live/follow-venue.ts'
import { runAssessments } from '../../operations/live/run-assessments.ts'
import { runGovernance } from '../../operations/live/run-governance.ts'
import { runPublication } from '../../operations/live/run-publication.ts'
import { waitFor } from '../../operations/live/wait-for.ts'
import { runOwnVenue } from '../../operations/own-venue/run-own-venue.ts'
import { scoringOfHome } from '../../operations/rating/load-scoring.ts'
import { runUpkeep } from '../../operations/upkeep/run-upkeep.ts'
import { createBackoff } from '../../primitives/backoff.ts'
import { aborted } from '../../workflows/aborted.ts'
import type { OpenedTemporal } from '../temporal/open-temporal.ts'
import type { TemporalWorkOptions } from './work-through-temporal.ts'

export type LiveWorkOptions = TemporalWorkOptions & {
  /** The server when it is available; null: none, so the scheduler of this process does the work. */
  readonly temporal: Promise<OpenedTemporal | null>
  /** Work after due levels are published and before upkeep starts. Called at each takeover; must not throw. */
  readonly afterwards?: () => Promise<void>
}

const SESSION_MS = 60 * 60_000
const UPKEEP_MS = 5 * 60_000
const UNREACHABLE_LOOK_MS = 1_000

/**
 * Ingests and publishes until the signal is aborted: by the scheduler of this process until a Temporal server is available, then through
 * Temporal, and by this process again while the worker fails. Never both at once. Each continues the work of the other: nothing is stored
 * twice, and a session reads what the previous one missed.
 */
export async function runLiveWork(options: LiveWorkOptions): Promise<void> {
  const { signal, on_problem } = options
  const backoff = createBackoff({ first_ms: 5_000, max_ms: 60_000 })
  while (!signal.aborted) {
    const server = await workHere(options)
    if (server === null) return
    try {
      const { workThroughTemporal } = await import('./work-through-temporal.ts')
      await workThroughTemporal(server, options)
      backoff.reset()
    } catch (error) {
      on_problem(error)
      await workHereFor(options, backoff.next())
    }
  }
}

/** Works in this process until a server is available. @returns the server; null if the signal was aborted */
async function workHere(options: LiveWorkOptions): Promise<OpenedTemporal | null> {
  const handover = new AbortController()
  const signal = AbortSignal.any([options.signal, handover.signal])
  const running = runHere(options, signal)
  const server = await Promise.race([servingTemporal(options), aborted(options.signal).then(() => null)])
  if (server === null) await aborted(options.signal)
  handover.abort()
  await running
  return options.signal.aborted ? null : server
}

async function workHereFor(options: LiveWorkOptions, wait_ms: number): Promise<void> {
  const over = new AbortController()
  const running = runHere(options, AbortSignal.any([options.signal, over.signal]))
  await waitFor(wait_ms, options.signal)
  over.abort()
  await running
}

async function servingTemporal({ temporal, signal }: LiveWorkOptions): Promise<OpenedTemporal | null> {
  const server = await temporal
  if (server === null) return null
  const { isServing } = await import('../../workflows/server/await-serving.ts')
  while (!signal.aborted && !(await isServing(server))) await waitFor(UNREACHABLE_LOOK_MS, signal)
  return server
}

/** Scheduler of this process: publishes due levels first, then runs everything concurrently. Failures are reported and retried. */
async function runHere(options: LiveWorkOptions, signal: AbortSignal): Promise<void> {
  const { ports, venues, on_problem } = options
  const { warehouse, publish, own_venue } = ports
  await publish().catch(on_problem)
  await Promise.all([
    ...venues.map((venue_id) =>
      followVenue({ venue_id, session_ms: SESSION_MS, session: ports.ingest, signal, on_problem }),
    ),
    runPublication({ warehouse, publisher: { publishDue: publish }, signal, on_problem }),
    own_venue && runOwnVenue({ work: own_venue, pauses: ports.pauses, signal, on_problem }),
    // Votes and notices end at their instants, whatever else is still to be done after a start.
    runGovernance({ warehouse, signal, on_problem }),
    keepUp(options, signal),
  ])
}

async function keepUp({ ports, on_problem, afterwards }: LiveWorkOptions, signal: AbortSignal): Promise<void> {
  const { home, warehouse } = ports
  await afterwards?.()
  await Promise.all([
    runUpkeep({ warehouse, every_ms: UPKEEP_MS, signal, on_problem }),
    runAssessments({ warehouse, scoring: scoringOfHome(home), signal, on_problem }),
  ])
}

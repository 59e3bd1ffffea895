import { followVenue } from '../../operations/live/follow-venue.ts'
import { runAssessments } from '../../operations/live/run-assessments.ts'
import { runPublication } from '../../operations/live/run-publication.ts'
import { waitFor } from '../../operations/live/wait-for.ts'
import { runOwnVenue } from '../../operations/own-venue/run-own-venue.ts'
import { scoringOfHome } from '../../operations/rating/load-scoring.ts'
import { runUpkeep } from '../../operations/upkeep/run-upkeep.ts'
import { createBackoff } from '../../primitives/backoff.ts'
import { aborted } from '../../workflows/aborted.ts'
import type { OpenedTemporal } from '../temporal/open-temporal.ts'
import type { ThroughOptions } from './work-through-temporal.ts'

export type LiveWorkOptions = ThroughOptions & {
  /** The server, once there is one; null: there is none, and the scheduler of this process does the work. */
  readonly temporal: Promise<OpenedTemporal | null>
  /** What is done when the levels that are due are published, and before upkeep begins. Asked for each time; does not throw. */
  readonly afterwards?: () => Promise<void>
}

const SESSION_MS = 60 * 60_000
const UPKEEP_MS = 10 * 60_000
const UNREACHABLE_LOOK_MS = 1_000

/**
 * Ingests and publishes until the signal is aborted: by the scheduler of this process until a Temporal server serves, then
 * through it, and by this process again while its worker cannot work. Never both at once, and what one began the other goes on
 * with: nothing stored is doubled, and what a session missed the next one reads.
 */
export async function runLiveWork(options: LiveWorkOptions): Promise<void> {
  const { signal, on_problem } = options
  const backoff = createBackoff({ first_ms: 5_000, max_ms: 60_000 })
  while (!signal.aborted) {
    const server = await driveHere(options)
    if (server === null) return
    try {
      const { workThroughTemporal } = await import('./work-through-temporal.ts')
      await workThroughTemporal(server, options)
      backoff.reset()
    } catch (error) {
      on_problem(error)
      await driveHereFor(options, backoff.next())
    }
  }
}

/** By this process, until a server serves. @returns the server; null: the signal was aborted */
async function driveHere(options: LiveWorkOptions): Promise<OpenedTemporal | null> {
  const handover = new AbortController()
  const signal = AbortSignal.any([options.signal, handover.signal])
  const running = runHere(options, signal)
  const server = await Promise.race([servingTemporal(options), aborted(options.signal).then(() => null)])
  if (server === null) await aborted(options.signal)
  handover.abort()
  await running
  return options.signal.aborted ? null : server
}

async function driveHereFor(options: LiveWorkOptions, wait_ms: number): Promise<void> {
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

/** The scheduler of this process: the levels that are due first, then the rest beside each other. Failures end nothing. */
async function runHere(options: LiveWorkOptions, signal: AbortSignal): Promise<void> {
  const { ports, venues, on_problem } = options
  const { warehouse, publish, own_venue } = ports
  await publish().catch(on_problem)
  await Promise.all([
    ...venues.map((venue_id) => {
      const connect = () => ports.connect(venue_id)
      return followVenue({ venue_id, session_ms: SESSION_MS, warehouse, connect, signal, on_problem })
    }),
    runPublication({ warehouse, publisher: { publishDue: publish }, signal, on_problem }),
    own_venue && runOwnVenue({ work: own_venue, signal, on_problem }),
    lookAfter(options, signal),
  ])
}

async function lookAfter({ ports, on_problem, afterwards }: LiveWorkOptions, signal: AbortSignal): Promise<void> {
  const { home, warehouse } = ports
  await afterwards?.()
  await Promise.all([
    runUpkeep({ warehouse, every_ms: UPKEEP_MS, signal, on_problem }),
    runAssessments({ warehouse, scoring: scoringOfHome(home), signal, on_problem }),
  ])
}

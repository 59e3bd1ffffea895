import { runGovernance } from '../../operations/live/run-governance.ts'
import { waitFor } from '../../operations/live/wait-for.ts'
import type { PayloadVenue } from '../../pipelines/venues/payload-venues.ts'
import { connectTemporal } from '../../workflows/client/connect.ts'
import { joinDeployment } from '../../workflows/client/join-deployment.ts'
import { keepBackfills } from '../../workflows/client/keep-backfills.ts'
import { keepSchedules } from '../../workflows/client/keep-schedules.ts'
import { ensureSearchAttributes } from '../../workflows/client/search-attributes.ts'
import { scheduleTable } from '../../workflows/schedules.ts'
import { kindsOf, type QueueName } from '../../workflows/task-queues.ts'
import { runWorker } from '../../workflows/worker/run-worker.ts'
import { describeFailure } from '../exit-codes.ts'
import type { OpenedTemporal } from '../temporal/open-temporal.ts'
import type { LivePorts } from './live-ports.ts'

export type TemporalWorkOptions = {
  readonly ports: LivePorts
  /** Followed venues. */
  readonly venues: readonly PayloadVenue[]
  /** Name of the fleet that keeps the schedules. */
  readonly owner: string
  /** Work of this process. */
  readonly queues: readonly QueueName[]
  readonly cache: string
  /** Build that a versioned worker serves; a worker without a version when left out. */
  readonly build_id?: string | null
  /** Address at which the worker serves its metrics; none when left out. */
  readonly metrics?: string | null
  readonly signal: AbortSignal
  readonly on_problem: (error: unknown) => void
  readonly on_step: (step: string) => void
  /** Receives notes about failed work that is retried. */
  readonly on_note: (text: string) => void
  readonly on_ready?: (server: OpenedTemporal) => void
}

/** Time after the last publication at which this process publishes without being scheduled. */
const LATE_MS = 80_000
const LOOK_MS = 5_000

/**
 * Works for a Temporal server until the signal is aborted, and maintains its schedules if the server belongs to this process.
 * @throws errors of runWorker: the worker cannot continue
 */
export async function workThroughTemporal(server: OpenedTemporal, options: TemporalWorkOptions): Promise<void> {
  const { ports, venues, owner, queues, cache, build_id = null, on_problem, on_note, on_step, on_ready } = options
  const over = new AbortController()
  const signal = AbortSignal.any([options.signal, over.signal])
  const beside: Promise<void>[] = []
  const kinds = kindsOf(queues)
  const begin = () => {
    on_step(`working through Temporal at ${server.address}${server.ui_url === null ? '' : `, ${server.ui_url}`}`)
    if (kinds.includes('publish')) beside.push(publishLate(ports, signal, on_problem))
    const table = scheduleTable(venues)
    const { warehouse, pauses } = ports
    if (server.is_own) beside.push(keepSchedules({ server, table, owner, warehouse, pauses, signal, on_problem }))
    else beside.push(registerAttributes(server, on_note))
    beside.push(joinDeployment({ server, build_id, kind: kinds[0]!, signal, on_note, on_problem }))
    if (kinds.includes('backfill')) beside.push(keepBackfills({ server, warehouse, signal, on_problem }))
    // Workflows do not see acts of people in other processes.
    if (kinds.includes('compute')) beside.push(runGovernance({ warehouse, signal, on_problem }))
    on_ready?.(server)
  }
  try {
    await runWorker({
      server,
      cache,
      queues,
      venues,
      build_id,
      ports,
      signal,
      metrics: options.metrics ?? null,
      on_note,
      on_problem,
      on_ready: begin,
    })
  } finally {
    over.abort()
    await Promise.all(beside)
  }
}

/** Registers the search attributes for workers that keep no schedules; a note says what to do where they may not. */
async function registerAttributes(server: OpenedTemporal, on_note: (text: string) => void): Promise<void> {
  try {
    const connected = await connectTemporal(server)
    await ensureSearchAttributes(connected.client).finally(() => connected.close())
  } catch (error) {
    on_note(describeFailure(error).error.message)
  }
}

/** Publishes ticks while the server is away and schedules none. */
async function publishLate(
  { publish, publishedAt }: LivePorts,
  signal: AbortSignal,
  on_problem: (error: unknown) => void,
): Promise<void> {
  const started = Date.now()
  while (!signal.aborted) {
    await waitFor(LOOK_MS, signal)
    const late = Date.now() - Math.max(publishedAt(), started) > LATE_MS
    if (late && !signal.aborted) await publish().catch(on_problem)
  }
}

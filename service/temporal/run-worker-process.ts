import { isLiveVenue } from '../../connectors/venues/open-connector.ts'
import type { VenueConnector } from '../../connectors/venues/venue-connector.ts'
import { moveHomeWork } from '../../operations/backfill/move-home-work.ts'
import { waitFor } from '../../operations/live/wait-for.ts'
import { createBackoff } from '../../primitives/backoff.ts'
import { ServiceError } from '../../primitives/errors.ts'
import type { LiveVenue } from '../../vocabulary/venue.ts'
import { openWarehouse } from '../../warehouse/warehouse.ts'
import { ownerOf } from '../../workflows/schedules.ts'
import { awaitServing, watchServing } from '../../workflows/server/await-serving.ts'
import { serverAway } from '../../workflows/server/server-away.ts'
import { kindsOf, type QueueName } from '../../workflows/task-queues.ts'
import { workflowBuild } from '../../workflows/worker/workflow-bundle.ts'
import type { Environment } from '../configuration.ts'
import { connectVenues } from '../connect-venues.ts'
import { reportRetry } from '../exit-codes.ts'
import type { Invocation } from '../invocation.ts'
import { notePauses } from '../live/feed-notes.ts'
import { followedIndexes } from '../live/followed-indexes.ts'
import { openLivePorts } from '../live/live-ports.ts'
import { workThroughTemporal } from '../live/work-through-temporal.ts'
import { openWorkerAdmin, type WorkerAdmin } from '../metrics/worker-admin.ts'
import { ownVenueWork } from '../trading/own-venue-work.ts'
import { watchDatabase } from '../trading/watch-database.ts'
import { openWorkerTrading, type WorkerTrading } from '../trading/worker-trading.ts'
import { type OpenedTemporal, openTemporal } from './open-temporal.ts'

export type WorkerRun = Pick<Invocation<object>, 'settings' | 'output' | 'signal'> & {
  readonly environment: Environment
  /** Whether to maintain the schedules of the server. */
  readonly schedules: boolean
  readonly on_ready?: () => void
  readonly queues: readonly QueueName[]
  /** Address host:port of the worker's admin address, port 0 for a free one; none when left out. */
  readonly metrics?: string | null
  readonly venues: readonly LiveVenue[]
  /** Whether open workflows end with the workers of the build that began them. */
  readonly versioned?: boolean
}

const SERVING_MS = 60_000

/**
 * Works for a Temporal server until the signal is aborted, and waits for a server that is temporarily unreachable.
 * @throws {ServiceError} SERVICE_UNAVAILABLE: no server at the start
 */
export async function runWorkerProcess(run: WorkerRun): Promise<void> {
  const { settings, environment, output, signal } = run
  const on_problem = (error: unknown) => reportRetry(output, 'worker', error)
  const on_step = (step: string) => output.note(`… ${step}`)
  let waitsFor: () => string | null = () => 'it waits for a Temporal server'
  const { metrics = null } = run
  const admin = metrics === null ? null : await openWorkerAdmin(metrics, output, () => waitsFor())
  const server = await openTemporal({ settings, environment, on_step, on_problem, signal })
  const over = new AbortController()
  const served = {
    ...run,
    on_ready: () => {
      const answers = admin === null ? () => true : watchServing(server, over.signal)
      waitsFor = () => (answers() ? null : serverAway(server).message)
      run.on_ready?.()
    },
  }
  try {
    const warehouse = await openWarehouse({ root: settings.warehouse, create: true })
    await moveHomeWork(settings.home, warehouse.store)
    const connect = venueConnections(await connectVenues(settings))
    const trading = openWorkerTrading(settings, on_problem)
    const endWatch = trading === null ? null : watchDatabase({ pool: trading.pool, output })
    const ports = openLivePorts({
      home: settings.home,
      warehouse,
      connect,
      follows: await followedIndexes(),
      settlement: trading?.settlement ?? null,
      own_venue: await ownVenueWork(trading, warehouse, settings.listing_policy, output, on_problem),
      on_problem,
      output,
    })
    if (kindsOf(run.queues).some((kind) => kind === 'publish' || kind === 'ingest'))
      await notePauses(ports.pauses, output)
    try {
      await work(
        workable(served, trading),
        admin,
        { ...server, is_own: server.is_own && run.schedules },
        ports,
        on_problem,
      )
    } finally {
      endWatch?.()
      await ports.close()
      await trading?.close()
      await warehouse.close()
    }
  } finally {
    over.abort()
    await server.close()
    admin?.close()
  }
}

/** Drops the trading queues without a trading database; another worker may have one. */
function workable(run: WorkerRun, trading: WorkerTrading | null): WorkerRun {
  return trading === null
    ? { ...run, queues: kindsOf(run.queues).filter((kind) => kind !== 'settlement' && kind !== 'venue') }
    : run
}

async function work(
  { settings, output, queues, venues, versioned = false, signal, on_ready: notify }: WorkerRun,
  admin: WorkerAdmin | null,
  server: OpenedTemporal,
  ports: ReturnType<typeof openLivePorts>,
  on_problem: (error: unknown) => void,
): Promise<void> {
  const backoff = createBackoff({ first_ms: 1_000, max_ms: 60_000 })
  const build_id = versioned ? await workflowBuild() : null
  let is_ready = false
  const on_ready = async ({ address, ui_url, namespace }: OpenedTemporal): Promise<void> => {
    backoff.reset()
    if (is_ready) return
    is_ready = true
    notify?.()
    const metrics_url = admin?.metrics_url ?? null
    const build = build_id === null ? {} : { build_id }
    if (output.json) await output.record({ event: 'ready', address, ui_url, namespace, queues, metrics_url, ...build })
    else if (metrics_url !== null) output.note(`metrics ${metrics_url}`)
  }
  while (!signal.aborted) {
    try {
      await workThroughTemporal(server, {
        ports,
        venues,
        owner: settings.schedule_owner || ownerOf(venues),
        queues,
        cache: settings.cache,
        build_id,
        metrics: admin?.core_address ?? null,
        signal,
        on_problem,
        on_step: (step) => output.note(`… ${step}`),
        on_note: (text) => output.problem(text),
        on_ready: (ready) => void on_ready(ready),
      })
    } catch (error) {
      if (signal.aborted) return
      if (!is_ready) throw error
      on_problem(error)
      await waitFor(backoff.next(), signal)
      await awaitServing(server, SERVING_MS, signal).catch(on_problem)
    }
  }
}

/** Returns a function that connects to live venues and rejects archive-only ones. */
function venueConnections(connect: (venue_id: LiveVenue) => VenueConnector) {
  return (venue_id: string): VenueConnector => {
    if (isLiveVenue(venue_id)) return connect(venue_id)
    throw new ServiceError(
      'VALIDATION_USAGE_INVALID',
      `venue is ${venue_id}, which has only archives; allowed: a live venue`,
      {
        field: 'venue',
        value: venue_id,
      },
    )
  }
}

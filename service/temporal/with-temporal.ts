import { waitFor } from '../../operations/live/wait-for.ts'
import { notAllowed } from '../../primitives/errors.ts'
import { connectTemporal, type TemporalClient } from '../../workflows/client/connect.ts'
import { currentBuild, hasWorkers, requireSameWarehouse } from '../../workflows/client/has-workers.ts'
import { serverError } from '../../workflows/client/server-error.ts'
import type { Environment, Settings } from '../configuration.ts'
import { reportRetry } from '../exit-codes.ts'
import type { Output } from '../output.ts'
import { NO_SECURITY } from './connection-security.ts'
import { untilInterrupted } from './interruption.ts'
import { whileUnmoved } from './moved-server.ts'
import { openTemporal } from './open-temporal.ts'
import { runWorkerProcess } from './run-worker-process.ts'

export type ThroughOptions = {
  readonly settings: Settings
  readonly environment: Environment
  readonly output: Output
  readonly signal: AbortSignal
  /** Address of a venue for this process's own worker, also contained in `settings`. */
  readonly base_url?: string | null
  /** The work continues without this process. */
  readonly detach?: boolean
}

/** Client of a server, with the worker of this process where no other one works. */
export type WorkingClient = TemporalClient & {
  /** Whether this process works, because nobody else did. */
  worksHere(): boolean
  /** Starts a worker in this process if no worker is left. */
  ensureWorker(): Promise<void>
}

const READY_MS = 120_000

/**
 * Runs long work through Temporal, on running workers or on one that this process starts for it.
 * @throws {ServiceError} SERVICE_UNAVAILABLE: no server, or it did not do what was asked; errors of the work
 */
export async function withTemporal<T>(
  options: ThroughOptions,
  work: (connected: WorkingClient) => Promise<T>,
): Promise<T> {
  const { settings, environment, output, signal } = options
  const server = await openTemporal({
    settings,
    environment,
    signal,
    on_step: (step) => output.note(`… ${step}`),
    on_problem: (error) => reportRetry(output, 'Temporal server', error),
  })
  const ending = new AbortController()
  try {
    const connected = await connectTemporal(server)
    try {
      let worker: OwnWorker | null = null
      const ensureWorker = async () => {
        worker ??= await ownWorker(connected, ending.signal, options)
      }
      try {
        await requireSameWarehouse(connected, settings.warehouse)
        await ensureWorker()
        return await work({ ...connected, ensureWorker, worksHere: () => worker !== null })
      } catch (error) {
        throw serverError(error, server)
      } finally {
        ending.abort()
        await (worker as OwnWorker | null)?.ended
      }
    } finally {
      await connected.close()
    }
  } finally {
    await server.close()
  }
}

/** Returns the address of a workflow in Temporal's web interface; null if that is unknown. */
export function workflowPage({ server }: TemporalClient, workflow_id: string): string | null {
  const { ui_url, namespace } = server
  return ui_url && `${ui_url}/namespaces/${namespace}/workflows/${encodeURIComponent(workflow_id)}`
}

type Handle<T> = {
  readonly workflow_id: string
  readonly is_started: boolean
  result(): Promise<T>
  cancel(): Promise<void>
}

/**
 * Prints the page of a workflow and waits for its result; the signal cancels it if this command started it or does its work.
 * @throws errors of the workflow; the signal's reason
 */
export async function resultOf<T>(
  handle: Handle<T>,
  connected: WorkingClient,
  { settings, output, signal }: Pick<ThroughOptions, 'settings' | 'output' | 'signal'>,
): Promise<T> {
  const { workflow_id } = handle
  const page = workflowPage(connected, workflow_id)
  if (page !== null) output.note(page)
  const followed = { ...handle, isOwn: () => handle.is_started || connected.worksHere() }
  try {
    return await untilInterrupted(followed, connected, { output, signal }, () =>
      whileUnmoved(handle, settings, connected.server),
    )
  } catch (error) {
    if (signal.aborted && followed.isOwn()) output.note(`${workflow_id} was cancelled; what it has stored stays`)
    signal.throwIfAborted()
    throw error
  }
}

type OwnWorker = { readonly ended: Promise<void> }

/** Starts a worker in this process if no other worker runs; null if one does. */
async function ownWorker(
  connected: TemporalClient,
  signal: AbortSignal,
  { settings, environment, output, base_url = null, detach = false }: ThroughOptions,
): Promise<OwnWorker | null> {
  if (await hasWorkers(connected, 'bulk')) {
    if (base_url === null) return null
    throw notAllowed(
      'VALIDATION_USAGE_INVALID',
      'base-url',
      base_url,
      'none while workers run, which have their own addresses; or --in-process',
    )
  }
  if (detach)
    throw notAllowed(
      'VALIDATION_USAGE_INVALID',
      'detach',
      'given',
      'only while `tidemark up` or `tidemark worker` runs to continue the work',
    )
  const { address, namespace, security } = connected.server
  const secured = security === undefined ? { ...settings, ...NO_SECURITY } : settings
  const ready = new AbortController()
  const ended = runWorkerProcess({
    settings: { ...secured, temporal_address: address, temporal_namespace: namespace },
    environment,
    output: { ...output, json: false }, // only the command prints JSON
    signal,
    queues: ['bulk'],
    venues: [],
    // A worker without a version receives no work where a build is current.
    versioned: (await currentBuild(connected, 'compute')) !== null,
    schedules: false,
    on_ready: () => ready.abort(),
  })
  await Promise.race([ended, waitFor(READY_MS, ready.signal)])
  return { ended }
}

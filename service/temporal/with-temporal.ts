import { waitFor } from '../../operations/live/wait-for.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { connectTemporal, type TemporalClient } from '../../workflows/client/connect.ts'
import { hasWorkers } from '../../workflows/client/has-workers.ts'
import type { Environment, Settings } from '../configuration.ts'
import { describeFailure } from '../exit-codes.ts'
import type { Output } from '../output.ts'
import { NO_SECURITY } from './connection-security.ts'
import { openTemporal } from './open-temporal.ts'
import { runWorkerProcess } from './run-worker-process.ts'

export type ThroughOptions = {
  readonly settings: Settings
  readonly environment: Environment
  readonly output: Output
  readonly signal: AbortSignal
  /** Where a venue is found, for a worker of this process's own; `settings` has it. */
  readonly base_url?: string | null
  /** What is started goes on without this process. */
  readonly detach?: boolean
}

const READY_MS = 120_000

/**
 * Has long work done through Temporal: by the workers that are there, or by one of this process while it lasts.
 * @throws {ServiceError} SERVICE_UNAVAILABLE: there is no server; what the work throws
 */
export async function withTemporal<T>(
  options: ThroughOptions,
  work: (connected: TemporalClient) => Promise<T>,
): Promise<T> {
  const { settings, environment, output, signal } = options
  const server = await openTemporal({
    settings,
    environment,
    signal,
    on_step: (step) => output.note(`… ${step}`),
    on_problem: (error) => output.note(`${describeFailure(error).error.message}; it is tried again`),
  })
  const ending = new AbortController()
  try {
    const connected = await connectTemporal(server)
    try {
      const worker = await ownWorker(connected, ending.signal, options)
      try {
        return await work(connected)
      } finally {
        ending.abort()
        await worker?.ended
      }
    } finally {
      await connected.close()
    }
  } finally {
    await server.close()
  }
}

/** Where Temporal's own interface shows a workflow; null where we do not know of one. */
export function workflowPage({ server }: TemporalClient, workflow_id: string): string | null {
  const { ui_url, namespace } = server
  return ui_url && `${ui_url}/namespaces/${namespace}/workflows/${encodeURIComponent(workflow_id)}`
}

type Handle<T> = { readonly workflow_id: string; result(): Promise<T>; cancel(): Promise<void> }

/**
 * Waits for the result of a workflow, whose page is told; the signal cancels it.
 * @throws what its result throws; the signal's reason
 */
export async function resultOf<T>(
  handle: Handle<T>,
  connected: TemporalClient,
  { output, signal }: Pick<ThroughOptions, 'output' | 'signal'>,
): Promise<T> {
  const page = workflowPage(connected, handle.workflow_id)
  if (page !== null) output.note(page)
  const cancel = () => void handle.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    return await handle.result()
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

/** A worker of this process, where nobody else works; null where somebody does. */
async function ownWorker(
  connected: TemporalClient,
  signal: AbortSignal,
  { settings, environment, output, base_url = null, detach = false }: ThroughOptions,
): Promise<{ readonly ended: Promise<void> } | null> {
  if (await hasWorkers(connected, 'bulk')) {
    if (base_url === null) return null
    throw usage('base-url', base_url, 'none where workers run, who have their own, or with --in-process')
  }
  if (detach) throw usage('detach', 'given', 'where `tidemark up` or `tidemark worker` runs and goes on with it')
  const { address, namespace, security } = connected.server
  const secured = security === undefined ? { ...settings, ...NO_SECURITY } : settings
  const ready = new AbortController()
  const ended = runWorkerProcess({
    settings: { ...secured, temporal_address: address, temporal_namespace: namespace },
    environment,
    output: { ...output, json: false }, // the one document is the command's
    signal,
    queues: ['bulk'],
    venues: [],
    schedules: false,
    on_ready: () => ready.abort(),
  })
  await Promise.race([ended, waitFor(READY_MS, ready.signal)])
  return { ended }
}

function usage(field: string, value: string, allowed: string): ServiceError {
  return new ServiceError('VALIDATION_USAGE_INVALID', `${field} is ${value}; allowed: ${allowed}`, { field, value })
}

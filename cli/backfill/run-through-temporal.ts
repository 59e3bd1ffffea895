import { setTimeout as delay } from 'node:timers/promises'
import type { BackfillSubject } from '../../operations/backfill/backfill-subject.ts'
import { waitFor } from '../../operations/live/wait-for.ts'
import { ServiceError } from '../../primitives/errors.ts'
import type { BackfillReport } from '../../workflows/backfill.ts'
import { startBackfill } from '../../workflows/client/backfills.ts'
import { connectTemporal, type TemporalClient } from '../../workflows/client/connect.ts'
import { hasWorkers } from '../../workflows/client/has-workers.ts'
import type { Environment, Settings } from '../config.ts'
import { describeFailure } from '../exit.ts'
import type { Output } from '../output.ts'
import { openTemporal } from '../temporal/open-temporal.ts'
import { runWorkerProcess } from '../temporal/run-worker-process.ts'

export type ThroughTemporalOptions = {
  /** `base_url`: where the venue is found, for a worker of this process's own. */
  readonly settings: Settings
  readonly environment: Environment
  readonly output: Output
  readonly base_url: string | null
  /** Starts it, and waits for nothing. */
  readonly detach: boolean
  /** Cancels the backfill. */
  readonly signal: AbortSignal
}

export type ThroughTemporalReport = BackfillReport & {
  readonly workflow_id: string
  /** Its page in Temporal's own interface; null where we do not know of one. */
  readonly ui_url: string | null
}

const LOOK_MS = 1_000
const READY_MS = 120_000

/**
 * A backfill through Temporal: by the workers that are there, or by one of this process while it lasts. Its progress is shown;
 * the signal cancels it, and the same command goes on with it.
 * @throws {ServiceError} SERVICE_UNAVAILABLE: there is no server; what planning throws; the signal's reason
 */
export async function runThroughTemporal(
  subject: BackfillSubject,
  options: ThroughTemporalOptions,
): Promise<ThroughTemporalReport> {
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
        return await follow(subject, connected, options)
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

/** A worker of this process, where nobody else works; null where somebody does. */
async function ownWorker(
  connected: TemporalClient,
  signal: AbortSignal,
  { settings, environment, output, base_url, detach }: ThroughTemporalOptions,
): Promise<{ readonly ended: Promise<void> } | null> {
  if (await hasWorkers(connected, 'bulk')) {
    if (base_url === null) return null
    throw usage('base-url', base_url, 'none where workers run, who have their own, or with --in-process')
  }
  if (detach) throw usage('detach', 'given', 'where `tidemark up` or `tidemark worker` runs and goes on with it')
  const { address, namespace } = connected.server
  const ready = new AbortController()
  const ended = runWorkerProcess({
    settings: { ...settings, temporal_address: address, temporal_namespace: namespace },
    environment,
    output: { ...output, json: false }, // the one document is the report
    signal,
    queues: ['bulk'],
    venues: [],
    schedules: false,
    on_ready: () => ready.abort(),
  })
  await Promise.race([ended, waitFor(READY_MS, ready.signal)])
  return { ended }
}

/** Until it has ended. A server that is away for a while is waited for; one that lost its database gets it again. */
async function follow(
  subject: BackfillSubject,
  { client, server }: TemporalClient,
  { output, signal, detach }: ThroughTemporalOptions,
): Promise<ThroughTemporalReport> {
  const handle = await startBackfill(client, subject)
  const { workflow_id } = handle
  const pages = `${server.ui_url}/namespaces/${server.namespace}/workflows`
  const place = { workflow_id, ui_url: server.ui_url && `${pages}/${encodeURIComponent(workflow_id)}` }
  if (place.ui_url !== null) output.note(place.ui_url)
  const cancel = () => void handle.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  const bar = await output.progress('backfill')
  try {
    for (;;) {
      const so_far = await handle.progress()
      if (so_far !== null && detach) return { ...so_far, ...place }
      if (so_far !== null) bar.update({ done: so_far.chunks_done, total: so_far.chunks_total || null })
      const runs = await handle.isRunning().catch(() => true)
      if (runs === false) break
      if (runs === null) await startBackfill(client, subject)
      await delay(LOOK_MS)
    }
  } finally {
    bar.finish()
    signal.removeEventListener('abort', cancel)
  }
  const report = await handle.result()
  signal.throwIfAborted()
  return { ...report, ...place }
}

function usage(field: string, value: string, allowed: string): ServiceError {
  return new ServiceError('VALIDATION_USAGE_INVALID', `${field} is ${value}; allowed: ${allowed}`, { field, value })
}

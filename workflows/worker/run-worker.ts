import type { WorkerInterceptors } from '@temporalio/worker'
import { aborted } from '../aborted.ts'
import { createActivities } from '../activities/create-activities.ts'
import type { WorkerPorts } from '../activities/worker-ports.ts'
import { connectionOptions } from '../server/connection-options.ts'
import type { ServerAddress } from '../server/server-file.ts'
import { TASK_QUEUES, type TaskQueue } from '../task-queues.ts'
import { workflowBundle } from './workflow-bundle.ts'

export type WorkerOptions = {
  readonly server: ServerAddress
  /** Folder of the workflow bundle. */
  readonly cache: string
  readonly queues: readonly TaskQueue[]
  readonly ports: WorkerPorts
  /** Stops the worker: running activities are cancelled and report their results. */
  readonly signal: AbortSignal
  readonly on_ready?: () => void
  /** Receives internal failures that are retried. */
  readonly on_note?: (text: string) => void
  readonly interceptors?: WorkerInterceptors
}

/**
 * Concurrent activities by queue. Those of the bulk queue are CPU-bound; most of the settlement queue wait for something to
 * settle.
 */
const ACTIVITIES_MAX: Readonly<Record<TaskQueue, number>> = { live: 16, bulk: 4, settlement: 64, venue: 4 }
const FORCE_MS = 8_000
const HEARTBEAT_MS = 2_000

/**
 * Runs workers of a Temporal server until the signal is aborted. Waits while the server is temporarily unavailable.
 * @throws {ServiceError} or an error of the SDK: the server cannot be reached at start, or rejects the workers
 */
export async function runWorker(options: WorkerOptions): Promise<void> {
  const { server, cache, queues, ports, signal, on_ready } = options
  const { NativeConnection, Worker } = await import('@temporalio/worker')
  await installRuntime(options.on_note)
  const workflow_bundle = await workflowBundle(cache)
  const connection = await NativeConnection.connect(await connectionOptions(server))
  const activities = createActivities(ports)
  try {
    const workers = []
    for (const queue of queues) {
      const worker = await Worker.create({
        connection,
        namespace: server.namespace,
        taskQueue: TASK_QUEUES[queue],
        workflowBundle: workflow_bundle,
        activities,
        maxConcurrentActivityTaskExecutions: ACTIVITIES_MAX[queue],
        workflowTaskPollerBehavior: { type: 'simple-maximum', maximum: 2 },
        activityTaskPollerBehavior: { type: 'simple-maximum', maximum: 2 },
        maxCachedWorkflows: 200,
        workflowThreadPoolSize: 1,
        // A cancellation reaches an activity with its next heartbeat.
        maxHeartbeatThrottleInterval: HEARTBEAT_MS,
        shutdownGraceTime: 0,
        shutdownForceTime: FORCE_MS,
        ...(options.interceptors && { interceptors: options.interceptors }),
      })
      workers.push(worker)
    }
    const runs = workers.map((worker) => worker.runUntil(() => aborted(signal)))
    on_ready?.()
    await Promise.all(runs)
  } finally {
    await connection.close()
  }
}

let installed: Promise<void> | null = null

/** Installs the process's one runtime. We handle signals ourselves. */
function installRuntime(on_note: WorkerOptions['on_note']): Promise<void> {
  installed ??= import('@temporalio/worker').then(({ DefaultLogger, Runtime }) => {
    const logger = new DefaultLogger('WARN', ({ message, meta }) => {
      const cause = meta?.error instanceof Error ? `: ${meta.error.message}` : ''
      on_note?.(`worker: ${message}${cause}`)
    })
    Runtime.install({ logger, shutdownSignals: [], telemetryOptions: { logging: { forward: { level: 'WARN' } } } })
  })
  return installed
}

import type { NativeConnection, Worker, WorkerDeploymentOptions, WorkerInterceptors } from '@temporalio/worker'
import { LIVE_VENUES } from '../../vocabulary/venue.ts'
import { aborted } from '../aborted.ts'
import { createActivities } from '../activities/create-activities.ts'
import type { WorkerPorts } from '../activities/worker-ports.ts'
import { workerIdentity } from '../client/has-workers.ts'
import { serverError } from '../client/server-error.ts'
import { connectionOptions } from '../server/connection-options.ts'
import { saysAway, serverAway, withoutStatus } from '../server/server-away.ts'
import type { ServerAddress } from '../server/server-file.ts'
import { DEPLOYMENT, kindsOf, type QueueName, servedQueues } from '../task-queues.ts'
import { workflowBundle } from './workflow-bundle.ts'

export type WorkerOptions = {
  readonly server: ServerAddress
  /** Folder of the workflow bundle. */
  readonly cache: string
  readonly queues: readonly QueueName[]
  /** Venues whose sessions it runs; all that are live when left out. */
  readonly venues?: readonly string[]
  /** Build that a versioned worker serves; null or left out: a worker without a version. */
  readonly build_id?: string | null
  readonly ports: WorkerPorts
  /** Stops the worker: running activities are cancelled and report their results. */
  readonly signal: AbortSignal
  readonly on_ready?: () => void
  /** Address host:port at which the process serves its metrics as `/metrics`; null or left out: none. */
  readonly metrics?: string | null
  /** Receives internal failures that are retried, with the workflow that failed. */
  readonly on_note?: (text: string) => void
  /** Receives an outage of the server, at each call that notices it. */
  readonly on_problem?: (error: unknown) => void
  readonly interceptors?: WorkerInterceptors
}

const OF_WORKFLOWS = {
  workflowTaskPollerBehavior: { type: 'simple-maximum', maximum: 2 },
  maxCachedWorkflows: 200,
  workflowThreadPoolSize: 1,
} as const
const FORCE_MS = 8_000
const HEARTBEAT_MS = 2_000

/**
 * Runs workers of a Temporal server until the signal is aborted. Waits while the server is temporarily unavailable.
 * @throws {ServiceError} SERVICE_UNAVAILABLE: the server cannot be reached at start, or rejects the workers; an error of the SDK
 */
export async function runWorker(options: WorkerOptions): Promise<void> {
  try {
    await run(options)
  } catch (error) {
    throw serverError(error, options.server)
  }
}

async function run(options: WorkerOptions): Promise<void> {
  const { server, cache, build_id = null, signal, on_ready } = options
  const { NativeConnection } = await import('@temporalio/worker')
  const workflow_bundle = await workflowBundle(cache, build_id === null ? 'plain' : 'versioned')
  const address = await connectionOptions(server)
  const release = await useRuntime(options)
  try {
    const connection = await NativeConnection.connect(address)
    workflowOf = (run_id) => findWorkflow(connection.workflowService, server.namespace, run_id)
    try {
      const workers = await createWorkers(options, connection, workflow_bundle)
      const stopped = aborted(signal)
      const runs = workers.map((worker) => worker.runUntil(stopped))
      on_ready?.()
      await Promise.all(runs)
    } finally {
      await connection.close()
    }
  } finally {
    release()
  }
}

async function createWorkers(
  { server, queues, venues = LIVE_VENUES, build_id = null, ports, interceptors }: WorkerOptions,
  connection: NativeConnection,
  workflow_bundle: { readonly codePath: string },
): Promise<readonly Worker[]> {
  const { Worker } = await import('@temporalio/worker')
  const activities = createActivities(ports)
  const identity = await workerIdentity(ports.warehouse.root)
  const workers: Worker[] = []
  for (const { name, workflows, activities_max } of servedQueues(kindsOf(queues), venues)) {
    const worker = await Worker.create({
      connection,
      namespace: server.namespace,
      identity,
      taskQueue: name,
      ...(workflows && { workflowBundle: workflow_bundle, ...OF_WORKFLOWS }),
      ...(build_id !== null && { workerDeploymentOptions: versionOf(build_id) }),
      activities,
      maxConcurrentActivityTaskExecutions: activities_max,
      activityTaskPollerBehavior: { type: 'simple-maximum', maximum: 2 },
      // A cancellation reaches an activity with its next heartbeat.
      maxHeartbeatThrottleInterval: HEARTBEAT_MS,
      shutdownGraceTime: 0,
      shutdownForceTime: FORCE_MS,
      ...(interceptors && { interceptors }),
    })
    workers.push(worker)
  }
  return workers
}

function versionOf(buildId: string): WorkerDeploymentOptions {
  const version = { deploymentName: DEPLOYMENT, buildId }
  return { version, useWorkerVersioning: true, defaultVersioningBehavior: 'PINNED' }
}

type Told = Pick<WorkerOptions, 'server' | 'on_note' | 'on_problem'>

/** Receives what the runtime logs: the options of the process's last worker. */
let told: Told | null = null

/** Workers of the process that run. The SDK shuts its runtime down once the last one has closed its connection. */
let running = 0

/**
 * Installs the runtime that the workers of a process share while any of them runs: the metrics are those of the first one. We
 * handle signals ourselves.
 * @returns to be called when the worker's connection is closed
 */
async function useRuntime({ metrics = null, ...options }: WorkerOptions): Promise<() => void> {
  const { DefaultLogger, Runtime } = await import('@temporalio/worker')
  told = options
  if (running === 0)
    Runtime.install({
      logger: new DefaultLogger('WARN', ({ message, meta }) => told && void tell(message, meta ?? {}, told)),
      shutdownSignals: [],
      telemetryOptions: {
        logging: { forward: { level: 'WARN' } },
        ...(metrics !== null && { metrics: { prometheus: { bindAddress: metrics } } }),
      },
    })
  running += 1
  return () => {
    running -= 1
  }
}

/** Warning of the SDK about a worker of activities alone, which is meant. */
const ACTIVITIES_ALONE = /^No workflows registered/

/** Longest cause in a note: the core of the SDK gives whole stacks. */
const CAUSE_MAX = 300

type Meta = Readonly<Record<string, unknown>>

/** Finds the workflow of a run: the server of the process's last worker knows it. */
let workflowOf: (run_id: string) => Promise<string | null> = async () => null

async function findWorkflow(
  service: NativeConnection['workflowService'],
  namespace: string,
  run_id: string,
): Promise<string | null> {
  const { executions } = await service.listWorkflowExecutions({ namespace, query: `RunId = "${run_id}"`, pageSize: 1 })
  return executions?.[0]?.execution?.workflowId ?? null
}

/** Notes an entry of the worker's log. The core of the SDK names runs alone, which nobody knows by heart. */
async function tell(message: string, meta: Meta, { server, on_note, on_problem }: Told): Promise<void> {
  if (ACTIVITIES_ALONE.test(message)) return
  if (on_problem !== undefined && saysAway(`${message} ${causeOf(meta)}`)) return on_problem(serverAway(server))
  const run_id = meta.workflowId ?? meta.workflow_id ?? meta.runId ?? meta.run_id
  const is_named = meta.workflowId !== undefined || meta.workflow_id !== undefined || typeof run_id !== 'string'
  const workflowId = is_named ? null : await workflowOf(run_id).catch(() => null)
  on_note?.(workerNote(message, workflowId === null ? meta : { ...meta, workflowId }))
}

/** Tells an entry of the worker's log with the workflow and the task that it is about. Pure. */
export function workerNote(message: string, meta: Meta): string {
  const of = [meta.workflowId ?? meta.workflow_id ?? meta.runId ?? meta.run_id, meta.activityType, meta.workflowType]
  const about = of.filter((name) => name !== undefined).join(' ')
  const cause = causeOf(meta)
  return `worker: ${withoutStatus(message)}${about === '' ? '' : ` [${about}]`}${cause === '' ? '' : `: ${cause}`}`
}

function causeOf({ error, failure }: Meta): string {
  const thrown = error ?? failure
  const text = thrown instanceof Error ? thrown.message : thrown === undefined ? '' : String(thrown)
  return withoutStatus(text.split('\n')[0]!).slice(0, CAUSE_MAX)
}

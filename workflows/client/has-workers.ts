import { hostname } from 'node:os'
import type { Connection } from '@temporalio/client'
import { ServiceError } from '../../primitives/errors.ts'
import { readWarehouseId } from '../../warehouse/warehouse.ts'
import { kindsOf, type QueueName, servedQueues, TASK_QUEUES, type TaskKind } from '../task-queues.ts'
import type { TemporalClient } from './connect.ts'

const SEEN_MS = 70_000
/** `temporal.api.enums.v1.TaskQueueType`. */
export const QUEUE_TYPES: Readonly<Record<TaskKind, number>> = { workflow: 1, activity: 2 }
const WAREHOUSE = ' warehouse '

/** Identity of this process's worker on a server: process, machine and the warehouse that it writes. */
export async function workerIdentity(root: string): Promise<string> {
  const id = await readWarehouseId(root)
  return `${process.pid}@${hostname()}${id === null ? '' : `${WAREHOUSE}${id}`}`
}

/** Returns true if workers that receive new work polled within about the last minute, for all kinds of work that a name stands for. */
export async function hasWorkers(connected: TemporalClient, name: QueueName): Promise<boolean> {
  const queues = servedQueues(kindsOf([name]), [])
  const found = await Promise.all(queues.map((queue) => queueWorkers(connected, queue.name, 'activity')))
  return found.every(({ workers, current }) => workers.some(({ build_id }) => build_id === current))
}

/** Returns the build that receives the new work of a kind; null: workers without a version do. */
export async function currentBuild(connected: TemporalClient, kind: QueueName): Promise<string | null> {
  const [queue] = servedQueues(kindsOf([kind]), [])
  return (await queueWorkers(connected, queue!.name, 'activity')).current
}

/**
 * Checks that the workers of a server write the warehouse of a command, which may have none. Those of earlier releases do not say.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: they write another one
 */
export async function requireSameWarehouse(connected: TemporalClient, root: string): Promise<void> {
  const own = await readWarehouseId(root)
  if (own === null) return
  const queues = [TASK_QUEUES.live, TASK_QUEUES.bulk]
  const found = await Promise.all(queues.map((queue) => queueWorkers(connected, queue, 'workflow')))
  const identities = found.flatMap(({ workers }) => workers.map(({ identity }) => identity))
  const other = identities.find((identity) => identity.includes(WAREHOUSE) && !identity.endsWith(`${WAREHOUSE}${own}`))
  if (other === undefined) return
  const { address, namespace } = connected.server
  const text = `warehouse is ${root} (${own}), but at ${address} works ${other}; allowed: the home of those workers, or another TEMPORAL_ADDRESS or TEMPORAL_NAMESPACE than ${namespace}`
  throw new ServiceError('VALIDATION_USAGE_INVALID', text, { field: 'warehouse', value: root })
}

/** Worker of a queue, with its build; null: it has no version. */
type SeenWorker = { readonly identity: string; readonly build_id: string | null }

/** Returns the workers that polled a queue within about the last minute, and the build that receives its new work. */
export async function queueWorkers(
  { client, server }: TemporalClient,
  name: string,
  task: TaskKind,
): Promise<{ readonly workers: readonly SeenWorker[]; readonly current: string | null }> {
  const { workflowService } = client.connection as Connection
  const { pollers, versioningInfo } = await workflowService.describeTaskQueue({
    namespace: server.namespace,
    taskQueue: { name },
    taskQueueType: QUEUE_TYPES[task],
  })
  return { workers: recentOf(pollers), current: versioningInfo?.currentDeploymentVersion?.buildId || null }
}

type Poller = {
  readonly lastAccessTime?: { readonly seconds?: unknown } | null
  readonly identity?: string | null
  readonly deploymentOptions?: {
    readonly buildId?: string | null
    readonly workerVersioningMode?: number | null
  } | null
}
/** `temporal.api.enums.v1.WorkerVersioningMode`; workers without a version have a build too, which means nothing. */
const VERSIONED = 2

/** Returns the pollers that asked for tasks within about the last minute, each once. */
export function recentOf(pollers: readonly Poller[] | null | undefined): readonly SeenWorker[] {
  const recent = (pollers ?? []).filter(({ lastAccessTime }) => {
    return Date.now() - Number(lastAccessTime?.seconds ?? 0) * 1_000 < SEEN_MS
  })
  const workers = recent.map(({ identity, deploymentOptions: own }): SeenWorker => {
    return {
      identity: identity ?? '',
      build_id: own?.workerVersioningMode === VERSIONED ? (own.buildId ?? null) : null,
    }
  })
  return [...new Map(workers.map((worker) => [`${worker.identity} ${worker.build_id}`, worker])).values()]
}

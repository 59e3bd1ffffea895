import { hostname } from 'node:os'
import type { Connection } from '@temporalio/client'
import { ServiceError } from '../../primitives/errors.ts'
import { readWarehouseId } from '../../warehouse/warehouse.ts'
import { kindsOf, type QueueName, servedQueues, TASK_QUEUES } from '../task-queues.ts'
import type { TemporalClient } from './connect.ts'

const SEEN_MS = 70_000
/** `temporal.api.enums.v1.TaskQueueType`. */
export const QUEUE_TYPES = { workflow: 1, activity: 2 } as const
const WAREHOUSE = ' warehouse '

/** Identity of this process's worker on a server: process, machine and the warehouse that it writes. */
export async function workerIdentity(root: string): Promise<string> {
  const id = await readWarehouseId(root)
  return `${process.pid}@${hostname()}${id === null ? '' : `${WAREHOUSE}${id}`}`
}

/** Returns true if workers of all kinds of work that a name stands for polled within about the last minute. */
export async function hasWorkers(connected: TemporalClient, name: QueueName): Promise<boolean> {
  const queues = servedQueues(kindsOf([name]), [])
  const pollers = await Promise.all(queues.map((queue) => workersOf(connected, queue.name, 'activity')))
  return pollers.every((workers) => workers.length > 0)
}

/**
 * Checks that the workers of a server write the warehouse of a command, which may have none. Those of earlier releases do not say.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: they write another one
 */
export async function requireSameWarehouse(connected: TemporalClient, root: string): Promise<void> {
  const own = await readWarehouseId(root)
  if (own === null) return
  const queues = [TASK_QUEUES.live, TASK_QUEUES.bulk]
  const identities = (await Promise.all(queues.map((queue) => workersOf(connected, queue, 'workflow')))).flat()
  const other = identities.find((identity) => identity.includes(WAREHOUSE) && !identity.endsWith(`${WAREHOUSE}${own}`))
  if (other === undefined) return
  const { address, namespace } = connected.server
  const text = `warehouse is ${root} (${own}), but at ${address} works ${other}; allowed: the home of those workers, or another TEMPORAL_ADDRESS or TEMPORAL_NAMESPACE than ${namespace}`
  throw new ServiceError('VALIDATION_USAGE_INVALID', text, { field: 'warehouse', value: root })
}

/** Identities of the workers that polled a queue within about the last minute. */
async function workersOf(
  { client, server }: TemporalClient,
  name: string,
  type: keyof typeof QUEUE_TYPES,
): Promise<readonly string[]> {
  const { workflowService } = client.connection as Connection
  const { pollers } = await workflowService.describeTaskQueue({
    namespace: server.namespace,
    taskQueue: { name },
    taskQueueType: QUEUE_TYPES[type],
  })
  return recentOf(pollers)
}

type Poller = { readonly lastAccessTime?: { readonly seconds?: unknown } | null; readonly identity?: string | null }

/** Returns the identities of the pollers that asked for tasks within about the last minute, each once. */
export function recentOf(pollers: readonly Poller[] | null | undefined): readonly string[] {
  const recent = (pollers ?? []).filter(({ lastAccessTime }) => {
    return Date.now() - Number(lastAccessTime?.seconds ?? 0) * 1_000 < SEEN_MS
  })
  return [...new Set(recent.map(({ identity }) => identity ?? ''))]
}

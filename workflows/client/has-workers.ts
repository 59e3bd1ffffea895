import { hostname } from 'node:os'
import type { Connection } from '@temporalio/client'
import { ServiceError } from '../../primitives/errors.ts'
import { readWarehouseId } from '../../warehouse/warehouse.ts'
import { TASK_QUEUES, type TaskQueue } from '../task-queues.ts'
import type { TemporalClient } from './connect.ts'

const SEEN_MS = 70_000
const WORKFLOW_QUEUE = 1 // temporal.api.enums.v1.TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW
const WAREHOUSE = ' warehouse '

/** Identity of this process's worker on a server: process, machine and the warehouse that it writes. */
export async function workerIdentity(root: string): Promise<string> {
  const id = await readWarehouseId(root)
  return `${process.pid}@${hostname()}${id === null ? '' : `${WAREHOUSE}${id}`}`
}

/** Returns true if a worker polled a queue within about the last minute. */
export async function hasWorkers(connected: TemporalClient, queue: TaskQueue): Promise<boolean> {
  return (await workersOf(connected, queue)).length > 0
}

/**
 * Checks that the workers of a server write the warehouse of a command, which may have none. Those of earlier releases do not say.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: they write another one
 */
export async function requireSameWarehouse(connected: TemporalClient, root: string): Promise<void> {
  const own = await readWarehouseId(root)
  if (own === null) return
  const identities = (await Promise.all((['live', 'bulk'] as const).map((queue) => workersOf(connected, queue)))).flat()
  const other = identities.find((identity) => identity.includes(WAREHOUSE) && !identity.endsWith(`${WAREHOUSE}${own}`))
  if (other === undefined) return
  const { address, namespace } = connected.server
  const text = `warehouse is ${root} (${own}), but at ${address} works ${other}; allowed: the home of those workers, or another TEMPORAL_ADDRESS or TEMPORAL_NAMESPACE than ${namespace}`
  throw new ServiceError('VALIDATION_USAGE_INVALID', text, { field: 'warehouse', value: root })
}

/** Identities of the workers that polled a queue within about the last minute. */
async function workersOf({ client, server }: TemporalClient, queue: TaskQueue): Promise<readonly string[]> {
  const { workflowService } = client.connection as Connection
  const { pollers } = await workflowService.describeTaskQueue({
    namespace: server.namespace,
    taskQueue: { name: TASK_QUEUES[queue] },
    taskQueueType: WORKFLOW_QUEUE,
  })
  return (pollers ?? [])
    .filter(({ lastAccessTime }) => Date.now() - Number(lastAccessTime?.seconds ?? 0) * 1_000 < SEEN_MS)
    .map(({ identity }) => identity ?? '')
}

import type { Connection } from '@temporalio/client'
import { TASK_QUEUES, type TaskQueue } from '../task-queues.ts'
import type { TemporalClient } from './connect.ts'

const SEEN_MS = 70_000
const WORKFLOW_QUEUE = 1 // temporal.api.enums.v1.TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW

/** Returns true if a worker polled a queue within about the last minute. */
export async function hasWorkers({ client, server }: TemporalClient, queue: TaskQueue): Promise<boolean> {
  const { workflowService } = client.connection as Connection
  const { pollers } = await workflowService.describeTaskQueue({
    namespace: server.namespace,
    taskQueue: { name: TASK_QUEUES[queue] },
    taskQueueType: WORKFLOW_QUEUE,
  })
  return (pollers ?? []).some(({ lastAccessTime }) => {
    return Date.now() - Number(lastAccessTime?.seconds ?? 0) * 1_000 < SEEN_MS
  })
}

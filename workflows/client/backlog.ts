import type { Connection } from '@temporalio/client'
import { LIVE_VENUES } from '../../vocabulary/venue.ts'
import { kindsOf, QUEUE_NAMES, type ServedQueue, servedTasks, type TaskKind, type WorkKind } from '../task-queues.ts'
import type { TemporalClient } from './connect.ts'
import { QUEUE_TYPES, recentOf } from './has-workers.ts'

/** Waiting tasks of one queue, as the server counts them; null: this server does not count. */
export type QueueBacklog = {
  /** Kind of work, or the group whose workflows the queue has. */
  readonly kind: ServedQueue['kind']
  readonly queue: string
  readonly task: TaskKind
  /** Tasks that wait for a worker, about. */
  readonly waiting: number | null
  /** Age of the oldest of them, in seconds. */
  readonly oldest_s: number | null
  readonly added_per_s: number | null
  readonly started_per_s: number | null
  /** Processes that asked for tasks within about the last minute. */
  readonly workers: number
}

/**
 * Measures the backlog of the queues of kinds of work: what decides how many workers each needs.
 * @param venues of ingest
 * @throws errors of the server
 */
export async function measureBacklog(
  { client, server }: TemporalClient,
  kinds: readonly WorkKind[] = kindsOf(QUEUE_NAMES),
  venues: readonly string[] = LIVE_VENUES,
): Promise<readonly QueueBacklog[]> {
  const { workflowService } = client.connection as Connection
  const tasks = servedTasks(kinds, venues)
  const measure = async ({ kind, name, task }: (typeof tasks)[number]): Promise<QueueBacklog> => {
    const { pollers, stats } = await workflowService.describeTaskQueue({
      namespace: server.namespace,
      taskQueue: { name },
      taskQueueType: QUEUE_TYPES[task],
      reportStats: true,
    })
    const {
      approximateBacklogCount: waiting,
      approximateBacklogAge: oldest,
      tasksAddRate,
      tasksDispatchRate,
    } = stats ?? {}
    const count = (value: unknown) => (stats ? Number(value ?? 0) : null)
    return {
      kind,
      queue: name,
      task,
      waiting: count(waiting),
      oldest_s: count(oldest?.seconds),
      added_per_s: count(tasksAddRate),
      started_per_s: count(tasksDispatchRate),
      workers: recentOf(pollers).length,
    }
  }
  return Promise.all(tasks.map(measure))
}

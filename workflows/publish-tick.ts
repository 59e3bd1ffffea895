import { proxyActivities } from '@temporalio/workflow'
import type { PublishedTick } from '../operations/live/live-publisher.ts'
import type { Activities, PublishArgs } from './activities/activity-types.ts'
import { RETRY } from './retry.ts'
import { ACTIVITY_QUEUES } from './task-queues.ts'

const { publishDue } = proxyActivities<Activities>({
  taskQueue: ACTIVITY_QUEUES.publish,
  startToCloseTimeout: '5m',
  scheduleToCloseTimeout: '10m',
  heartbeatTimeout: '30s',
  retry: RETRY,
})

/**
 * Publishes a tick: the levels of every due index and the marks of every market, one commit per table.
 *
 * Workflow id `publish-tick/<tick_at>`: starting it twice publishes once. It also publishes ticks that were missed (an outage, a
 * stopped worker). A tick that cannot be published in time is left to the next one.
 */
export async function publishTick(args: PublishArgs): Promise<PublishedTick> {
  return publishDue(args)
}

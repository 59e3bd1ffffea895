import { proxyActivities } from '@temporalio/workflow'
import type { PublishedTick } from '../operations/live/live-publisher.ts'
import type { Activities, PublishArgs } from './activities/activity-types.ts'
import { RETRY } from './retry.ts'

const { publishDue } = proxyActivities<Activities>({
  startToCloseTimeout: '5m',
  scheduleToCloseTimeout: '10m',
  heartbeatTimeout: '30s',
  retry: RETRY,
})

/**
 * Publishes a tick: the levels of every due index and the marks of every market, one commit a table.
 *
 * Workflow id `publish-tick/<tick_at>`: starting it twice publishes once. What earlier ticks missed (an outage, a worker that
 * was ended) is published with it. A tick that cannot be published within its time is left to the next one.
 */
export async function publishTick(args: PublishArgs): Promise<PublishedTick> {
  return publishDue(args)
}

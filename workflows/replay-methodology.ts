import { ActivityCancellationType, proxyActivities, workflowInfo } from '@temporalio/workflow'
import { formatMicros, type Instant, toMicros } from '../primitives/instants.ts'
import type { Activities, ReplayArgs, ReplayedPart, ReplayReport } from './activities/activity-types.ts'
import { RETRY } from './retry.ts'
import { ACTIVITY_QUEUES } from './task-queues.ts'

const OPTIONS = {
  startToCloseTimeout: '6h',
  heartbeatTimeout: '2m',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: RETRY,
} as const

const activities = proxyActivities<Activities>({ ...OPTIONS, taskQueue: ACTIVITY_QUEUES.compute })
const { replayPart } = proxyActivities<Activities>({ ...OPTIONS, taskQueue: ACTIVITY_QUEUES.replay })

export type ReplayMethodologyArgs = {
  /** INDEX[@VERSION], or the name of a definition file in the store. */
  readonly target: string
  readonly from: Instant
  readonly to: Instant
  /** null: the start of the replay. */
  readonly as_of: Instant | null
  /** Parts that workers replay at the same time; 1 when left out. */
  readonly parts?: number
}

/**
 * Recomputes an index without publishing, into a file with the lines of `tidemark index replay --json`.
 *
 * Workflow id `replay/<target>/<from>/<to>/<as_of>`. All attempts use the knowledge of one instant.
 */
export async function replayMethodology({
  parts = 1,
  ...args
}: ReplayMethodologyArgs): Promise<ReplayReport & { as_of: Instant }> {
  const { workflowId, runStartTime } = workflowInfo()
  const as_of = args.as_of ?? formatMicros(runStartTime.getTime() * 1_000)
  const asked = { ...args, as_of, replay_id: workflowId }
  return { ...(await (parts === 1 ? activities.replayMethodology(asked) : replayInParts(asked, parts))), as_of }
}

/** Replays equal parts at the same time. A part that begins in another state than the one before ends in is replayed from the first tick. */
async function replayInParts(args: ReplayArgs, parts: number): Promise<ReplayReport> {
  const ranges = rangesOf(args, parts)
  const replayed = await Promise.all(ranges.map((range, i) => replayPart({ ...args, ...range, whole: i === 0 })))
  const met: ReplayedPart[] = []
  for (const [i, part] of replayed.entries()) {
    const meets = part.start === null || part.start === met.at(-1)?.end
    met.push(meets ? part : await replayPart({ ...args, ...ranges[i]!, whole: true }))
  }
  return activities.joinReplay({ replay_id: args.replay_id, parts: met.map(({ key, lines }) => ({ key, lines })) })
}

function rangesOf({ from, to }: Pick<ReplayArgs, 'from' | 'to'>, parts: number) {
  const [first, end] = [toMicros(from), toMicros(to)]
  const bound = (i: number) => formatMicros(first + Math.floor(((end - first) * i) / parts))
  return Array.from({ length: parts }, (_, i) => ({ from: bound(i), to: bound(i + 1) }))
}

import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common'
import { executeChild, ParentClosePolicy, startChild, workflowInfo } from '@temporalio/workflow'
import { formatMicros, type Instant, type Micros } from '../primitives/instants.ts'
import { searchAttributes } from './search-attributes.ts'
import { TASK_QUEUES, type TaskQueue } from './task-queues.ts'

/** Workflow that a schedule starts. */
export type ScheduledJob = {
  /** Name of the workflow. */
  readonly workflow: string
  /** Its id; `<scheduled_at>` is replaced by the scheduled instant. */
  readonly workflow_id: string
  readonly args: Readonly<Record<string, unknown>>
  /** Key of the argument that receives the scheduled instant; null: none. */
  readonly instant_key: string | null
  readonly queue: TaskQueue
  /** Interval and offset of the schedule. */
  readonly every_us: Micros
  readonly offset_us: Micros
  /** True: the turn lasts until the workflow ends. Turns that began in earlier releases only start an endless workflow. */
  readonly waits: boolean
  readonly venue_id: string | null
}

/**
 * Starts the workflow of a schedule under the id of its instant, unless it was started before. Temporal names the workflows of a
 * schedule by schedule and time, so the schedule starts this one and its child has the id of the instant. Triggering a schedule by
 * hand, or repeating past instants, starts nothing twice.
 */
export async function startScheduled(job: ScheduledJob): Promise<{ workflow_id: string; started: boolean }> {
  const scheduled_at = scheduledInstant(job)
  const workflowId = job.workflow_id.replace('<scheduled_at>', scheduled_at)
  const options = {
    workflowId,
    args: [{ ...job.args, ...(job.instant_key !== null && { [job.instant_key]: scheduled_at }) }],
    taskQueue: TASK_QUEUES[job.queue],
    workflowIdReusePolicy: job.waits ? 'ALLOW_DUPLICATE_FAILED_ONLY' : 'ALLOW_DUPLICATE',
    typedSearchAttributes: searchAttributes({ venue_id: job.venue_id }),
  } as const
  try {
    if (job.waits) await executeChild(job.workflow, options)
    else await startChild(job.workflow, { ...options, parentClosePolicy: ParentClosePolicy.ABANDON })
    return { workflow_id: workflowId, started: true }
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error
    return { workflow_id: workflowId, started: false }
  }
}

/** Returns the scheduled instant of this run: the last one at or before its start, without the offset. */
function scheduledInstant({ every_us, offset_us }: ScheduledJob): Instant {
  const { searchAttributes: known, startTime } = workflowInfo()
  const [found] = (known.TemporalScheduledStartTime ?? []) as (Date | string)[]
  const planned_ms = found === undefined ? startTime.getTime() : +new Date(found)
  return formatMicros(Math.floor((planned_ms * 1_000 - offset_us) / every_us) * every_us)
}

import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common'
import { executeChild, ParentClosePolicy, startChild, workflowInfo } from '@temporalio/workflow'
import { formatMicros, type Instant, type Micros } from '../primitives/instants.ts'
import { searchAttributes } from './search-attributes.ts'
import { TASK_QUEUES, type TaskQueue } from './task-queues.ts'

/** What a schedule starts. */
export type ScheduledJob = {
  /** Name of the workflow. */
  readonly workflow: string
  /** Its id; `<scheduled_at>` stands for the scheduled instant. */
  readonly workflow_id: string
  readonly args: Readonly<Record<string, unknown>>
  /** The key of its argument that takes the scheduled instant; null = none does. */
  readonly instant_key: string | null
  readonly queue: TaskQueue
  /** Distance and first instant of the schedule's instants. */
  readonly every_us: Micros
  readonly offset_us: Micros
  /** Whether the next one waits for its end; one that goes on for ever is only started. */
  readonly waits: boolean
  readonly venue_id: string | null
}

/**
 * Starts the workflow of a schedule under the id that belongs to its instant, where it has not been started yet: a schedule
 * names what it starts by the schedule and the time, so this is what it starts, and its child carries the identity. A person
 * who triggers a schedule, and a schedule that repeats past instants, start nothing twice.
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

/** The instant of the schedule that this run is for: the last one at or before its start, without the offset. */
function scheduledInstant({ every_us, offset_us }: ScheduledJob): Instant {
  const { searchAttributes: known, startTime } = workflowInfo()
  const [found] = (known.TemporalScheduledStartTime ?? []) as (Date | string)[]
  const planned_ms = found === undefined ? startTime.getTime() : +new Date(found)
  return formatMicros(Math.floor((planned_ms * 1_000 - offset_us) / every_us) * every_us)
}

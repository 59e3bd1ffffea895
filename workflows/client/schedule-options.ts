import type { ScheduleOptions, ScheduleOptionsStartWorkflowAction } from '@temporalio/client'
import type { Workflow } from '@temporalio/common'
import { contentHash } from '../../primitives/canonical-json.ts'
import { type DurationString, durationMicros } from '../../primitives/instants.ts'
import type { ScheduleRow } from '../schedules.ts'
import { searchAttributes } from '../search-attributes.ts'
import type { ScheduledJob } from '../start-scheduled.ts'
import { TASK_QUEUES } from '../task-queues.ts'

/** Row in Temporal's form. */
export type CompiledSchedule = ScheduleOptions & {
  readonly action: ScheduleOptionsStartWorkflowAction<Workflow>
  readonly stamp: ScheduleStamp
}

/** Owner of a schedule, the generation of the table that made it, and a hash that changes when the row does. */
export type ScheduleStamp = { readonly owner: string; readonly generation: number; readonly fingerprint: string }

/** Converts a row of the table to Temporal's options. Pure. */
export function scheduleOptions(row: ScheduleRow, mine: Omit<ScheduleStamp, 'fingerprint'>): CompiledSchedule {
  const stamp = { ...mine, fingerprint: contentHash(row) }
  const job: ScheduledJob = {
    workflow: row.workflow,
    workflow_id: row.workflow_id,
    args: row.args,
    instant_key: row.instant_key,
    queue: row.queue,
    every_us: durationMicros(row.every, 'every'),
    offset_us: durationMicros(row.offset, 'offset'),
    waits: true,
    venue_id: row.venue_id,
  }
  return {
    stamp,
    scheduleId: row.schedule_id,
    spec: {
      intervals: [{ every: ms(row.every), offset: ms(row.offset) }],
      ...(row.jitter !== null && { jitter: ms(row.jitter) }),
    },
    policies: { overlap: row.overlap, catchupWindow: ms(row.catch_up) },
    action: {
      type: 'startWorkflow',
      workflowType: 'startScheduled',
      workflowId: `scheduled/${row.schedule_id}`,
      args: [job],
      taskQueue: TASK_QUEUES[row.queue],
      // The memo of a schedule never changes; that of its action does with an update.
      memo: { fingerprint: stamp.fingerprint, generation: stamp.generation },
      typedSearchAttributes: searchAttributes({ venue_id: row.venue_id }),
    },
    memo: { owner: stamp.owner },
    state: { note: row.note },
  }
}

function ms(duration: DurationString): number {
  return durationMicros(duration) / 1_000
}

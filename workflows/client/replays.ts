import type { Client } from '@temporalio/client'
import type { ReplayReport } from '../activities/activity-types.ts'
import type { ReplayMethodologyArgs } from '../replay-methodology.ts'
import { TASK_QUEUES } from '../task-queues.ts'
import { cancelWorkflow, startOrJoin } from './start-or-join.ts'
import { workflowFailure } from './workflow-failure.ts'

export type ReplayHandle = {
  readonly workflow_id: string
  /** Whether this call started it; false: it was running, for somebody else. */
  readonly is_started: boolean
  /** Waits for the file. @throws {ServiceError} what replayIndex throws */
  result(): Promise<ReplayReport & { readonly as_of: string }>
  cancel(): Promise<void>
}

/** Starts a replay into a file, or joins the same one if it is running. */
export async function startReplay(client: Client, args: ReplayMethodologyArgs): Promise<ReplayHandle> {
  const { target, from, to, as_of } = args
  const workflow_id = `replay/${target}/${from}/${to}/${as_of ?? 'now'}`
  const run_id = await startOrJoin(() =>
    client.workflow.start('replayMethodology', {
      workflowId: workflow_id,
      taskQueue: TASK_QUEUES.bulk,
      args: [args],
      workflowIdConflictPolicy: 'FAIL',
    }),
  )
  const handle = client.workflow.getHandle(workflow_id)
  return {
    workflow_id,
    is_started: run_id !== null,
    result: async () => {
      try {
        return (await handle.result()) as ReplayReport & { as_of: string }
      } catch (error) {
        throw workflowFailure(error)
      }
    },
    cancel: () => cancelWorkflow(client, handle),
  }
}

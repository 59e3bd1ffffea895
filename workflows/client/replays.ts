import type { Client } from '@temporalio/client'
import type { ReplayReport } from '../activities/activity-types.ts'
import type { ReplayMethodologyArgs } from '../replay-methodology.ts'
import { TASK_QUEUES } from '../task-queues.ts'
import { workflowFailure } from './workflow-failure.ts'

export type ReplayHandle = {
  readonly workflow_id: string
  /** Waits for the file. @throws {ServiceError} what replayIndex throws */
  result(): Promise<ReplayReport & { readonly as_of: string }>
  cancel(): Promise<void>
}

/** Starts a replay into a file, or joins the same one if it is running. */
export async function startReplay(client: Client, args: ReplayMethodologyArgs): Promise<ReplayHandle> {
  const { target, from, to, as_of } = args
  const workflow_id = `replay/${target}/${from}/${to}/${as_of ?? 'now'}`
  const handle = await client.workflow.start('replayMethodology', {
    workflowId: workflow_id,
    taskQueue: TASK_QUEUES.bulk,
    args: [args],
    workflowIdConflictPolicy: 'USE_EXISTING',
  })
  return {
    workflow_id,
    result: async () => {
      try {
        return (await handle.result()) as ReplayReport & { as_of: string }
      } catch (error) {
        throw workflowFailure(error)
      }
    },
    cancel: async () => void (await handle.cancel()),
  }
}

import type { Client } from '@temporalio/client'
import { contentHash } from '../../primitives/canonical-json.ts'
import type { CorrectArgs, CorrectReport } from '../activities/activity-types.ts'
import { searchAttributes } from '../search-attributes.ts'
import { TASK_QUEUES } from '../task-queues.ts'
import { startWithAttributes } from './search-attributes.ts'
import { cancelWorkflow, startOrJoin } from './start-or-join.ts'
import { workflowFailure } from './workflow-failure.ts'

export type CorrectionHandle = {
  readonly workflow_id: string
  /** Whether this call started it; false: it was running, for somebody else. */
  readonly is_started: boolean
  /** Waits for the revisions. @throws {ServiceError} what correctIndex throws */
  result(): Promise<CorrectReport>
  cancel(): Promise<void>
}

/**
 * Starts a correction of an index. If the same request is already running, joins it; if another one is running, waits for it, so
 * that revisions are sequential.
 */
export async function startCorrection(client: Client, args: CorrectArgs): Promise<CorrectionHandle> {
  const { index_id } = args
  const workflow_id = `correct/${index_id}`
  const request = contentHash(args)
  for (;;) {
    const run_id = await startOrJoin(() =>
      startWithAttributes(client, () =>
        client.workflow.start('correct', {
          workflowId: workflow_id,
          taskQueue: TASK_QUEUES.bulk,
          args: [args],
          memo: { request },
          typedSearchAttributes: searchAttributes({ index_id }),
          workflowIdConflictPolicy: 'FAIL',
          workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        }),
      ),
    )
    if (run_id !== null) return correctionHandle(client, { workflow_id, run_id, is_started: true })
    const { runId, memo } = await client.workflow.getHandle(workflow_id).describe()
    const running = correctionHandle(client, { workflow_id, run_id: runId, is_started: false })
    if (memo?.request === request) return running
    await running.result().catch(() => undefined) // its own caller gets the error
  }
}

type Run = { readonly workflow_id: string; readonly run_id: string; readonly is_started: boolean }

function correctionHandle(client: Client, { workflow_id, run_id, is_started }: Run): CorrectionHandle {
  const handle = client.workflow.getHandle(workflow_id, run_id)
  return {
    workflow_id,
    is_started,
    result: async () => {
      try {
        return (await handle.result()) as CorrectReport
      } catch (error) {
        throw workflowFailure(error)
      }
    },
    cancel: () => cancelWorkflow(client, handle),
  }
}

import { type Client, WorkflowFailedError, type WorkflowHandle } from '@temporalio/client'
import { CancelledFailure, WorkflowNotFoundError } from '@temporalio/common'
import { type BackfillSubject, backfillIdOf, subjectIdOf } from '../../operations/backfill/backfill-subject.ts'
import type { BackfillArgs, BackfillReport } from '../backfill.ts'
import { aboutOf } from '../backfill-plan.ts'
import { searchAttributes } from '../search-attributes.ts'
import { TASK_QUEUES } from '../task-queues.ts'
import { applicationFailure, workflowFailure } from './workflow-failure.ts'

/** Handle of a backfill, running or not. */
export type BackfillHandle = {
  readonly backfill_id: string
  readonly workflow_id: string
  /** Returns whether it is running; null: the server does not know it. */
  isRunning(): Promise<boolean | null>
  /** Returns its progress; null: no worker answers, or the server does not know it. */
  progress(): Promise<BackfillReport | null>
  /** Waits for its end; `state` is the outcome. @throws {ServiceError} it could not be planned */
  result(): Promise<BackfillReport>
  /** Cancels it; chunks in progress are interrupted if they can be repeated. */
  cancel(): Promise<void>
}

/**
 * Starts or resumes a backfill: the same request is the same backfill.
 * @param parts_per_run for tests of long histories
 */
export async function startBackfill(
  client: Client,
  subject: BackfillSubject,
  parts_per_run?: number,
): Promise<BackfillHandle> {
  const backfill_id = backfillIdOf(subject)
  const { from, to } = subject.request
  const args: BackfillArgs = { backfill_id, subject, state: null, ...(parts_per_run && { parts_per_run }) }
  await client.workflow.start('backfill', {
    workflowId: workflowIdOf(backfill_id),
    taskQueue: TASK_QUEUES.bulk,
    args: [args],
    workflowIdConflictPolicy: 'USE_EXISTING',
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    typedSearchAttributes: searchAttributes(aboutOf(subject)),
    staticSummary: `backfill of ${subjectIdOf(subject)} from ${from} to ${to}`,
  })
  return findBackfill(client, backfill_id)
}

/** Returns the handle of a backfill. */
function findBackfill(client: Client, backfill_id: string): BackfillHandle {
  const workflow_id = workflowIdOf(backfill_id)
  const handle = () => client.workflow.getHandle(workflow_id)
  return {
    backfill_id,
    workflow_id,
    isRunning: async () => {
      const found = await handle().describe().catch(unlessMissing)
      return found === null ? null : found.status.name === 'RUNNING'
    },
    progress: () =>
      handle()
        .query<BackfillReport, []>('progress')
        .catch(() => null),
    result: () => endOf(handle()),
    cancel: async () => void (await handle().cancel().catch(unlessMissing)),
  }
}

function workflowIdOf(backfill_id: string): string {
  return `backfill/${backfill_id}`
}

async function endOf(handle: WorkflowHandle): Promise<BackfillReport> {
  try {
    return (await handle.result()) as BackfillReport
  } catch (error) {
    if (!(error instanceof WorkflowFailedError)) throw error
    if (error.cause instanceof CancelledFailure) return handle.query<BackfillReport, []>('progress')
    const failure = applicationFailure(error)
    if (failure?.type === 'BACKFILL_INCOMPLETE') return failure.details?.[0] as BackfillReport
    throw workflowFailure(error)
  }
}

function unlessMissing(error: unknown): null {
  if (error instanceof WorkflowNotFoundError) return null
  throw error
}

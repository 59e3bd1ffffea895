import { type Client, WorkflowFailedError, type WorkflowHandle } from '@temporalio/client'
import { CancelledFailure, WorkflowNotFoundError } from '@temporalio/common'
import { type BackfillSubject, backfillIdOf, subjectIdOf } from '../../operations/backfill/backfill-subject.ts'
import type { BackfillArgs, BackfillReport } from '../backfill.ts'
import { aboutOf } from '../backfill-plan.ts'
import { searchAttributes } from '../search-attributes.ts'
import { TASK_QUEUES } from '../task-queues.ts'
import { applicationFailure, workflowFailure } from './workflow-failure.ts'

/** A backfill that runs, ran, or was never started. */
export type BackfillHandle = {
  readonly backfill_id: string
  readonly workflow_id: string
  /** Whether it runs; null: the server does not know of it (any more). */
  isRunning(): Promise<boolean | null>
  /** How far it is; null: nobody answers now, or the server does not know of it. */
  progress(): Promise<BackfillReport | null>
  /** Waits for its end; `state` says how it ended. @throws {ServiceError} where it could not be planned */
  result(): Promise<BackfillReport>
  /** Asks it to end; chunks under way are ended where they can be done again. */
  cancel(): Promise<void>
}

/**
 * Starts a backfill, or goes on with it: the same request is the same backfill, whoever asks.
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

/** A backfill by its id. */
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

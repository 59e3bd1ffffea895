import {
  type Client,
  type WorkflowExecutionDescription,
  WorkflowFailedError,
  type WorkflowHandle,
} from '@temporalio/client'
import { CancelledFailure } from '@temporalio/common'
import { type BackfillSubject, backfillIdOf, subjectIdOf } from '../../operations/backfill/backfill-subject.ts'
import type { BackfillArgs, BackfillReport } from '../backfill-course.ts'
import { aboutOf } from '../backfill-plan.ts'
import { searchAttributes } from '../search-attributes.ts'
import { TASK_QUEUES } from '../task-queues.ts'
import { startWithAttributes } from './search-attributes.ts'
import { atOnce, cancelWorkflow, startOrJoin, unlessMissing } from './start-or-join.ts'
import { applicationFailure, workflowFailure } from './workflow-failure.ts'

/** Failure that is retried. Equal causes differ in the chunk and the number of attempts. */
type Trouble = { readonly cause: string; readonly text: string }

/** Handle of a backfill, running or not. */
export type BackfillHandle = {
  readonly backfill_id: string
  readonly workflow_id: string
  /** Whether this call started it; false: it was running, for somebody else. */
  readonly is_started: boolean
  /** Returns whether it is running; null: the server does not know it. @throws the server does not answer */
  isRunning(): Promise<boolean | null>
  /** Returns its progress; null: no worker answers, or the server does not know it. */
  progress(): Promise<BackfillReport | null>
  /** Returns the failures that it is retrying at the moment; none if the server does not answer. */
  troubles(): Promise<readonly Trouble[]>
  /** Waits for its end; `state` is the outcome. @throws {ServiceError} it could not be planned */
  result(): Promise<BackfillReport>
  /** Cancels it; chunks in progress are interrupted if they can be repeated. */
  cancel(): Promise<void>
}

/**
 * Starts or resumes a backfill: the same request is the same backfill.
 * @param parts_per_run for tests of long histories
 * @throws {ServiceError} SERVICE_UNAVAILABLE: the search attributes are missing and may not be registered
 */
export async function startBackfill(
  client: Client,
  subject: BackfillSubject,
  parts_per_run?: number,
): Promise<BackfillHandle> {
  const backfill_id = backfillIdOf(subject)
  const { from, to } = subject.request
  const args: BackfillArgs = { backfill_id, subject, state: null, ...(parts_per_run && { parts_per_run }) }
  const run_id = await startOrJoin(() =>
    startWithAttributes(client, () =>
      client.workflow.start('backfill', {
        workflowId: workflowIdOf(backfill_id),
        taskQueue: TASK_QUEUES.bulk,
        args: [args],
        workflowIdConflictPolicy: 'FAIL',
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        typedSearchAttributes: searchAttributes(aboutOf(subject)),
        staticSummary: `backfill of ${subjectIdOf(subject)} from ${from} to ${to}`,
      }),
    ),
  )
  return findBackfill(client, backfill_id, run_id !== null)
}

/** Returns the handle of a backfill. */
export function findBackfill(client: Client, backfill_id: string, is_started: boolean): BackfillHandle {
  const workflow_id = workflowIdOf(backfill_id)
  const handle = () => client.workflow.getHandle(workflow_id)
  return {
    backfill_id,
    workflow_id,
    is_started,
    isRunning: async () => {
      const found = await atOnce(client, () => handle().describe()).catch(unlessMissing)
      return found === null ? null : found.status.name === 'RUNNING'
    },
    progress: () => atOnce(client, () => handle().query<BackfillReport, []>('progress')).catch(() => null),
    troubles: () => atOnce(client, () => troublesOf(client, workflow_id)).catch(() => []),
    result: () => endOf(handle()),
    cancel: () => cancelWorkflow(client, handle()),
  }
}

/** Activities of a workflow and of its children that have failed and are tried again. */
async function troublesOf(client: Client, workflow_id: string): Promise<Trouble[]> {
  const { raw } = await client.workflow.getHandle(workflow_id).describe()
  const own = activityTroubles(workflow_id, raw.pendingActivities ?? [])
  const children = (raw.pendingChildren ?? []).map(({ workflowId }) => troublesOf(client, workflowId ?? ''))
  return [...own, ...(await Promise.all(children)).flat()]
}

type PendingActivities = NonNullable<WorkflowExecutionDescription['raw']['pendingActivities']>

/** Returns the failures of activities that are tried again. Pure. */
export function activityTroubles(workflow_id: string, pending: PendingActivities): Trouble[] {
  return pending.flatMap(({ activityType, attempt, lastFailure }) => {
    if (!lastFailure) return []
    const { message, applicationFailureInfo, timeoutFailureInfo } = lastFailure
    const code = applicationFailureInfo?.type ?? ''
    const why = timeoutFailureInfo ? timeoutText(timeoutFailureInfo.timeoutType) : `${message} (${code})`
    const text = `${workflow_id}: ${activityType?.name} failed ${(attempt ?? 1) - 1} times: ${why}`
    return [{ cause: `${activityType?.name} ${code || why}`, text }]
  })
}

const HEARTBEAT = 4 // temporal.api.enums.v1.TimeoutType.TIMEOUT_TYPE_HEARTBEAT

/** Says what timed out; the server's own text names the kind of the timeout alone. */
function timeoutText(type: unknown): string {
  return type === HEARTBEAT ? 'its worker stopped, or sent no sign of life in time' : 'it took longer than it may'
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

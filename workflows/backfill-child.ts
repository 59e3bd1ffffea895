import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common'
import {
  ChildWorkflowCancellationType,
  executeChild,
  ParentClosePolicy,
  patched,
  sleep,
  workflowInfo,
} from '@temporalio/workflow'
import { type BackfillPartArgs, backfillPart } from './backfill-part.ts'
import { aboutOf, type PartReport } from './backfill-plan.ts'
import { searchAttributes } from './search-attributes.ts'

/** Time between two attempts at a part whose earlier run still ends. */
const STILL_ENDS_MS = 1_000

/** Runs a part of a backfill as its child. The same part of a run that was terminated is cancelled, and may take a moment to end. */
export async function runPart(args: BackfillPartArgs): Promise<PartReport> {
  for (;;) {
    try {
      return await startPart(args)
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError) || !patched('part-still-ends')) throw error
      await sleep(STILL_ENDS_MS)
    }
  }
}

function startPart(args: BackfillPartArgs): Promise<PartReport> {
  const { subject, part } = args
  return executeChild(backfillPart, {
    workflowId: `${workflowInfo().workflowId}/${part.subject}/${part.from}`,
    args: [args],
    typedSearchAttributes: searchAttributes(aboutOf(subject)),
    parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
    cancellationType: ChildWorkflowCancellationType.WAIT_CANCELLATION_COMPLETED,
  })
}

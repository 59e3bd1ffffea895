import { type Client, WorkflowExecutionAlreadyStartedError, type WorkflowHandle } from '@temporalio/client'
import { WorkflowNotFoundError } from '@temporalio/common'

/** Longest wait for an answer about a workflow. */
const ANSWER_MS = 5_000

/** Asks a server that may not answer. */
export function atOnce<T>(client: Client, ask: () => Promise<T>): Promise<T> {
  return client.withDeadline(Date.now() + ANSWER_MS, ask)
}

/**
 * Starts a workflow with the conflict policy FAIL, or joins the one that runs under its id.
 * @returns the run that was started; null: one runs already
 */
export async function startOrJoin(start: () => Promise<{ firstExecutionRunId: string }>): Promise<string | null> {
  try {
    return (await start()).firstExecutionRunId
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return null
    throw error
  }
}

/** Cancels a workflow unless it has ended. @throws the server does not answer */
export async function cancelWorkflow(client: Client, handle: WorkflowHandle): Promise<void> {
  await atOnce(client, () => handle.cancel()).catch(unlessMissing)
}

/** Whether the server does not know a workflow, or it has ended. */
export function isUnknown(error: unknown): boolean {
  return error instanceof WorkflowNotFoundError
}

/** Returns null for a workflow that the server does not know, or that has ended. */
export function unlessMissing(error: unknown): null {
  if (isUnknown(error)) return null
  throw error
}

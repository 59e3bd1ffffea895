import { CancelledFailure, Context } from '@temporalio/activity'
import { failureOf } from './failure-of.ts'
import type { Watch } from './worker-ports.ts'

/** Well below the heartbeat timeouts of the workflows. */
const HEARTBEAT_MS = 2_000

/**
 * Runs the work of an activity: sends a heartbeat with the last details every few seconds, aborts the signal when the activity
 * is cancelled or the worker shuts down, and converts errors to failures by their codes.
 */
export async function watched<T>(work: (watch: Watch) => Promise<T>): Promise<T> {
  const context = Context.current()
  const signal = context.cancellationSignal
  let last: unknown = null
  const timer = setInterval(() => context.heartbeat(last), HEARTBEAT_MS)
  try {
    return await work({
      signal,
      heartbeat: (details) => {
        last = details
      },
    })
  } catch (error) {
    if (signal.aborted) throw new CancelledFailure('the work was cancelled; stored data is kept')
    throw failureOf(error, context.info.attempt)
  } finally {
    clearInterval(timer)
  }
}

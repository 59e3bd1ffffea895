import { CancelledFailure, Context } from '@temporalio/activity'
import { failureOf } from './failure-of.ts'
import type { Watch } from './worker-ports.ts'

/** Well within the heartbeat timeouts of the workflows. */
const HEARTBEAT_MS = 2_000

/**
 * Does the work of an activity: a heartbeat goes out every few seconds with what the work said last, its signal is aborted
 * when the activity is cancelled or the worker shuts down, and its errors become failures by their codes.
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
    if (signal.aborted) throw new CancelledFailure('the work was ended; what was stored stays')
    throw failureOf(error, context.info.attempt)
  } finally {
    clearInterval(timer)
  }
}

import { constants } from 'node:os'
import { isMainThread } from 'node:worker_threads'

/** Statements that read rows of this thread now. */
let under_way = 0

/**
 * Carries out a statement that takes its rows from this thread. `process.exit` waits until every statement has ended, and such a one
 * waits for this thread, which does nothing more: the process would stay for ever. So it ends at once where one is under way, by the
 * signal that its exit code tells of (130: SIGINT, 143: SIGTERM), else by SIGKILL. What is not committed is as if it had never begun.
 */
export async function endableWhile<T>(statement: () => Promise<T>): Promise<T> {
  if (under_way === 0) process.on('exit', endAtOnce)
  under_way += 1
  try {
    return await statement()
  } finally {
    under_way -= 1
    if (under_way === 0) process.off('exit', endAtOnce)
  }
}

/** A thread that ends takes nothing with it. */
function endAtOnce(exit_code: number): void {
  if (!isMainThread) return
  const name =
    (['SIGINT', 'SIGTERM'] as const).find((known) => exit_code === 128 + constants.signals[known]) ?? 'SIGKILL'
  process.removeAllListeners(name)
  process.kill(process.pid, name)
}

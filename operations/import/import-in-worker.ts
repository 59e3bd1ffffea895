import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { InvariantError } from '../../primitives/errors.ts'
import type { PayloadImportOptions } from './import-payloads.ts'
import type { ImportReport } from './import-report.ts'
import { type Failure, messagesOf } from './thread-messages.ts'

/** What the thread is to do: an import of payloads into the warehouse at `root`, which it opens itself. */
export type ImportJob = Pick<PayloadImportOptions, 'archive' | 'dir' | 'clock' | 'thread_from_bytes'> & {
  readonly root: string
}

type Progress = Parameters<NonNullable<PayloadImportOptions['on_progress']>>[0]

/** What it tells: `progress`, then `done`; or `failed` anywhere. */
export type ImportMessage =
  | { readonly progress: Progress }
  | { readonly done: ImportReport }
  | { readonly failed: Failure }

const SCRIPT = new URL('./import-thread.mjs', import.meta.url)

/**
 * Three times a half of the young generation, which only a thread of its own can have larger: of the records that wait to be
 * stored fewer are copied before they are garbage. Half of an import's pauses were such copies.
 */
const YOUNG_MB_MAX = 96

/** What an import keeps does not grow with the archive; more room would only put off the collection of what is garbage. */
const HEAP_MB_MAX = 2048

/**
 * Imports a large archive in a thread of its own. The signal ends it between two commits.
 * @throws what importPayloads throws
 */
export async function importInWorker(
  job: ImportJob,
  { signal, on_progress }: Pick<PayloadImportOptions, 'signal' | 'on_progress'>,
): Promise<ImportReport> {
  signal?.throwIfAborted()
  const worker = new Worker(SCRIPT, {
    workerData: job,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB_MAX, maxYoungGenerationSizeMb: YOUNG_MB_MAX },
  })
  const ended = once(worker, 'exit').catch(() => undefined) // why it ended is told by the messages
  const stop = () => worker.postMessage({ stop: true })
  signal?.addEventListener('abort', stop)
  try {
    for await (const message of messagesOf<ImportMessage>(worker, signal)) {
      if ('done' in message) return message.done
      on_progress?.(message.progress)
    }
    throw new InvariantError('the thread of the import did not say that it was done')
  } finally {
    signal?.removeEventListener('abort', stop)
    await ended
  }
}

import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { InvariantError } from '../../primitives/errors.ts'
import type { PayloadImportOptions } from './import-payloads.ts'
import type { ImportedMarket, ImportReport } from './import-report.ts'
import { type Failure, messagesOf } from './thread-messages.ts'

/** Job of the thread: an import of payloads into the warehouse at `root`, which it opens itself. */
export type ImportJob = Pick<
  PayloadImportOptions,
  'archive' | 'dir' | 'clock' | 'zero_means_missing' | 'thread_from_bytes'
> & {
  readonly root: string
}

type Progress = Parameters<NonNullable<PayloadImportOptions['on_progress']>>[0]

/** Messages of the thread: `progress`, then `markets` and `done`; or `failed` at any time. */
export type ImportMessage =
  | { readonly progress: Progress }
  | { readonly markets: readonly ImportedMarket[] }
  | { readonly done: ImportReport }
  | { readonly failed: Failure }

const SCRIPT = new URL('./import-thread.mjs', import.meta.url)

/**
 * Young generation of the heap, three times half of its size; only a thread of its own can have a larger one. Fewer of the records that
 * wait to be stored are copied before they become garbage: such copies were half of an import's pauses.
 */
const YOUNG_MB_MAX = 96

/** An import's live memory does not grow with the archive; more room would only delay garbage collection. */
const HEAP_MB_MAX = 2048

/**
 * Imports a large archive in a thread of its own. The signal ends it between two commits.
 * @throws as `importPayloads`
 */
export async function importInWorker(
  job: ImportJob,
  { signal, on_progress, on_markets }: Pick<PayloadImportOptions, 'signal' | 'on_progress' | 'on_markets'>,
): Promise<ImportReport> {
  signal?.throwIfAborted()
  const worker = new Worker(SCRIPT, {
    workerData: job,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB_MAX, maxYoungGenerationSizeMb: YOUNG_MB_MAX },
  })
  const ended = once(worker, 'exit').catch(() => undefined) // the messages state why it ended
  const stop = () => worker.postMessage({ stop: true })
  signal?.addEventListener('abort', stop)
  try {
    for await (const message of messagesOf<ImportMessage>(worker, signal)) {
      if ('done' in message) return message.done
      if ('markets' in message) on_markets?.(message.markets)
      else on_progress?.(message.progress)
    }
    throw new InvariantError('the import thread ended without a done message')
  } finally {
    signal?.removeEventListener('abort', stop)
    await ended
  }
}

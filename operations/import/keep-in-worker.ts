import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { InvariantError } from '../../primitives/errors.ts'
import type { Micros } from '../../primitives/instants.ts'
import type { KeptBatch } from './keep-payloads.ts'
import type { KeeperJob, KeeperOrder, KeeperReport, OpenedArchive } from './keeper-messages.ts'
import { unpackPayloads } from './packed-payloads.ts'
import { type Failure, messagesOf } from './thread-messages.ts'

/** An archive whose payloads are stored by another thread. */
export type KeeperThread = OpenedArchive & {
  /**
   * Yields each batch once its payloads are stored. Requesting the next one states that the records of earlier batches are planned;
   * `plannedThrough` is their last stamp. @throws as openPayloadArchive and keepPayloads
   */
  batches(on_read: (bytes: number) => void, plannedThrough: () => Micros): AsyncGenerator<KeptBatch>
  /** Ends the thread between two commits. */
  end(): Promise<void>
}

const SCRIPT = new URL('./keeper-thread.mjs', import.meta.url)

/** A batch or two lie in it; more room would only put off the collection of what is garbage. */
const HEAP_MB_MAX = 768

/** Three times a half of the young generation: most of what a batch is made of dies there and is never copied. */
const YOUNG_MB_MAX = 96

/**
 * Starts the thread and waits until it has looked at the files.
 * @throws what openPayloadArchive throws
 */
export async function keepInWorker(job: KeeperJob, signal?: AbortSignal): Promise<KeeperThread> {
  const worker = new Worker(SCRIPT, {
    workerData: job,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB_MAX, maxYoungGenerationSizeMb: YOUNG_MB_MAX },
  })
  const ended = once(worker, 'exit').catch(() => undefined) // the reports state why it ended
  const tell = (order: KeeperOrder) => worker.postMessage(order)
  const stop = () => tell({ stop: true })
  signal?.addEventListener('abort', stop)
  const reports = messagesOf<KeeperReport>(worker, signal)
  const end = async () => {
    signal?.removeEventListener('abort', stop)
    stop()
    await ended
  }
  try {
    const first = (await reports.next()).value
    if (first === undefined || !('opened' in first))
      throw new InvariantError('the thread of payloads did not open them')
    return {
      ...first.opened,
      batches: (on_read, plannedThrough) => batchesOf(reports, tell, on_read, plannedThrough),
      end,
    }
  } catch (error) {
    await end()
    throw error
  }
}

async function* batchesOf(
  reports: AsyncIterable<Exclude<KeeperReport, { readonly failed: Failure }>>,
  tell: (order: KeeperOrder) => void,
  on_read: (bytes: number) => void,
  plannedThrough: () => Micros,
): AsyncGenerator<KeptBatch> {
  for await (const report of reports) {
    if ('read' in report) on_read(report.read)
    else if ('kept' in report) {
      yield { ...report.kept, payloads: unpackPayloads(report.kept.payloads) }
      tell({ planned_through: plannedThrough() })
    }
  }
}

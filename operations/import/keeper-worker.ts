import { on } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import type { PayloadBatch } from '../../connectors/archives/payloads/batch-payloads.ts'
import { openPayloadArchive } from '../../connectors/archives/payloads/open-payload-archive.ts'
import { invariant } from '../../primitives/errors.ts'
import type { Micros } from '../../primitives/instants.ts'
import { openWarehouse } from '../../warehouse/warehouse.ts'
import { keepPayloads } from './keep-payloads.ts'
import type { KeeperJob, KeeperOrder, KeeperReport } from './keeper-messages.ts'
import { memoryOf, packPayloads } from './packed-payloads.ts'
import { failureOf } from './thread-messages.ts'

/**
 * Thread of a long import that reads its files and stores their payloads, while another one parses and stores the records of earlier
 * batches. It runs at most a few batches ahead, so memory does not grow.
 */

/** Most batches that are stored and whose records are not planned yet. */
const AHEAD_MAX = 2

/**
 * Stamps of records are at most this many microseconds after the latest receipt: each minute of a batch that is already published is
 * stamped one microsecond after the last, so a second holds a million of them.
 */
const STAMPS_AFTER_RECEIPT_MAX = 1_000_000

const port = parentPort
invariant(port !== null, 'keeper-worker.ts runs in a thread of its own')
const report = (message: KeeperReport, memory: readonly ArrayBuffer[] = []) => port.postMessage(message, memory)

/** Progress of the other thread: how many batches are planned, and the last stamp of their records. */
class Progress {
  readonly stopping = new AbortController()
  planned = 0
  planned_through: Micros = 0
  kept = 0
  latest: Micros = 0
  #wake: () => void = () => undefined

  async follow(orders: AsyncIterable<[KeeperOrder]>): Promise<void> {
    for await (const [order] of orders) {
      if ('stop' in order) this.stopping.abort()
      else {
        this.planned += 1
        this.planned_through = order.planned_through
      }
      this.#wake()
    }
  }

  /** Resolves once at most `batches` batches are stored and not planned. */
  async behind(batches: number): Promise<void> {
    while (this.kept - this.planned > batches) {
      this.stopping.signal.throwIfAborted()
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    this.stopping.signal.throwIfAborted()
  }

  take({ payloads }: PayloadBatch): void {
    this.kept += 1
    for (const { received_at } of payloads) this.latest = Math.max(this.latest, received_at)
  }

  /** Stamps of earlier records matter only if the batch begins in the very minute in which the one before it ended. */
  async recordsStamp(first: Micros): Promise<Micros> {
    if (first > this.latest + STAMPS_AFTER_RECEIPT_MAX) return 0
    await this.behind(0)
    return this.planned_through
  }
}

async function keep({ root, archive, dir, clock, limits, now }: KeeperJob, progress: Progress): Promise<void> {
  const opened = await openPayloadArchive(archive, dir, now)
  report({
    opened: { files: opened.files, quarantine: opened.quarantine, ignored: opened.ignored, bytes: opened.bytes },
  })
  const warehouse = await openWarehouse({ root })
  try {
    const kept = keepPayloads(
      opened.batches(limits, (bytes) => report({ read: bytes })),
      {
        warehouse,
        kind: archive,
        commit: { archive, clock, signal: progress.stopping.signal },
        recordsStamp: (first) => progress.recordsStamp(first),
      },
    )
    for await (const batch of kept) {
      progress.take(batch)
      const payloads = packPayloads(batch.payloads)
      report({ kept: { ...batch, payloads } }, memoryOf(payloads))
      await progress.behind(AHEAD_MAX - 1)
    }
  } finally {
    await warehouse.close()
  }
}

const progress = new Progress()
const orders = progress.follow(on(port, 'message') as AsyncIterableIterator<[KeeperOrder]>)
void Promise.race([keep(workerData as KeeperJob, progress), orders])
  .then(
    () => report({ done: true }),
    (error: unknown) => report({ failed: failureOf(error) }),
  )
  .finally(() => port.close())

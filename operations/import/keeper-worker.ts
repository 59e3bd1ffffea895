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
 * The thread in which a long import reads its files and keeps their payloads, while the records of earlier batches are read and
 * stored in another. It runs few batches ahead, so that memory does not grow.
 */

/** Batches that are kept and whose records are not planned yet. */
const AHEAD_MAX = 2

/**
 * Stamps of records lie at most this far after the latest receipt: each minute of a batch that is already published is stamped one
 * microsecond after the last, so that a second is a million of them.
 */
const STAMPS_AFTER_RECEIPT_MAX = 1_000_000

const port = parentPort
invariant(port !== null, 'keeper-worker.ts runs in a thread of its own')
const report = (message: KeeperReport, memory: readonly ArrayBuffer[] = []) => port.postMessage(message, memory)

/** What the other thread has told: how many batches are planned, and the last stamp of their records. */
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

  /** Resolves when at most so many batches are kept and not planned. */
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

  /** Stamps of records matter where the batch begins in the very minute in which the one before it ended. */
  async recordsStamp(first: Micros): Promise<Micros> {
    if (first > this.latest + STAMPS_AFTER_RECEIPT_MAX) return 0
    await this.behind(0)
    return this.planned_through
  }
}

async function keep({ root, archive, dir, clock, limits, now }: KeeperJob, progress: Progress): Promise<void> {
  const opened = await openPayloadArchive(archive, dir, now)
  report({ opened: { files: opened.files, quarantine: opened.quarantine, bytes: opened.bytes } })
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
await Promise.race([keep(workerData as KeeperJob, progress), orders]).then(
  () => report({ done: true }),
  (error: unknown) => report({ failed: failureOf(error) }),
)
port.close()

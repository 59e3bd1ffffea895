import type { Outbox } from './outbox.ts'

/** Outboxes with something to write: all are flushed together, so that messages that come close together are one write a socket. */
export class FlushQueue {
  private readonly flush_ms: number
  /** Told before each flush: what it hands to outboxes is flushed too. */
  private readonly onFlush: () => void
  private queue: Outbox[] = []
  private timer: NodeJS.Timeout | null = null

  constructor(flush_ms: number, onFlush: () => void) {
    this.flush_ms = flush_ms
    this.onFlush = onFlush
  }

  /** Asks for a flush soon. */
  wake(): void {
    this.timer ??= setTimeout(() => this.run(), this.flush_ms)
  }

  /** An outbox asks once a flush. */
  add(outbox: Outbox): void {
    this.queue.push(outbox)
    this.wake()
  }

  run(): void {
    this.onFlush()
    if (this.timer !== null) clearTimeout(this.timer)
    this.timer = null
    const queue = this.queue
    this.queue = []
    for (const outbox of queue) outbox.flush()
  }
}

import type { Outbox } from './outbox.ts'

/** Outboxes with something to write: all are flushed together, so that messages that come close together are one write a socket. */
export class FlushQueue {
  private readonly flush_ms: number
  private queue: Outbox[] = []
  private timer: NodeJS.Timeout | null = null

  constructor(flush_ms: number) {
    this.flush_ms = flush_ms
  }

  /** An outbox asks once a flush. */
  add(outbox: Outbox): void {
    this.queue.push(outbox)
    this.timer ??= setTimeout(() => this.run(), this.flush_ms)
  }

  run(): void {
    if (this.timer !== null) clearTimeout(this.timer)
    this.timer = null
    const queue = this.queue
    this.queue = []
    for (const outbox of queue) outbox.flush()
  }
}

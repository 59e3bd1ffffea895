import type { Outbox } from './outbox.ts'

/**
 * Outboxes with something to write: all are flushed together, so that messages that come close together are one write a socket. What
 * comes after a pause goes out in this turn of the event loop; what comes less than `flush_ms` after a flush waits until they are over.
 */
export class FlushQueue {
  readonly #flush_ms: number
  /** Told before each flush: what it hands to outboxes is flushed too. */
  readonly #onFlush: () => void
  #queue: Outbox[] = []
  #is_awake = false
  #flushed_at = Number.NEGATIVE_INFINITY

  constructor(flush_ms: number, onFlush: () => void) {
    this.#flush_ms = flush_ms
    this.#onFlush = onFlush
  }

  /** Asks for a flush soon. */
  wake(): void {
    if (this.#is_awake) return
    this.#is_awake = true
    const left_ms = this.#flushed_at + this.#flush_ms - performance.now()
    if (left_ms > 0) setTimeout(() => this.run(), left_ms)
    else setImmediate(() => this.run())
  }

  /** An outbox asks once a flush. */
  add(outbox: Outbox): void {
    this.#queue.push(outbox)
    this.wake()
  }

  run(): void {
    this.#onFlush()
    this.#is_awake = false
    const queue = this.#queue
    this.#queue = []
    this.#flushed_at = performance.now() // what a flush itself asks for waits as well
    for (const outbox of queue) outbox.flush()
    this.#flushed_at = performance.now()
  }
}

import type { Outbox } from './outbox.ts'

/**
 * Outboxes with queued messages. All are flushed together, so that messages close in time become one write per socket. After a
 * pause, messages are written in the same turn of the event loop; within `flush_ms` of a flush they wait for the next one.
 */
export class FlushQueue {
  readonly #flush_ms: number
  /** Called before each flush; messages that it adds are flushed too. */
  readonly #onFlush: () => void
  #queue: Outbox[] = []
  #is_awake = false
  #flushed_at = Number.NEGATIVE_INFINITY

  constructor(flush_ms: number, onFlush: () => void) {
    this.#flush_ms = flush_ms
    this.#onFlush = onFlush
  }

  /** Schedules a flush. */
  wake(): void {
    if (this.#is_awake) return
    this.#is_awake = true
    const left_ms = this.#flushed_at + this.#flush_ms - performance.now()
    if (left_ms > 0) setTimeout(() => this.run(), left_ms)
    else setImmediate(() => this.run())
  }

  /** Adds an outbox to the next flush; call it once per flush. */
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

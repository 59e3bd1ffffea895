import type { Pool, PoolClient } from './create-pool.ts'

/** Notification channel of committed batches. */
const CHANNEL = 'tidemark_engine'

/** Waits for commits of the engine: one listening connection, reopened after a failure. */
export class CommitBell {
  readonly #pool: Pool
  #client: PoolClient | null = null
  #rung = false
  #wake: () => void = () => undefined

  constructor(pool: Pool) {
    this.#pool = pool
  }

  /** Starts listening, if it does not yet. A read after this sees every commit notified before. */
  async listen(): Promise<void> {
    if (this.#client === null) await this.#connect()
    this.#rung = false
  }

  /** Resolves at a notice received after `listen`, at the latest after `wait_ms`. */
  async wait(wait_ms: number, signal: AbortSignal): Promise<void> {
    if (this.#rung || signal.aborted) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, wait_ms)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
      signal.addEventListener('abort', this.#wake, { once: true })
    })
    signal.removeEventListener('abort', this.#wake)
  }

  close(): void {
    const client = this.#client
    this.#client = null
    // Closed, not returned to the pool: other users must not receive its notices.
    client?.release(true)
  }

  async #connect(): Promise<void> {
    const client = await this.#pool.connect().catch(() => null)
    if (client === null) return
    const drop = () => {
      // Released, or the pool would wait for it forever on close.
      if (this.#client === client) {
        this.#client = null
        client.release(true)
      }
      this.#ring()
    }
    client.on('notification', () => this.#ring())
    client.on('end', drop)
    this.#client = client
    await client.query(`LISTEN ${CHANNEL}`).catch(drop)
  }

  #ring(): void {
    this.#rung = true
    this.#wake()
  }
}

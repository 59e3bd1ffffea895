import type { Pool, PoolClient } from './create-pool.ts'

/** Channel of the notices that a batch was committed. */
const CHANNEL = 'tidemark_engine'

/** Rings when the engine has committed something: one listening connection, made again where it broke. */
export class CommitBell {
  readonly #pool: Pool
  #client: PoolClient | null = null
  #rung = false
  #wake: () => void = () => undefined

  constructor(pool: Pool) {
    this.#pool = pool
  }

  /** Listens, where it does not yet. Who looks after this sees what has rung until now. */
  async listen(): Promise<void> {
    if (this.#client === null) await this.#connect()
    this.#rung = false
  }

  /** Until a notice that came after `listen`, at most `wait_ms`. */
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
    // Closed, not returned: it listens, and the pool's other users do not want its notices.
    client?.release(true)
  }

  async #connect(): Promise<void> {
    const client = await this.#pool.connect().catch(() => null)
    if (client === null) return
    const drop = () => {
      // Given back, or its pool would wait for it for ever when it ends.
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

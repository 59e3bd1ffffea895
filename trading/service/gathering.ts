/** When a batch is put off so that more come into it. */
export type GatherRule = {
  /** Longest time that the oldest submission waits for others. */
  readonly wait_ms: number
  /** So many others have to be expected meanwhile; fewer are not worth a wait. */
  readonly siblings: number
  /** So many that wait are a batch whose own cost does not matter any more. */
  readonly enough: number
}

/**
 * A transaction costs engine and server as much as some orders do, beside what each order costs. 10 ms are a tenth of what an order
 * may take under load.
 */
export const GATHER_RULE: GatherRule = { wait_ms: 10, siblings: 4, enough: 16 }

/** Instants of the last arrivals, of which the rate is told: few, so that it is of now. */
const SAMPLE = 16
/** Batches that are not put off after a wait that fewer came in than it was worth. */
const DISCOURAGED = 32

/**
 * Decides how long a batch is put off, as commit_delay and commit_siblings of Postgres do: as long as its oldest submission may wait,
 * where the rate of late says that enough others come by then. Who asks alone never waits. Callers who send again only when they are
 * answered do not come by waiting: a wait that was not worth it is not repeated for a while. Knows no clock: instants are milliseconds
 * of one that only moves on.
 */
export class Gathering {
  readonly #rule: GatherRule
  readonly #at_ms = new Float64Array(SAMPLE).fill(Number.NEGATIVE_INFINITY)
  #arrivals = 0
  #discouraged = 0

  constructor(rule: GatherRule) {
    this.#rule = rule
  }

  /** A submission came. */
  arrived(now_ms: number): void {
    this.#at_ms[this.#arrivals % SAMPLE] = now_ms
    this.#arrivals += 1
  }

  /**
   * How long the next batch waits; 0: it begins.
   * @param count   submissions that wait, at least 1
   * @param came_ms when the oldest of them came
   */
  waitMs(count: number, came_ms: number, now_ms: number): number {
    const { wait_ms, siblings, enough } = this.#rule
    if (count >= enough) return 0
    if (this.#discouraged > 0) {
      this.#discouraged -= 1
      return 0
    }
    const left_ms = Math.ceil(came_ms + wait_ms - now_ms)
    return left_ms * this.#ratePerMs(now_ms) >= siblings ? left_ms : 0
  }

  /** So many came in a wait. */
  waited(came: number): void {
    if (came < this.#rule.siblings) this.#discouraged = DISCOURAGED
  }

  /** Of the last so many; 0 where fewer have come. */
  #ratePerMs(now_ms: number): number {
    return SAMPLE / Math.max(1, now_ms - this.#at_ms[this.#arrivals % SAMPLE]!)
  }
}

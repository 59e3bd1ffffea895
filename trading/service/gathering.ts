/** When to delay a batch so that more submissions join it. */
export type GatherRule = {
  /** Longest time the oldest submission waits, in milliseconds. */
  readonly wait_ms: number
  /** Fewest submissions to expect during a delay; fewer are not worth it. */
  readonly siblings: number
  /** Number of waiting submissions from which a batch's fixed cost is negligible. */
  readonly enough: number
}

/** A transaction has a fixed cost of several orders. 10 ms are a tenth of what an order may take under load. */
export const GATHER_RULE: GatherRule = { wait_ms: 10, siblings: 4, enough: 16 }

/** Number of recent arrivals used to estimate the arrival rate; small, so the estimate is current. */
const SAMPLE = 16
/** Batches to send without delay after a delay that attracted too few submissions. */
const BACKOFF_BATCHES = 32

/**
 * Decides how long to delay a batch, like commit_delay and commit_siblings of Postgres: as long as its oldest submission may
 * wait, if the recent arrival rate promises enough others by then. A lone caller never waits. Callers that send again only after
 * an answer do not arrive during a delay, so a fruitless delay is not repeated for a while. Reads no clock: instants are
 * milliseconds of a monotonic one.
 */
export class Gathering {
  readonly #rule: GatherRule
  readonly #at_ms = new Float64Array(SAMPLE).fill(Number.NEGATIVE_INFINITY)
  #arrivals = 0
  #backoff_batches = 0

  constructor(rule: GatherRule) {
    this.#rule = rule
  }

  /** Records the arrival of a submission. */
  arrived(now_ms: number): void {
    this.#at_ms[this.#arrivals % SAMPLE] = now_ms
    this.#arrivals += 1
  }

  /**
   * Returns the delay of the next batch; 0: none.
   * @param count waiting submissions, at least 1
   * @param oldest_arrival_ms arrival of the oldest of them
   */
  waitMs(count: number, oldest_arrival_ms: number, now_ms: number): number {
    const { wait_ms, siblings, enough } = this.#rule
    if (count >= enough) return 0
    if (this.#backoff_batches > 0) {
      this.#backoff_batches -= 1
      return 0
    }
    const left_ms = Math.ceil(oldest_arrival_ms + wait_ms - now_ms)
    return left_ms * this.#ratePerMs(now_ms) >= siblings ? left_ms : 0
  }

  /** Records how many submissions arrived during a delayed batch. */
  delayed(arrived: number): void {
    if (arrived < this.#rule.siblings) this.#backoff_batches = BACKOFF_BATCHES
  }

  /** Returns the recent arrival rate; 0 after too few arrivals. */
  #ratePerMs(now_ms: number): number {
    return SAMPLE / Math.max(1, now_ms - this.#at_ms[this.#arrivals % SAMPLE]!)
  }
}

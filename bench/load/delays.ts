/** Histogram of delays in whole milliseconds; its size does not depend on their number. */
export class Delays {
  /** The last bucket counts all longer delays. */
  readonly #counts = new Uint32Array(60_001)
  #count = 0
  #longest = 0

  add(ms: number): void {
    const whole = Math.max(0, Math.round(ms))
    this.#counts[Math.min(whole, this.#counts.length - 1)]! += 1
    this.#count += 1
    this.#longest = Math.max(this.#longest, whole)
  }

  get count(): number {
    return this.#count
  }

  /** Longest delay; null if there were none. */
  get longest_ms(): number | null {
    return this.#count === 0 ? null : this.#longest
  }

  /** Returns the delay that `share` (0 to 1) of them do not exceed, in milliseconds; null if there were none. */
  at(share: number): number | null {
    if (this.#count === 0) return null
    let left = Math.max(1, Math.ceil(this.#count * share))
    const bucket = this.#counts.findIndex((count) => {
      left -= count
      return left <= 0
    })
    return bucket === this.#counts.length - 1 ? this.#longest : bucket
  }
}

/** Delays counted by whole milliseconds: as many as there are take no more room than one. */
export class Delays {
  /** The last place takes all that are longer. */
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

  /** The longest; null: there were none. */
  get longest_ms(): number | null {
    return this.#count === 0 ? null : this.#longest
  }

  /** Returns the delay that `share` (0 to 1) of them do not exceed, in milliseconds; null if there were none. */
  at(share: number): number | null {
    if (this.#count === 0) return null
    let left = Math.max(1, Math.ceil(this.#count * share))
    const place = this.#counts.findIndex((count) => {
      left -= count
      return left <= 0
    })
    return place === this.#counts.length - 1 ? this.#longest : place
  }
}

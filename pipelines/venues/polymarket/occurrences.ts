const REMEMBERED_MAX = 50_000

/** Counts how often a key was seen before. It remembers the newest 50,000 keys, so that its memory is bounded. */
export class Occurrences {
  readonly #seen = new Map<string, number>()

  /** 0 the first time, 1 the second ... */
  next(key: string): number {
    const count = this.#seen.get(key) ?? 0
    this.#seen.delete(key)
    this.#seen.set(key, count + 1)
    if (this.#seen.size > REMEMBERED_MAX) this.#seen.delete(this.#seen.keys().next().value!)
    return count
  }
}

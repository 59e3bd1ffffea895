import { RecentMap } from '../../../primitives/recent-map.ts'

const REMEMBERED = 50_000

/** Counts how often a key was seen before. Remembers at least the newest 50,000 keys, so memory is bounded. */
export class Occurrences {
  readonly #seen = new RecentMap<string, number>(REMEMBERED)

  /** Counts one more occurrence; returns 0 the first time. */
  next(key: string): number {
    const count = this.#seen.get(key) ?? 0
    this.#seen.set(key, count + 1)
    return count
  }
}

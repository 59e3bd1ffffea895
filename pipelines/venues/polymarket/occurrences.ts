import { RecentMap } from '../../../primitives/recent-map.ts'

const REMEMBERED = 50_000

/** Counts how often a key was seen before. It remembers the newest 50,000 keys or more, so that its memory is bounded. */
export class Occurrences {
  readonly #seen = new RecentMap<string, number>(REMEMBERED)

  /** 0 the first time, 1 the second ... */
  next(key: string): number {
    const count = this.#seen.get(key) ?? 0
    this.#seen.set(key, count + 1)
    return count
  }
}

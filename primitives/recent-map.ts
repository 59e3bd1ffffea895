/**
 * A map of bounded memory: at least the `size` entries that were set last, at most twice as many. Two maps take turns, because to
 * take the oldest entry out of one costs the more the more were taken: a Map walks over the holes that they leave.
 */
export class RecentMap<K, V> {
  readonly #size: number
  #young = new Map<K, V>()
  #old: ReadonlyMap<K, V> = new Map()

  constructor(size: number) {
    this.#size = size
  }

  get(key: K): V | undefined {
    return this.#young.get(key) ?? this.#old.get(key)
  }

  set(key: K, value: V): void {
    if (this.#young.size >= this.#size && !this.#young.has(key)) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(key, value)
  }
}

/**
 * Map of bounded size: it holds at least the `size` entries set last, at most twice as many. Two maps take turns, because
 * deleting the oldest entry of one Map gets slower with every deletion: a Map walks over the holes left behind.
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

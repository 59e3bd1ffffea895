import type { Micros } from '../../primitives/instants.ts'

type Entry<T> = { readonly due_at: Micros; readonly rank: number; readonly item: T; place: number }

/**
 * Binary heap of items by the instant they are due, next first; an item is in it once. Of equal instants the lower rank comes first,
 * so that a replay has the same order. Items that no longer apply are removed at once: a batch never has to skip many.
 */
export class DueQueue<T> {
  readonly #heap: Entry<T>[] = []
  readonly #entries = new Map<T, Entry<T>>()

  /** Next due instant; null: the queue is empty. */
  get next_at(): Micros | null {
    return this.#heap[0]?.due_at ?? null
  }

  get size(): number {
    return this.#heap.length
  }

  /** Adds an item, in place of its earlier entry. */
  add(due_at: Micros, rank: number, item: T): void {
    this.remove(item)
    const entry = { due_at, rank, item, place: this.#heap.length }
    this.#heap.push(entry)
    this.#entries.set(item, entry)
    this.#rise(entry)
  }

  /** Removes an item, if it is in the queue. */
  remove(item: T): void {
    const entry = this.#entries.get(item)
    if (entry === undefined) return
    this.#entries.delete(item)
    const last = this.#heap.pop()!
    if (last === entry) return
    this.#put(last, entry.place)
    this.#rise(last)
    this.#sink(last)
  }

  /** Removes and returns the next item due at or before `now`; null: none is. */
  takeDue(now: Micros): T | null {
    const first = this.#heap[0]
    if (first === undefined || first.due_at > now) return null
    this.remove(first.item)
    return first.item
  }

  #put(entry: Entry<T>, place: number): void {
    this.#heap[place] = entry
    entry.place = place
  }

  #rise(entry: Entry<T>): void {
    for (;;) {
      const { place } = entry
      const above = this.#heap[(place - 1) >> 1]
      if (place === 0 || above === undefined || !isBefore(entry, above)) return
      this.#put(entry, above.place)
      this.#put(above, place)
    }
  }

  #sink(entry: Entry<T>): void {
    const heap = this.#heap
    for (;;) {
      const { place } = entry
      const [left, right] = [heap[2 * place + 1], heap[2 * place + 2]]
      const below = right !== undefined && isBefore(right, left!) ? right : left
      if (below === undefined || !isBefore(below, entry)) return
      this.#put(entry, below.place)
      this.#put(below, place)
    }
  }
}

function isBefore<T>(a: Entry<T>, b: Entry<T>): boolean {
  return a.due_at < b.due_at || (a.due_at === b.due_at && a.rank < b.rank)
}

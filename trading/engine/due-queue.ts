import type { Micros } from '../../primitives/instants.ts'

type Entry<T> = { readonly due_at: Micros; readonly rank: number; readonly item: T }

/**
 * Binary heap of items by the instant they are due, next first. The taker skips items that no longer apply. Of equal instants the
 * lower rank comes first, so that a replay has the same order.
 */
export class DueQueue<T> {
  readonly #heap: Entry<T>[] = []

  /** Next due instant; null: the queue is empty. */
  get next_at(): Micros | null {
    return this.#heap[0]?.due_at ?? null
  }

  add(due_at: Micros, rank: number, item: T): void {
    const heap = this.#heap
    heap.push({ due_at, rank, item })
    let place = heap.length - 1
    while (place > 0) {
      const parent = (place - 1) >> 1
      if (!isBefore(heap[place]!, heap[parent]!)) break
      swap(heap, place, parent)
      place = parent
    }
  }

  /** Removes and returns the next item due at or before `now`; null: none is. */
  takeDue(now: Micros): { readonly due_at: Micros; readonly item: T } | null {
    const heap = this.#heap
    const first = heap[0]
    if (first === undefined || first.due_at > now) return null
    const last = heap.pop()!
    if (heap.length > 0) {
      heap[0] = last
      this.#sink()
    }
    return first
  }

  #sink(): void {
    const heap = this.#heap
    for (let place = 0; ; ) {
      const [left, right] = [2 * place + 1, 2 * place + 2]
      let next = place
      if (left < heap.length && isBefore(heap[left]!, heap[next]!)) next = left
      if (right < heap.length && isBefore(heap[right]!, heap[next]!)) next = right
      if (next === place) return
      swap(heap, place, next)
      place = next
    }
  }
}

function isBefore<T>(a: Entry<T>, b: Entry<T>): boolean {
  return a.due_at < b.due_at || (a.due_at === b.due_at && a.rank < b.rank)
}

function swap<T>(heap: Entry<T>[], a: number, b: number): void {
  const kept = heap[a]!
  heap[a] = heap[b]!
  heap[b] = kept
}

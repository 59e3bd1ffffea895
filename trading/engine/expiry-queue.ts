import type { Micros } from '../../primitives/instants.ts'
import type { Order } from '../order/order.ts'

/** Orders that expire, the next one first: a binary heap. Orders that ended otherwise are passed over when their time comes. */
export class ExpiryQueue {
  readonly #heap: Order[] = []

  add(order: Order): void {
    const heap = this.#heap
    heap.push(order)
    let place = heap.length - 1
    while (place > 0) {
      const parent = (place - 1) >> 1
      if (!isBefore(heap[place]!, heap[parent]!)) break
      swap(heap, place, parent)
      place = parent
    }
  }

  /** Takes out the next order that expires at or before `now`; null where there is none. */
  takeDue(now: Micros): Order | null {
    const heap = this.#heap
    const first = heap[0]
    if (first === undefined || first.expires_at! > now) return null
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

/** Of equal instants the older order goes first, so that a replay expires them in the same order. */
function isBefore(a: Order, b: Order): boolean {
  return a.expires_at! < b.expires_at! || (a.expires_at === b.expires_at && a.accepted_sequence < b.accepted_sequence)
}

function swap(heap: Order[], a: number, b: number): void {
  const kept = heap[a]!
  heap[a] = heap[b]!
  heap[b] = kept
}

import { MICROS_PER_SECOND, type Micros } from '../../primitives/instants.ts'

const MICROS_PER_MINUTE = 60 * MICROS_PER_SECOND

/**
 * Last item of each key and UTC minute of `source_at` in a stream. Last is the greatest source_at; of
 * equal instants, the one that arrived later.
 *
 * A minute of a key ends with the first item of a later minute. Items of an ended minute are dropped, so that
 * each minute has at most one item; minutes without an item have none.
 */
export class LastOfMinute<T extends { readonly source_at: Micros }> {
  readonly #open = new Map<string, { last: T }>()

  /** Adds an item; returns the last one of the key's minute that it ends. */
  add(key: string, item: T): T | null {
    const open = this.#open.get(key)
    if (open === undefined) {
      this.#open.set(key, { last: item })
      return null
    }
    const { last } = open
    if (item.source_at < last.source_at) return null
    open.last = item
    return minuteOf(last) === minuteOf(item) ? null : last
  }

  /** Ends a key without further items; returns the last one of its open minute. */
  end(key: string): T | null {
    const open = this.#open.get(key)
    this.#open.delete(key)
    return open?.last ?? null
  }

  /** Ends a key whose last item is about an instant; returns that item. */
  endAt(key: string, at: Micros): T | null {
    return this.#open.get(key)?.last.source_at === at ? this.end(key) : null
  }

  /** Ends a key whose open minute was over at an instant; returns the last one of that minute. */
  endBefore(key: string, at: Micros): T | null {
    const open = this.#open.get(key)
    return open !== undefined && minuteOf(open.last) < minuteOf({ source_at: at }) ? this.end(key) : null
  }

  /** Ends all keys, in order of first appearance. */
  finish(): T[] {
    const open = [...this.#open.values()].map(({ last }) => last)
    this.#open.clear()
    return open
  }
}

function minuteOf({ source_at }: { readonly source_at: Micros }): number {
  return Math.floor(source_at / MICROS_PER_MINUTE)
}

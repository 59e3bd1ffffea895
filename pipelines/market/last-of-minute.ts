import { MICROS_PER_SECOND, type Micros } from '../../primitives/instants.ts'

const MICROS_PER_MINUTE = 60 * MICROS_PER_SECOND

/**
 * Last item of each key and UTC minute of `source_at` in a stream. Last is the greatest source_at; of
 * equal instants, the one that arrived later.
 *
 * A minute of a key ends with the first item of a later minute, or when `endOver` finds that it has been over for a minute. Items
 * older than the last one are dropped, so that each minute has one item; it has another one if an item arrives more than a minute
 * late. Minutes without an item have none.
 */
export class LastOfMinute<T extends { readonly source_at: Micros }> {
  /** `is_ended`: the minute of the last item has ended; the item is kept for its instant. */
  readonly #open = new Map<string, { last: T; is_ended: boolean }>()
  #looked_at = Number.NEGATIVE_INFINITY

  /** Adds an item; returns the last one of the key's minute that it ends. */
  add(key: string, item: T): T | null {
    const open = this.#open.get(key)
    if (open === undefined) {
      this.#open.set(key, { last: item, is_ended: false })
      return null
    }
    const { last, is_ended } = open
    if (item.source_at < last.source_at) return null
    open.last = item
    open.is_ended = false
    return is_ended || minuteOf(last) === minuteOf(item) ? null : last
  }

  /** Ends a key without further items; returns the last one of its open minute. */
  end(key: string): T | null {
    const open = this.#open.get(key)
    this.#open.delete(key)
    return open === undefined || open.is_ended ? null : open.last
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
    const open = [...this.#open.values()].filter(({ is_ended }) => !is_ended).map(({ last }) => last)
    this.#open.clear()
    return open
  }

  /**
   * Ends the open minutes that were over a whole minute before the minute of an instant, so that the last state of a key that has
   * gone quiet is not held back. Looks once a minute. The stream alone decides what it returns, not how it is cut.
   * @param at receipt of the item that comes next
   */
  endOver(at: Micros): T[] {
    const minute = minuteOf({ source_at: at })
    if (minute <= this.#looked_at) return []
    this.#looked_at = minute
    const ended: T[] = []
    for (const open of this.#open.values()) {
      if (open.is_ended || minuteOf(open.last) >= minute - 1) continue
      open.is_ended = true
      ended.push(open.last)
    }
    return ended
  }
}

function minuteOf({ source_at }: { readonly source_at: Micros }): number {
  return Math.floor(source_at / MICROS_PER_MINUTE)
}

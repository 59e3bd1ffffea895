import type { Micros } from '../../../primitives/instants.ts'
import { wallClock } from '../../../primitives/wall-clock.ts'

const SECOND = 1_000_000
/** A Date names the second in which it was made, and servers make it anew once a second: it is up to two seconds old. */
const DATE_SPAN = 2 * SECOND

/** Bounds of the store's clock minus ours, in microseconds. */
type Ahead = { readonly min: number; readonly max: number }

/**
 * Clock of an object store, as its answers show it (the Date header). The clock of this machine is used as long as it agrees with them,
 * and moved into the interval that they allow when it does not. A Date that contradicts the earlier ones counts once a later second of
 * the store confirms it: a store that stood still answers with the Date from before.
 */
export class StoreClock {
  readonly #wall: () => Micros
  #ahead: Ahead = { min: Number.NEGATIVE_INFINITY, max: Number.POSITIVE_INFINITY }
  #doubted: (Ahead & { readonly second: Micros }) | null = null

  constructor(wall: () => Micros = wallClock) {
    this.#wall = wall
  }

  now(): Micros {
    return this.#wall() + Math.min(Math.max(0, Math.ceil(this.#ahead.min)), Math.floor(this.#ahead.max))
  }

  /** Takes notice of an answer. @param date its Date header @param sent_at our clock when the request was sent */
  observe(date: string, sent_at: Micros): void {
    const second = Date.parse(date) * 1000
    if (Number.isNaN(second)) return
    const seen = { min: second - this.#wall(), max: second + DATE_SPAN - sent_at }
    const doubted = this.#doubted
    const confirms = doubted !== null && doubted.second < second && agree(doubted, seen)
    if (agree(this.#ahead, seen)) {
      this.#ahead = both(this.#ahead, seen)
      this.#doubted = null
    } else if (confirms) {
      this.#ahead = both(doubted, seen)
      this.#doubted = null
    } else if (doubted?.second !== second) {
      this.#doubted = { ...seen, second }
    }
  }
}

function agree(one: Ahead, other: Ahead): boolean {
  return one.min <= other.max && other.min <= one.max
}

function both(one: Ahead, other: Ahead): Ahead {
  return { min: Math.max(one.min, other.min), max: Math.min(one.max, other.max) }
}

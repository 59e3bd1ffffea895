import type { Micros } from '../../../primitives/instants.ts'
import { wallClock } from '../../../primitives/wall-clock.ts'

const SECOND = 1_000_000

/**
 * Clock of an object store, as its answers show it: each states its second (the Date header). The clock of this machine is used as long
 * as it agrees with them, and moved into the interval that they allow when it does not.
 */
export class StoreClock {
  readonly #wall: () => Micros
  /** Bounds of the store's clock minus ours. */
  #ahead_min = Number.NEGATIVE_INFINITY
  #ahead_max = Number.POSITIVE_INFINITY

  constructor(wall: () => Micros = wallClock) {
    this.#wall = wall
  }

  now(): Micros {
    return this.#wall() + Math.min(Math.max(0, Math.ceil(this.#ahead_min)), Math.floor(this.#ahead_max))
  }

  /** Takes notice of an answer. @param date its Date header @param sent_at our clock when the request was sent */
  observe(date: string, sent_at: Micros): void {
    const second = Date.parse(date) * 1000
    if (Number.isNaN(second)) return
    const min = second - this.#wall()
    const max = second + SECOND - sent_at
    const agrees = min <= this.#ahead_max && max >= this.#ahead_min
    this.#ahead_min = agrees ? Math.max(min, this.#ahead_min) : min
    this.#ahead_max = agrees ? Math.min(max, this.#ahead_max) : max
  }
}

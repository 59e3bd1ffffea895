/** Bounded number of pieces of work at the same time; those that wait have their turn in the order of their arrival. */
export class Turns {
  readonly #max: number
  readonly #waiting: (() => void)[] = []
  #taken = 0

  constructor(max: number) {
    this.#max = max
  }

  get taken(): number {
    return this.#taken
  }

  /** Runs work when it is its turn. */
  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.#taken >= this.#max) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    else this.#taken += 1
    try {
      return await work()
    } finally {
      // The turn passes to whoever waits longest.
      const next = this.#waiting.shift()
      if (next === undefined) this.#taken -= 1
      else next()
    }
  }
}

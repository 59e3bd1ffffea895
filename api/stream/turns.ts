/** Longest time for which messages and snapshots hold the event loop in one turn, in milliseconds. */
const TURN_MS = 10

/** Part of a job that holds the event loop while `hasTime`, but makes some progress in any case. Returns whether the job has ended. */
type Step = () => boolean

/**
 * Work of all connections for their clients, in turns of the event loop. A job begins at once if the turn has time for it. Otherwise it
 * waits in the order of arrival, and goes to the end after each step: neither a large snapshot nor many connections that ask at once
 * keep other work of the process waiting.
 */
export class Turns {
  readonly #jobs: Step[] = []
  /** End of this turn's time; null: nothing was done in this turn. */
  #until_ms: number | null = null

  /** Whether the job that runs may take another step in this turn. */
  hasTime(): boolean {
    return this.#until_ms !== null && performance.now() < this.#until_ms
  }

  run(job: Step): void {
    if (this.#until_ms === null) this.#begin()
    if (this.#jobs.length > 0 || !this.hasTime() || !job()) this.#jobs.push(job)
  }

  #begin(): void {
    this.#until_ms = performance.now() + TURN_MS
    setImmediate(() => this.#next())
  }

  #next(): void {
    this.#until_ms = null
    if (this.#jobs.length === 0) return
    this.#begin()
    while (this.#jobs.length > 0 && this.hasTime()) {
      const job = this.#jobs.shift()!
      if (!job()) this.#jobs.push(job)
    }
  }
}

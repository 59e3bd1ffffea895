import { FairQueue } from './fair-queue.ts'

export type TurnLimits = {
  readonly waiting_max: number
  readonly waiting_of_caller_max: number
  /** Most that run at once, for the estimate of a wait. */
  readonly at_once_max: number
  readonly of_caller_at_once_max: number
}

/** Weight of the newest run in the average of run times. */
const NEWEST = 0.1

/**
 * Decides whose turn is next, who may wait, and how long a wait would take. Callers take turns; one that waits with few takes the
 * place of the newest entry of the caller that waits with most. Its owner keeps the clock and starts what is due.
 */
export class FairTurns<T extends { readonly caller: string }> {
  readonly #waiting = new FairQueue<T>()
  readonly #running = new Map<string, number>()
  readonly #limits: TurnLimits
  readonly #unbounded: string | null
  #average_ms = 0

  /** @param unbounded  a caller that may run as many at once as there is room for; null: there is none */
  constructor(limits: TurnLimits, unbounded: string | null = null) {
    this.#limits = limits
    this.#unbounded = unbounded
  }

  get waiting(): number {
    return this.#waiting.size
  }

  /** Entries of the caller that waits with most. */
  get longest(): number {
    return this.#waiting.longest
  }

  get running(): number {
    return [...this.#running.values()].reduce((sum, count) => sum + count, 0)
  }

  waitingOf(caller: string): number {
    return this.#waiting.lengthOf(caller)
  }

  /**
   * Adds an entry, unless its caller ('caller') or all callers ('queue') wait with as many as they may.
   * @param drop  takes the entry whose place this one takes
   */
  add(entry: T, drop: (dropped: T) => void): 'added' | 'caller' | 'queue' {
    const { caller } = entry
    if (this.waitingOf(caller) >= this.#limits.waiting_of_caller_max) return 'caller'
    if (this.waiting >= this.#limits.waiting_max) {
      const dropped = this.#waiting.dropFor(caller)
      if (dropped === undefined) return 'queue'
      drop(dropped)
    }
    this.#waiting.push(caller, entry)
    return 'added'
  }

  /** Takes an entry out that has waited for too long. */
  withdraw(entry: T): void {
    this.#waiting.remove(entry.caller, entry)
  }

  /** Takes the entry that is to run next and counts it as running; undefined: none may. */
  next(): T | undefined {
    const entry = this.#waiting.shift((caller) => caller === this.#unbounded || this.#mayRun(caller))
    if (entry !== undefined) this.#running.set(entry.caller, this.#runningOf(entry.caller) + 1)
    return entry
  }

  /** Counts the end of a run that took so long. */
  ended({ caller }: T, run_ms: number): void {
    this.#average_ms += NEWEST * (run_ms - this.#average_ms)
    const left = this.#runningOf(caller) - 1
    if (left === 0) this.#running.delete(caller)
    else this.#running.set(caller, left)
  }

  /** Takes out all that wait. */
  empty(): T[] {
    const entries: T[] = []
    for (let entry = this.#waiting.shift(() => true); entry !== undefined; entry = this.#waiting.shift(() => true))
      entries.push(entry)
    return entries
  }

  /** Time until as many have run as wait, in milliseconds, 1 at least. */
  get wait_ms(): number {
    return this.#waitOf(this.waiting, this.#limits.at_once_max)
  }

  /** Time until as many of the caller have run as wait, in milliseconds, 1 at least. */
  waitOfCaller_ms(caller: string): number {
    return this.#waitOf(this.waitingOf(caller), this.#limits.of_caller_at_once_max)
  }

  #waitOf(entries: number, lanes: number): number {
    return Math.max(1, Math.ceil((entries * this.#average_ms) / Math.max(1, lanes)))
  }

  #mayRun(caller: string): boolean {
    return this.#runningOf(caller) < this.#limits.of_caller_at_once_max
  }

  #runningOf(caller: string): number {
    return this.#running.get(caller) ?? 0
  }
}

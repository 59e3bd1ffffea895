import { type ErrorFacts, ServiceError } from '../../primitives/errors.ts'
import type { Answer, Submission } from '../engine/submission.ts'
import { GATHER_RULE, Gathering, type GatherRule } from './gathering.ts'

/** A submission that waits for its answer. */
export type Ticket = {
  readonly submission: Submission
  /** When it came, by performance.now(). */
  readonly came_ms: number
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: ServiceError) => void
}

/** When a refused caller should come again. */
const RETRY_AFTER_MS = 250

/** Submissions that wait for the next batch: bounded, so that a slow disk is told to callers and not to the memory. */
export class SubmissionQueue {
  readonly #capacity: number
  readonly #rule: GatherRule
  readonly #gathering: Gathering
  #tickets: Ticket[] = []
  #wake: () => void = () => undefined
  /** From so many on whoever waits is woken. */
  #awaited = 1

  constructor(capacity: number, rule: GatherRule = GATHER_RULE) {
    this.#capacity = capacity
    this.#rule = rule
    this.#gathering = new Gathering(rule)
  }

  get length(): number {
    return this.#tickets.length
  }

  /** @throws {ServiceError} SERVICE_UNAVAILABLE: as many wait as may */
  add(submission: Submission): Promise<Answer> {
    if (this.#tickets.length >= this.#capacity) {
      return Promise.reject(unavailable(`${this.#capacity} submissions wait already`))
    }
    const came_ms = performance.now()
    this.#gathering.arrived(came_ms)
    return new Promise((resolve, reject) => {
      this.#tickets.push({ submission, came_ms, resolve, reject })
      if (this.#tickets.length >= this.#awaited) this.#wake()
    })
  }

  /** The next ones, oldest first; nothing where none waits. */
  take(count: number): readonly Ticket[] {
    if (count >= this.#tickets.length) {
      const taken = this.#tickets
      this.#tickets = []
      return taken
    }
    return this.#tickets.splice(0, count)
  }

  /** A moment in which more come into the next batch, where many come; `wake` ends it. */
  async gather(): Promise<void> {
    const waiting = this.#tickets.length
    if (waiting === 0) return
    const wait_ms = this.#gathering.waitMs(waiting, this.#tickets[0]!.came_ms, performance.now())
    if (wait_ms === 0) return
    await this.wait(wait_ms, this.#rule.enough)
    this.#gathering.waited(this.#tickets.length - waiting)
  }

  /** Until `count` wait, or the time is over, or `wake`. */
  async wait(wait_ms: number, count = 1): Promise<void> {
    if (this.#tickets.length >= count) return
    this.#awaited = count
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, wait_ms)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    this.#wake = () => undefined
  }

  wake(): void {
    this.#wake()
  }

  /** Answers all that wait: nothing of them happened. */
  refuseAll(refusal: ServiceError): void {
    for (const { reject } of this.take(this.#tickets.length)) reject(refusal)
  }
}

/** The refusal of what was not taken; `phase` among the facts: another engine may take it. */
export function unavailable(reason: string, facts: ErrorFacts = {}, cause?: unknown): ServiceError {
  const all = { retry_after_ms: String(RETRY_AFTER_MS), ...facts }
  return new ServiceError('SERVICE_UNAVAILABLE', `the trading engine takes nothing now: ${reason}`, all, cause)
}

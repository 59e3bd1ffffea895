import { type ErrorFacts, ServiceError } from '../../primitives/errors.ts'
import type { Answer, Submission } from '../engine/submission.ts'
import { GATHER_RULE, Gathering, type GatherRule } from './gathering.ts'

/** A submission waiting for its answer. */
export type Ticket = {
  readonly submission: Submission
  /** Arrival, by performance.now(). */
  readonly arrived_at_ms: number
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: ServiceError) => void
}

/** Delay after which a refused caller should retry. */
const RETRY_AFTER_MS = 250

/** Submissions waiting for the next batch: bounded, so that callers notice a slow disk before memory does. */
export class SubmissionQueue {
  readonly #capacity: number
  readonly #rule: GatherRule
  readonly #gathering: Gathering
  #tickets: Ticket[] = []
  #refused = 0
  #wake: () => void = () => undefined
  /** Number of submissions that ends a wait. */
  #awaited = 1

  constructor(capacity: number, rule: GatherRule = GATHER_RULE) {
    this.#capacity = capacity
    this.#rule = rule
    this.#gathering = new Gathering(rule)
  }

  get length(): number {
    return this.#tickets.length
  }

  /** Submissions refused because the queue was full. */
  get refused(): number {
    return this.#refused
  }

  /** Adds a submission. @throws {ServiceError} SERVICE_UNAVAILABLE: the queue is full */
  add(submission: Submission): Promise<Answer> {
    if (this.#tickets.length >= this.#capacity) {
      this.#refused += 1
      return Promise.reject(unavailable(`${this.#capacity} submissions wait already`))
    }
    const arrived_at_ms = performance.now()
    this.#gathering.arrived(arrived_at_ms)
    return new Promise((resolve, reject) => {
      this.#tickets.push({ submission, arrived_at_ms, resolve, reject })
      if (this.#tickets.length >= this.#awaited) this.#wake()
    })
  }

  /** Removes and returns the next submissions, oldest first. */
  take(count: number): readonly Ticket[] {
    if (count >= this.#tickets.length) {
      const taken = this.#tickets
      this.#tickets = []
      return taken
    }
    return this.#tickets.splice(0, count)
  }

  /** Waits a moment while more submissions join the next batch; `wake` ends it. */
  async gather(): Promise<void> {
    const waiting = this.#tickets.length
    if (waiting === 0) return
    const wait_ms = this.#gathering.waitMs(waiting, this.#tickets[0]!.arrived_at_ms, performance.now())
    if (wait_ms === 0) return
    await this.wait(wait_ms, this.#rule.enough)
    this.#gathering.delayed(this.#tickets.length - waiting)
  }

  /** Waits until `count` submissions wait, the time is over, or `wake`. */
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

  /** Answers all waiting submissions with an error; they had no effect. */
  refuseAll(refusal: ServiceError): void {
    for (const { reject } of this.take(this.#tickets.length)) reject(refusal)
  }
}

/** Builds the refusal of a submission that was not accepted; its facts name the `phase`, because another engine may accept it. */
export function unavailable(reason: string, facts: ErrorFacts = {}, cause?: unknown): ServiceError {
  const all = { retry_after_ms: String(RETRY_AFTER_MS), ...facts }
  return new ServiceError('SERVICE_UNAVAILABLE', `the trading engine takes nothing now: ${reason}`, all, cause)
}

import { type ErrorFacts, ServiceError } from '../../primitives/errors.ts'
import type { Answer, Submission } from '../engine/submission.ts'

/** A submission that waits for its answer. */
export type Ticket = {
  readonly submission: Submission
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: ServiceError) => void
}

/** When a refused caller should come again. */
const RETRY_AFTER_MS = 250

/** Submissions that wait for the next batch: bounded, so that a slow disk is told to callers and not to the memory. */
export class SubmissionQueue {
  readonly #capacity: number
  #tickets: Ticket[] = []
  #wake: () => void = () => undefined

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  get length(): number {
    return this.#tickets.length
  }

  /** @throws {ServiceError} SERVICE_UNAVAILABLE: as many wait as may */
  add(submission: Submission): Promise<Answer> {
    if (this.#tickets.length >= this.#capacity) {
      return Promise.reject(unavailable(`${this.#capacity} submissions wait already`))
    }
    return new Promise((resolve, reject) => {
      this.#tickets.push({ submission, resolve, reject })
      this.#wake()
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

  /** Until something waits, or the time is over, or `wake`. */
  async wait(wait_ms: number): Promise<void> {
    if (this.#tickets.length > 0) return
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

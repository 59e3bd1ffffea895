import {
  ActivityCancellationType,
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  defineQuery,
  defineUpdate,
  proxyActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow'
import { type ReviewPhase, type ReviewStanding, reviewPhase } from '../pipelines/review/review-phase.ts'
import type { SignedAct } from '../pipelines/review/signed-act.ts'
import type { Activities, ReviewedAct, ReviewSubjectName } from './activities/activity-types.ts'
import { RETRY } from './retry.ts'
import { ACTIVITY_QUEUES } from './task-queues.ts'

const { readReview, performReviewAct, expireOverrides } = proxyActivities<Activities>({
  taskQueue: ACTIVITY_QUEUES.compute,
  startToCloseTimeout: '5m',
  // A person waits for an act, so a killed worker must be noticed soon.
  heartbeatTimeout: '10s',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: RETRY,
})

export type ReviewArgs = {
  readonly subject: ReviewSubjectName
  readonly chain_id: string
  /** Acts of the runs before this one. */
  readonly acts: number
  /** Acts of a run, which then continues in a new history. */
  readonly acts_per_run?: number
}

export type ReviewView = ReviewPhase & { readonly standing: ReviewStanding | null; readonly acts: number }

/** Performs an act signed by its actor. Acts are performed in sequence; a rejection is returned to its actor only. */
const actUpdate = defineUpdate<ReviewedAct, [SignedAct]>('act')
/** State of the assessment at the last step. */
const reviewQuery = defineQuery<ReviewView>('review')

const ACTS_PER_RUN = 100
/** Longest delay until an act performed without Temporal is noticed, in milliseconds. */
const LOOK_AGAIN_MS = 60 * 60_000
/** Shortest wait: a timer may fire slightly before the instant it was set for, and is then set again. */
const WAIT_MS_MIN = 1_000

/**
 * Reviews one assessment from its proposal, or its dispute, to its end: performs the acts of people, and acts by the clock: an
 * approved record takes effect, an override ends and the model's record is restored.
 *
 * Workflow id `review/<market_rating or severity_assessment>/<chain_id>`. All its state is in the warehouse: a worker killed at any
 * step leaves the same records, and a new run resumes.
 */
export async function review(args: ReviewArgs): Promise<ReviewView> {
  const course = new Course(args)
  setHandler(actUpdate, (signed) => course.act(signed))
  setHandler(reviewQuery, () => course.view())
  try {
    while (await course.step()) if (course.isLong()) return await course.goOn()
    return course.view()
  } finally {
    await CancellationScope.nonCancellable(() => condition(allHandlersFinished))
  }
}

/** One run of a review. */
class Course {
  readonly #args: ReviewArgs
  #standing: ReviewStanding | null = null
  #acts = 0
  #under_way = 0
  #changed = false
  #last: Promise<unknown> = Promise.resolve()

  constructor(args: ReviewArgs) {
    this.#args = args
  }

  /** Performs an act after the earlier ones have settled. An act that has begun is completed even if the review is cancelled. */
  async act(signed: SignedAct): Promise<ReviewedAct> {
    const { subject, chain_id } = this.#args
    const perform = () => performReviewAct({ subject, chain_id, signed })
    const mine = this.#last.then(() => CancellationScope.nonCancellable(perform))
    this.#last = mine.catch(() => undefined)
    this.#under_way += 1
    try {
      const done = await mine
      this.#standing = done.standing
      return done
    } finally {
      this.#acts += 1
      this.#under_way -= 1
      this.#changed = true
    }
  }

  /** Reads the assessment's state, does what is due, and waits for the next change. @returns false: the review is over */
  async step(): Promise<boolean> {
    const { subject, chain_id } = this.#args
    this.#changed = false
    this.#standing = await readReview({ subject, chain_id })
    const { phase, until } = this.#phase()
    if (phase === 'expiring') {
      const { expired } = await expireOverrides({ subject })
      // Another process was first, or the warehouse's clock is behind.
      if (expired === 0) await condition(() => this.#changed, WAIT_MS_MIN)
      return true
    }
    if (phase === 'over') {
      await condition(() => this.#under_way === 0)
      return this.#changed
    }
    const wait_ms = until === null ? LOOK_AGAIN_MS : Math.min(LOOK_AGAIN_MS, until / 1_000 - Date.now())
    await condition(() => this.#changed, Math.max(WAIT_MS_MIN, Math.ceil(wait_ms)))
    return true
  }

  isLong(): boolean {
    return this.#acts >= (this.#args.acts_per_run ?? ACTS_PER_RUN) || workflowInfo().continueAsNewSuggested
  }

  async goOn(): Promise<never> {
    await condition(allHandlersFinished)
    return continueAsNew<typeof review>({ ...this.#args, acts: this.#args.acts + this.#acts })
  }

  view(): ReviewView {
    return { ...this.#phase(), standing: this.#standing, acts: this.#args.acts + this.#acts }
  }

  #phase(): ReviewPhase {
    return reviewPhase(this.#standing, Date.now() * 1_000)
  }
}

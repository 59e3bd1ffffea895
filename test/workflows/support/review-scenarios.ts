import type { ReviewStanding } from '../../../pipelines/review/review-phase.ts'
import { formatMicros, MICROS_PER_SECOND } from '../../../primitives/instants.ts'
import { wallClock } from '../../../primitives/wall-clock.ts'
import { seededRandom } from '../../support/random.ts'
import { bad, outage, type Scenario, type Script, type Step } from './scenarios.ts'

/** State of a review chain; instants are seconds relative to the request. */
type Stand = {
  readonly state: ReviewStanding['review_state']
  /** Start of effect; by default an hour ago. */
  readonly from_s?: number
  /** End of an override; left out for other kinds. */
  readonly ends_s?: number
}

function standing({ state, from_s = -3600, ends_s }: Stand): ReviewStanding {
  const at = (seconds: number) => formatMicros(wallClock() + seconds * MICROS_PER_SECOND)
  return {
    record_id: 'rat_example',
    revision: 1,
    review_state: state,
    effective_from: at(from_s),
    expires_at: ends_s === undefined ? null : at(ends_s),
  }
}

type After = Stand | 'refused'

/**
 * A review whose chain stands as `first` says, and after each act as that says; the end of its override is recorded once. Each
 * activity first fails as often as is said.
 */
function course(first: Stand, acts: readonly After[] = [], failures = 0): Script {
  let now: ReviewStanding | null = null
  let done = 0
  const stands = () => {
    now ??= standing(first)
    return now
  }
  const after = (attempt: number, does: () => Step): Step => (attempt <= failures ? { fails: outage() } : does())
  return {
    readReview: (attempt) => after(attempt, () => ({ gives: stands() })),
    performReviewAct: (attempt) =>
      after(attempt, () => {
        const next = acts[done]!
        done += 1
        if (next === 'refused') return { fails: bad() }
        now = standing(next)
        return { gives: { act_id: 'act_example', record_ids: ['rat_example'], standing: now } }
      }),
    expireOverrides: (attempt) =>
      after(attempt, () => {
        now = { ...stands(), review_state: 'superseded' }
        return { gives: { expired: 1 } }
      }),
  }
}

const review = { workflow: 'review', queue: 'bulk' } as const
const args = (more: object = {}) => ({ subject: 'market_rating', chain_id: 'rch_example', acts: 0, ...more })

const WAITS = { state: 'under_review' } as const
const DISPUTED = { state: 'disputed' } as const
const GONE = { state: 'withdrawn' } as const
const RUNS = { state: 'approved', ends_s: 2 } as const
const ENDED = { state: 'approved', ends_s: -1 } as const
const LATER = { state: 'approved', from_s: 2 } as const

/** One course of a review, to whose chain the acts are sent one after the other. */
function reviewed(name: string, script: Script, acts = 0, more: object = {}): Scenario {
  return { ...review, name, args: args(more), script, acts }
}

const ends: Script = { readReview: () => ({ gives: standing(ENDED) }), expireOverrides: () => 'until cancelled' }

/** Courses of a review: with acts that are performed or refused, timers that come in time or late, and over several histories. */
export const REVIEWS: readonly Scenario[] = [
  reviewed('override that ends', course(WAITS, [RUNS]), 1),
  reviewed('retried', course(WAITS, [RUNS], 2), 1),
  reviewed('late timer', course(ENDED)),
  reviewed('refused', course(WAITS, ['refused', GONE]), 2),
  reviewed('dispute upheld', course({ state: 'approved' }, [DISPUTED, { state: 'superseded' }]), 2),
  reviewed('in several histories', course(WAITS, [WAITS, DISPUTED, GONE]), 3, { acts_per_run: 1 }),
  reviewed('scheduled', course(LATER)),
  reviewed('over at once', course(GONE)),
  reviewed('failed', { readReview: () => ({ fails: bad() }) }),
  { ...reviewed('cancelled', ends), cancels: true },
]

const expired = { expired: 1 }
const assessed = (waiting: readonly string[]) => ({ events: 3, published: waiting.length, waiting })
const indexes = { indexes: 1, published: 1 }
const scheduled_at = '2026-01-01T00:00:00Z'

/** Runs of the program: `assess` also begins the reviews of what waits for a person. */
function runs(name: string, more: Pick<Scenario, 'cancels'>, script: (value: unknown) => (attempt: number) => Step) {
  const chains = [`ach_${name.replaceAll(' ', '_')}`]
  return [
    {
      workflow: 'assess',
      queue: 'bulk' as const,
      name,
      args: { scheduled_at },
      starts: chains.map((chain) => `review/severity_assessment/${chain}`),
      script: {
        assessEvents: script(assessed(chains)),
        publishSeverityIndexes: gives(indexes),
        ...course(GONE),
      },
      ...more,
    },
    {
      workflow: 'expire',
      queue: 'bulk' as const,
      name,
      args: {},
      script: { expireOverrides: script(expired) },
      ...more,
    },
    {
      workflow: 'govern',
      queue: 'bulk' as const,
      name,
      args: {},
      script: { advanceGovernance: dueOnce(script) },
      ...more,
    },
    {
      workflow: 'rate',
      queue: 'bulk' as const,
      name,
      args: { scheduled_at },
      script: { rateMarkets: script({ markets: 3, published: 2 }) },
      ...more,
    },
  ]
}

/** Something becomes due a second after the first look, and nothing after that. */
function dueOnce(script: (value: unknown) => (attempt: number) => Step): (attempt: number) => Step {
  let done = 0
  return (attempt) => {
    const step = script(null)(attempt)
    if (typeof step === 'string' || !('gives' in step)) return step
    done += 1
    const in_a_second = formatMicros(wallClock() + MICROS_PER_SECOND)
    return { gives: { performed: 1, next_at: done === 1 ? in_a_second : null } }
  }
}

const gives = (value: unknown) => () => ({ gives: value })

/** Ordinary, retried, finally failed and cancelled runs of the program. */
export const RUNS_OF_THE_PROGRAM: readonly Scenario[] = [
  ...runs('ordinary', {}, gives),
  ...runs('retried', {}, (value) => (attempt) => (attempt < 3 ? { fails: outage() } : { gives: value })),
  ...runs('failed', {}, () => () => ({ fails: bad() })),
  ...runs('cancelled', { cancels: true }, () => () => 'until cancelled'),
]

const VARIED = 24

/** Reviews and runs with faults that a seed chooses. */
export function variedReviews(seed: number): Scenario[] {
  const random = seededRandom(seed)
  return Array.from({ length: VARIED }, (_, n) => n).flatMap((n) => [variedReview(n, random), ...variedRuns(n, random)])
}

function variedReview(n: number, random: () => number): Scenario {
  if (n % 6 === 5) return { ...reviewed(`varied ${n}`, ends), cancels: true }
  const passing = Array.from({ length: Math.floor(random() * 4) }, (): After => {
    if (random() < 0.3) return 'refused'
    return random() < 0.5 ? WAITS : DISPUTED
  })
  const last = [GONE, ENDED, RUNS, LATER][Math.floor(random() * 4)]!
  const more = n % 3 === 0 ? { acts_per_run: 1 + Math.floor(random() * 2) } : {}
  const script = course(WAITS, [...passing, last], Math.floor(random() * 3))
  return reviewed(`varied ${n}`, script, passing.length + 1, more)
}

function variedRuns(n: number, random: () => number): Scenario[] {
  const failures = Math.floor(random() * 4)
  const ends = n % 5
  if (ends === 4) return runs(`varied ${n}`, { cancels: true }, () => () => 'until cancelled')
  return runs(`varied ${n}`, {}, (value) => (attempt) => {
    if (attempt <= failures) return { fails: outage() }
    return ends === 3 ? { fails: bad() } : { gives: value }
  })
}

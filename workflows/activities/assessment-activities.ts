import { publishDecisions } from '../../operations/eligibility/publish-decisions.ts'
import { advanceGovernance } from '../../operations/governance/advance-governance.ts'
import { publishNotices } from '../../operations/notices/publish-notices.ts'
import { scoringOfHome } from '../../operations/rating/load-scoring.ts'
import { runRatings } from '../../operations/rating/run-ratings.ts'
import { performSignedAct } from '../../operations/review/perform-signed-act.ts'
import { actingRoster } from '../../operations/review/read-roster.ts'
import { readStanding } from '../../operations/review/read-standing.ts'
import { expireOverrides } from '../../operations/review/review.ts'
import { REVIEW_SUBJECTS } from '../../operations/review/review-subjects.ts'
import { runRebalances } from '../../operations/selection/run-rebalances.ts'
import { publishSeverityIndexes } from '../../operations/severity/publish-severity-indexes.ts'
import { runSeverity } from '../../operations/severity/run-severity.ts'
import { recordIdOf } from '../../pipelines/review/subject.ts'
import { formatMicros } from '../../primitives/instants.ts'
import type { Activities, ReviewActArgs } from './activity-types.ts'
import { watched } from './watched.ts'
import type { WorkerPorts } from './worker-ports.ts'

type AssessmentActivities = Pick<
  Activities,
  | 'rateMarkets'
  | 'assessEvents'
  | 'publishSeverityIndexes'
  | 'expireOverrides'
  | 'advanceGovernance'
  | 'readReview'
  | 'performReviewAct'
>

/** Creates the activities of committees: runs of the model, and the review of their records. */
export function assessmentActivities(ports: WorkerPorts): AssessmentActivities {
  const { warehouse, home } = ports
  return {
    rateMarkets: ({ at }) =>
      watched(async ({ signal }) => {
        const { markets, published } = await runRatings({
          at,
          clock: 'wall',
          files: scoringOfHome(home),
          warehouse,
          signal,
        })
        // Decisions follow from ratings, so they are made anew after each run.
        await publishDecisions(warehouse, signal)
        return { markets, published }
      }),
    assessEvents: ({ at }) =>
      watched(async () => {
        const { events, published, waiting } = await runSeverity({ at, clock: 'wall', warehouse })
        return { events, published, waiting }
      }),
    publishSeverityIndexes: ({ at }) => watched(({ signal }) => publishSeverityIndexes({ at, warehouse, signal })),
    expireOverrides: ({ subject }) =>
      watched(async () => {
        const done = await expireOverrides(REVIEW_SUBJECTS[subject], { warehouse, at: null })
        return { expired: done.length }
      }),
    advanceGovernance: () =>
      watched(async ({ signal }) => {
        const { performed, next_at } = await advanceGovernance(warehouse, signal)
        await runRebalances(warehouse, signal)
        await publishNotices(warehouse, signal)
        return { performed, next_at: next_at === null ? null : formatMicros(next_at) }
      }),
    readReview: ({ subject, chain_id }) => watched(() => readStanding(warehouse, REVIEW_SUBJECTS[subject], chain_id)),
    performReviewAct: (args) => watched(() => perform(args, ports)),
  }
}

/** Performs an act; this home's roster decides who may act. */
async function perform({ subject: name, chain_id, signed }: ReviewActArgs, { warehouse, home }: WorkerPorts) {
  const subject = REVIEW_SUBJECTS[name]
  const roster = await actingRoster(warehouse, home, null)
  const { act_id, records } = await performSignedAct(
    subject,
    { warehouse, roster, facts: scoringOfHome(home).facts },
    signed,
  )
  const standing = await readStanding(warehouse, subject, chain_id)
  return { act_id, record_ids: records.map((row) => recordIdOf(subject, row)), standing }
}

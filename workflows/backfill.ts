import {
  ApplicationFailure,
  CancellationScope,
  continueAsNew,
  defineQuery,
  isCancellation,
  setHandler,
} from '@temporalio/workflow'
import { type BackfillArgs, type BackfillReport, Course } from './backfill-course.ts'
import { partProgress } from './backfill-signal.ts'

/** Progress of a backfill; answered while it runs and after it has ended. */
const progressQuery = defineQuery<BackfillReport>('progress')

/**
 * Fills the past of a venue, or the missing levels of an index: plans, runs a child workflow for some days of each market, and
 * continues in a new history after some hundreds of them.
 *
 * Workflow id `backfill/<backfill_id>`: the same request joins a running backfill, and resumes one that was cancelled, failed or terminated: chunks
 * that the workers' journal notes as done are counted, and not done again.
 * When cancelled, it waits for the chunks in progress. Query `progress` returns its progress.
 * @throws {ApplicationFailure} BACKFILL_INCOMPLETE: chunks with bad data were skipped
 */
export async function backfill(args: BackfillArgs): Promise<BackfillReport> {
  const course = new Course(args)
  setHandler(progressQuery, () => course.report())
  setHandler(partProgress, (progress) => course.hear(progress))
  let parts_left: boolean
  try {
    await course.begin()
    parts_left = await course.run()
  } catch (error) {
    const state = isCancellation(error) ? 'cancelled' : 'failed'
    await CancellationScope.nonCancellable(() => course.record(state))
    throw error
  }
  await course.settled()
  if (parts_left) return continueAsNew<typeof backfill>({ ...args, state: course.carried() })
  await course.record(course.isWhole() ? 'done' : 'failed')
  if (course.isWhole()) return course.report()
  throw ApplicationFailure.nonRetryable(course.complaint(), 'BACKFILL_INCOMPLETE', course.report())
}

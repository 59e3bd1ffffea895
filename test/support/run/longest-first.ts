import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { ROOT } from '../source-files.ts'

/**
 * Files that take longest, most of it waiting: they start first, so that none of them is left over when all others are done.
 * `.ci/run` prints the slowest files at its end.
 */
export const LONGEST = [
  'test/service/one-home/one-home.test.ts',
  'test/workflows/backfill-through-temporal.test.ts',
  'test/console/faults.test.ts',
  'test/cli/sample.test.ts',
  'test/docs/readme.test.ts',
  'test/api/acceptance/reproduce.test.ts',
  'test/client/doctor/planted-faults.test.ts',
  'test/console/page.test.ts',
  'test/api/records/ratings.test.ts',
  'test/console/trading-view.test.ts',
  'test/operations/replay/replay-oracle.test.ts',
  'test/api/acceptance/as-of.test.ts',
  'test/api/agreement/ids.test.ts',
  'test/workflows/commands.test.ts',
  'test/workflows/review.test.ts',
  'test/client/everything/verify-everything.test.ts',
  'test/console/governance-view.test.ts',
  'test/operations/import/import-recorded.test.ts',
  'test/workflows/continued-backfill.test.ts',
  'test/console/assessments-view.test.ts',
  'test/operations/live/commit-rounds.test.ts',
]

/**
 * Starts one project after the other, in each LONGEST first and then the other files as Vitest orders them. A process that files share
 * ends when the next file of the queue belongs to another project, and with it goes what it has imported.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}

/** Projects of vitest.config.ts in the order in which they start. */
const PROJECTS = ['alone', 'sharing']

function rank({ moduleId, project }: TestSpecification): number {
  const found = LONGEST.indexOf(relative(ROOT, moduleId))
  return PROJECTS.indexOf(project.name) * (LONGEST.length + 1) + (found < 0 ? LONGEST.length : found)
}

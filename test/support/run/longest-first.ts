import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { ROOT } from '../source-files.ts'

/**
 * Files that take longest, most of it waiting: they start first, so that none of them is left over when all others are done.
 * `.ci/run` prints the slowest files at its end.
 */
const LONGEST = [
  'test/cli/up-live.test.ts',
  'test/console/faults.test.ts',
  'test/workflows/review-kill.test.ts',
  'test/workflows/backfill-kill.test.ts',
  'test/workflows/settlement.test.ts',
  'test/cli/trading/served.test.ts',
  'test/cli/sample.test.ts',
  'test/operations/import-forecastbench.test.ts',
  'test/docs/readme.test.ts',
  'test/tools/reliability/rel-kill.test.ts',
  'test/tools/reliability/rel-day.test.ts',
  'test/operations/replay-oracle.test.ts',
]

/** Starts LONGEST first and the other files as Vitest orders them. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const found = LONGEST.indexOf(relative(ROOT, moduleId))
      return found < 0 ? LONGEST.length : found
    }
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b))
  }
}

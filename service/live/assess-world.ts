import { scoringOfHome } from '../../operations/rating/load-scoring.ts'
import { runRatings } from '../../operations/rating/run-ratings.ts'
import { publishSeverityIndexes } from '../../operations/severity/publish-severity-indexes.ts'
import { runSeverity } from '../../operations/severity/run-severity.ts'
import { formatMicros } from '../../primitives/instants.ts'
import { actAsCommittee, type CommitteePorts } from '../committee/act-as-committee.ts'

export type AssessOptions = CommitteePorts & {
  /** Whether the sandbox committee acts on the records. */
  readonly with_committee: boolean
}

/**
 * Rates the markets and assesses the events of a world, then lets the sandbox committee act. Existing assessments are not repeated;
 * later ones follow on schedule.
 */
export async function assessWorld(options: AssessOptions): Promise<void> {
  const { home, warehouse, signal, with_committee } = options
  const at = formatMicros(await warehouse.now())
  await runSeverity({ at, clock: 'wall', warehouse })
  await runRatings({ at, clock: 'wall', files: scoringOfHome(home), warehouse, signal })
  if (with_committee) await actAsCommittee({ home, warehouse, signal })
  await publishSeverityIndexes({ at: formatMicros(await warehouse.now()), warehouse, signal })
}

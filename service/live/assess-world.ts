import { scoringOfHome } from '../../operations/rating/load-scoring.ts'
import { runRatings } from '../../operations/rating/run-ratings.ts'
import { publishSeverityIndexes } from '../../operations/severity/publish-severity-indexes.ts'
import { runSeverity } from '../../operations/severity/run-severity.ts'
import { formatMicros } from '../../primitives/instants.ts'
import { actAsCommittee, type CommitteePorts } from '../committee/act-as-committee.ts'

export type AssessOptions = CommitteePorts & {
  /** Whether invented members of a committee act on its records: of a sandbox. */
  readonly with_committee: boolean
}

/**
 * What a committee's program says now of the markets and events of a world, and in a sandbox its members after it. What has been
 * said before is not said again; from then on it goes on with the clock.
 */
export async function assessWorld(options: AssessOptions): Promise<void> {
  const { home, warehouse, signal, with_committee } = options
  const at = formatMicros(await warehouse.now())
  await runSeverity({ at, clock: 'wall', warehouse })
  await runRatings({ at, clock: 'wall', files: scoringOfHome(home), warehouse, signal })
  if (with_committee) await actAsCommittee({ home, warehouse, signal })
  await publishSeverityIndexes({ at: formatMicros(await warehouse.now()), warehouse, signal })
}

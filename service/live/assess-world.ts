import { openPauses } from '../../operations/pause/pauses.ts'
import { scoringOfHome } from '../../operations/rating/load-scoring.ts'
import { runRatings } from '../../operations/rating/run-ratings.ts'
import { publishSeverityIndexes } from '../../operations/severity/publish-severity-indexes.ts'
import { runSeverity } from '../../operations/severity/run-severity.ts'
import { formatMicros } from '../../primitives/instants.ts'
import { SCHEDULE_IDS } from '../../vocabulary/schedules.ts'
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
  const pauses = openPauses(warehouse)
  const isPaused = async (schedule_id: string) => (await pauses.of(schedule_id)) !== null
  if (!(await isPaused(SCHEDULE_IDS.assess))) await runSeverity({ at, clock: 'wall', warehouse })
  if (!(await isPaused(SCHEDULE_IDS.rate)))
    await runRatings({ at, clock: 'wall', files: scoringOfHome(home), warehouse, signal })
  if (with_committee) await actAsCommittee({ home, warehouse, signal })
  if (await isPaused(SCHEDULE_IDS.assess)) return
  await publishSeverityIndexes({ at: formatMicros(await warehouse.now()), warehouse, signal })
}

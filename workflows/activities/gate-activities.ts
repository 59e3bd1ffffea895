import { requireUnpaused } from '../../operations/pause/pauses.ts'
import { SCHEDULE_IDS } from '../../vocabulary/schedules.ts'
import type { Activities, CompactArgs } from './activity-types.ts'
import { watched } from './watched.ts'
import type { WorkerPorts } from './worker-ports.ts'

type Gated = { readonly [name in keyof Activities]?: string | ((args: never) => string) }

/**
 * Schedule whose pause holds an activity. Publication and ingest ask for themselves, because the scheduler of a process runs them
 * too; attempts that are under way on a rail are followed to their end.
 */
const SCHEDULE_OF: Gated = {
  awaitSettlementWork: SCHEDULE_IDS.settle,
  awaitWindow: SCHEDULE_IDS.settle,
  settleBatch: SCHEDULE_IDS.settle,
  settleWindows: SCHEDULE_IDS.settle,
  resolutionStep: SCHEDULE_IDS.settle,
  ownVenueSession: SCHEDULE_IDS.own_venue,
  tellMarks: SCHEDULE_IDS.tell_marks,
  listMarkets: SCHEDULE_IDS.list_markets,
  rateMarkets: SCHEDULE_IDS.rate,
  assessEvents: SCHEDULE_IDS.assess,
  publishSeverityIndexes: SCHEDULE_IDS.assess,
  expireOverrides: SCHEDULE_IDS.expire,
  advanceGovernance: SCHEDULE_IDS.govern,
  compactTables: ({ whole }: CompactArgs) => (whole ? SCHEDULE_IDS.compact : SCHEDULE_IDS.merge_files),
  sealTables: SCHEDULE_IDS.seal,
  recordDigests: SCHEDULE_IDS.digests,
  vacuumTables: SCHEDULE_IDS.vacuum,
}

/** Makes activities wait while their schedule is paused: an attempt fails with SCHEDULE_PAUSED and is repeated later. */
export function gateActivities(activities: Activities, { pauses }: Pick<WorkerPorts, 'pauses'>): Activities {
  const gated = Object.entries(activities).map(([name, work]) => {
    const of = SCHEDULE_OF[name as keyof Activities]
    if (of === undefined) return [name, work]
    const held = async (args: never) => {
      await watched(() => requireUnpaused(pauses, [typeof of === 'string' ? of : of(args)]))
      return (work as (args: never) => Promise<unknown>)(args)
    }
    return [name, held]
  })
  return Object.fromEntries(gated) as Activities
}

import type { Activities } from './activity-types.ts'
import { assessmentActivities } from './assessment-activities.ts'
import { backfillActivities } from './backfill-activities.ts'
import { gateActivities } from './gate-activities.ts'
import { liveActivities } from './live-activities.ts'
import { ownVenueActivities } from './own-venue-activities.ts'
import { replayActivities } from './replay-activities.ts'
import { settlementActivities } from './settlement-activities.ts'
import { upkeepActivities } from './upkeep-activities.ts'
import type { WorkerPorts } from './worker-ports.ts'

/** Creates all activities of a worker. Those of a paused schedule wait. */
export function createActivities(ports: WorkerPorts): Activities {
  const activities = {
    ...liveActivities(ports),
    ...backfillActivities(ports),
    ...replayActivities(ports),
    ...upkeepActivities(ports),
    ...settlementActivities(ports),
    ...ownVenueActivities(ports),
    ...assessmentActivities(ports),
  }
  return gateActivities(activities, ports)
}

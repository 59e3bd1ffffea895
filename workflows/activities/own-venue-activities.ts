import type { OwnVenueWork } from '../../operations/own-venue/own-venue-work.ts'
import { holdWhilePaused } from '../../operations/pause/hold-while-paused.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { SCHEDULE_IDS } from '../../vocabulary/schedules.ts'
import type { Activities } from './activity-types.ts'
import { watched } from './watched.ts'
import type { Watch, WorkerPorts } from './worker-ports.ts'

type OwnVenueActivities = Pick<Activities, 'ownVenueSession' | 'tellMarks' | 'listMarkets'>

/** Creates the activities of our own exchange: its data, marks and listings. */
export function ownVenueActivities({ own_venue, pauses }: WorkerPorts): OwnVenueActivities {
  const on = <T>(work: (venue: OwnVenueWork, watch: Watch) => Promise<T>): Promise<T> =>
    watched(async (watch) => {
      if (own_venue === null) {
        throw new ServiceError('SERVICE_UNAVAILABLE', 'this worker has no trading database (DATABASE_URL)')
      }
      const done = await work(own_venue, watch)
      watch.signal.throwIfAborted()
      return done
    })
  return {
    ownVenueSession: (args) =>
      on(async (venue, { signal, heartbeat }) => {
        const on_pause = { pauses, schedule_id: SCHEDULE_IDS.own_venue, signal }
        const report = await holdWhilePaused(on_pause, (unpaused) =>
          venue.session(args, { signal: unpaused, heartbeat }),
        )
        return report ?? { records_new: 0, last_source_at: null, cursor: 0 }
      }),
    tellMarks: () => on((venue) => venue.tellMarks()),
    listMarkets: () => on((venue) => venue.listMarkets()),
  }
}

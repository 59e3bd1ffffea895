import type { OwnVenueWork } from '../../operations/own-venue/own-venue-work.ts'
import { ServiceError } from '../../primitives/errors.ts'
import type { Activities } from './activity-types.ts'
import { watched } from './watched.ts'
import type { Watch, WorkerPorts } from './worker-ports.ts'

type OwnVenueActivities = Pick<Activities, 'ownVenueSession' | 'tellMarks' | 'listMarkets'>

/** Creates the activities of our own exchange: its data, marks and listings. */
export function ownVenueActivities({ own_venue }: WorkerPorts): OwnVenueActivities {
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
    ownVenueSession: (args) => on((venue, watch) => venue.session(args, watch)),
    tellMarks: () => on((venue) => venue.tellMarks()),
    listMarkets: () => on((venue) => venue.listMarkets()),
  }
}

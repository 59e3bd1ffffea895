import { isLiveVenue } from '../connectors/venues/open-connector.ts'
import type { VenueConnector } from '../connectors/venues/venue-connector.ts'
import type { BackfillSubject } from '../operations/backfill/backfill-subject.ts'
import { runBackfill } from '../operations/backfill/run-backfill.ts'
import type { BackfillReport, BackfillRunPorts } from '../operations/backfill/run-types.ts'
import { invariant } from '../primitives/errors.ts'
import type { LiveVenue } from '../vocabulary/venue.ts'

export type InProcessPorts = Omit<BackfillRunPorts, 'connectorOf'> & {
  readonly connect: (venue_id: LiveVenue) => VenueConnector
}

/** Runs a backfill in this process with one connection per venue, closed at the end. */
export async function backfillInProcess(subject: BackfillSubject, ports: InProcessPorts): Promise<BackfillReport> {
  const { connect, ...rest } = ports
  const opened = new Map<string, VenueConnector>()
  const connectorOf = (venue_id: string): VenueConnector => {
    const known = opened.get(venue_id)
    if (known !== undefined) return known
    invariant(isLiveVenue(venue_id), `backfill: ${venue_id} has no connector`)
    const connector = connect(venue_id)
    opened.set(venue_id, connector)
    return connector
  }
  try {
    return await runBackfill(subject, { ...rest, connectorOf })
  } finally {
    await Promise.all([...opened.values()].map((connector) => connector.close()))
  }
}

import { toMicros } from '../../../primitives/instants.ts'
import type { RecordedPayload } from '../../../simulator/files/payload.ts'
import { recordVenue } from '../../../simulator/files/record-venue.ts'
import { createSimulatedVenue, type SimulatedVenue } from '../../../simulator/simulated-venue.ts'
import { emptyTally, tally } from '../../../simulator/truth/trade-tally.ts'
import type { VenueTruth } from '../../../simulator/truth/truth.ts'
import type { VenueId, WorldOptions } from '../../../simulator/world/options.ts'
import { planWorld } from '../../../simulator/world/plan.ts'

export const SECOND = 1_000_000
export const MINUTE = 60 * SECOND
export const START = toMicros('2026-01-01T00:00:00Z')

/** One day of twelve markets, each visited every half minute: enough for every fate that an event can have. */
export const SMALL: WorldOptions = { seed: 'small', start: START, days: 1, markets: 12, interval: 30 * SECOND }

/** A venue at the begin of a small world. */
export function smallVenue(venue_id: VenueId, changes: Partial<WorldOptions> = {}): SimulatedVenue {
  return createSimulatedVenue(planWorld({ ...SMALL, ...changes }), venue_id)
}

/** Everything that a recorder of a small world gets, and what really happened. */
export function recordSmall(
  venue_id: VenueId,
  changes: Partial<WorldOptions> = {},
): { readonly payloads: readonly RecordedPayload[]; readonly truth: VenueTruth; readonly venue: SimulatedVenue } {
  const venue = smallVenue(venue_id, changes)
  const trades = emptyTally()
  const payloads = [...recordVenue(venue.world, venue.wire, (batch) => tally(trades, batch))]
  return { payloads, truth: venue.truth(trades), venue }
}

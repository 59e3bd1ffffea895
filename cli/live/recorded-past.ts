import { type PayloadItem, payloadItem } from '../../connectors/archives/payloads/payload-item.ts'
import type { Micros } from '../../primitives/instants.ts'
import { recordVenue } from '../../simulator/files/record-venue.ts'
import { createSimulatedVenue } from '../../simulator/simulated-venue.ts'
import { VENUES, type WorldOptions } from '../../simulator/world/options.ts'
import { planWorld } from '../../simulator/world/plan.ts'

/**
 * What a recorder of the venues would have received from the begin of a world to an instant, in the order of receipt.
 * All of it is in memory: meant for an hour.
 * @param until exclusive
 */
export async function* recordedPast(options: WorldOptions, until: Micros): AsyncGenerator<PayloadItem> {
  const plan = planWorld(options)
  const received = VENUES.flatMap((venue_id) => {
    const { world, wire } = createSimulatedVenue(plan, venue_id)
    const payloads = []
    for (const payload of recordVenue(world, wire)) {
      if (payload.received_at >= until) break
      payloads.push(payload)
    }
    return payloads
  })
  received.sort((a, b) => a.received_at - b.received_at)
  for (const { body: text, ...payload } of received) {
    yield payloadItem(() => ({ ...payload, text }), `simulated ${payload.venue_id}`, until)
  }
}

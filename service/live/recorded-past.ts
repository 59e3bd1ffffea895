import { type PayloadItem, payloadItem } from '../../connectors/archives/payloads/payload-item.ts'
import { GDACS_ENDPOINTS } from '../../pipelines/venues/gdacs/endpoints.ts'
import { USGS_ENDPOINTS } from '../../pipelines/venues/usgs/endpoints.ts'
import { MICROS_PER_DAY, MICROS_PER_SECOND, type Micros } from '../../primitives/instants.ts'
import { recordVenue } from '../../simulator/files/record-venue.ts'
import { gdacsFeed } from '../../simulator/hazards/gdacs-feed.ts'
import { notableHazards } from '../../simulator/hazards/notable-hazards.ts'
import { usgsFeed } from '../../simulator/hazards/usgs-feed.ts'
import { createSimulatedVenue } from '../../simulator/simulated-venue.ts'
import { VENUES, type WorldOptions } from '../../simulator/world/options.ts'
import { planWorld } from '../../simulator/world/plan.ts'

/**
 * Generates the payloads that a recorder would have received from the start of a world to an instant, in order of receipt.
 * Keeps all of them in memory, so it is meant for about an hour.
 * @param until exclusive
 */
export async function* recordedPast(options: WorldOptions, until: Micros): AsyncGenerator<PayloadItem> {
  const plan = planWorld(options)
  const received: Received[] = VENUES.flatMap((venue_id) => {
    const { world, wire } = createSimulatedVenue(plan, venue_id)
    const payloads = []
    for (const payload of recordVenue(world, wire)) {
      if (payload.received_at >= until) break
      payloads.push(payload)
    }
    return payloads
  })
  received.push(...hazardsReceived(options, until))
  received.sort((a, b) => a.received_at - b.received_at)
  for (const { body: text, ...payload } of received) {
    yield payloadItem(() => ({ ...payload, text }), `simulated ${payload.venue_id}`, until)
  }
}

type Received = {
  readonly venue_id: string
  readonly endpoint: string
  readonly request: string | null
  readonly received_at: Micros
  readonly body: string
}

/** Interval between reads of both hazard feeds. */
const HAZARDS_EVERY: Micros = 20 * 60 * MICROS_PER_SECOND

/** Returns the payloads of the hazard feeds, which the served feeds continue. */
function hazardsReceived({ seed, start, days }: WorldOptions, until: Micros): Received[] {
  const hazards = notableHazards(seed, start, start + days * MICROS_PER_DAY)
  const received: Received[] = []
  for (let received_at = start; received_at < until; received_at += HAZARDS_EVERY) {
    const of = (venue_id: string, endpoint: string, body: string) => ({
      venue_id,
      endpoint,
      request: null,
      received_at,
      body,
    })
    received.push(of('usgs', USGS_ENDPOINTS.summary, usgsFeed(hazards, received_at)))
    received.push(of('gdacs', GDACS_ENDPOINTS.rss, gdacsFeed(hazards, received_at)))
  }
  return received
}

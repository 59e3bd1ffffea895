import { createGdacsConnector, createUsgsConnector } from '../../connectors/venues/hazard-feeds.ts'
import { createKalshiConnector } from '../../connectors/venues/kalshi/kalshi-connector.ts'
import { createManifoldConnector } from '../../connectors/venues/manifold/manifold-connector.ts'
import { createPolymarketConnector } from '../../connectors/venues/polymarket/polymarket-connector.ts'
import type { ConnectorOptions, VenueConnector } from '../../connectors/venues/venue-connector.ts'
import { MICROS_PER_DAY, type Micros } from '../../primitives/instants.ts'
import { notableHazards } from '../../simulator/hazards/notable-hazards.ts'
import { serveHazards } from '../../simulator/hazards/serve-hazards.ts'
import { createSimulatedClock } from '../../simulator/server/simulated-clock.ts'
import { type SimulatorServer, startSimulatorServer } from '../../simulator/server/start-simulator-server.ts'
import { createSimulatedVenue } from '../../simulator/simulated-venue.ts'
import { VENUES, type VenueId, type WorldOptions } from '../../simulator/world/options.ts'
import { planWorld } from '../../simulator/world/plan.ts'
import { HAZARD_VENUES } from '../../vocabulary/venue.ts'
import { followClock } from './follow-clock.ts'

/** Venues of a world and the hazard feeds. */
export const SERVED_VENUES = [...VENUES, 'usgs', 'gdacs'] as const
export type ServedVenue = (typeof SERVED_VENUES)[number]

/** Venues of a world, served on loopback in real time. */
export type ServedWorld = {
  /** Opens the connector of the real venue with another address. */
  connect(venue_id: ServedVenue): VenueConnector
  /** Address of each venue. */
  readonly base_urls: Readonly<Record<ServedVenue, string>>
  close(): Promise<void>
}

/**
 * Serves a world in real time: advances from its start to now at once, then with the clock of this machine.
 * @param now    microseconds since 1970
 * @param signal ends the catching up
 */
export async function serveWorld(options: WorldOptions, now: () => Micros, signal: AbortSignal): Promise<ServedWorld> {
  const clock = createSimulatedClock(options.start)
  const plan = planWorld(options)
  const end = options.start + options.days * MICROS_PER_DAY
  const hazards = await serveHazards(notableHazards(options.seed, options.start, end), now)
  const servers = new Map<VenueId, SimulatorServer>()
  let stop = () => {}
  const close = async () => {
    stop()
    await Promise.all([hazards, ...servers.values()].map((server) => server.close()))
  }
  try {
    for (const venue_id of VENUES) {
      servers.set(venue_id, await startSimulatorServer({ venue: createSimulatedVenue(plan, venue_id), clock }))
    }
    stop = await followClock(clock, now, signal)
  } catch (error) {
    await close()
    throw error
  }
  const urls = new Map<ServedVenue, string>([...servers].map(([venue_id, { base_url }]) => [venue_id, base_url]))
  for (const feed of HAZARD_VENUES) urls.set(feed, hazards.base_url)
  return {
    connect(venue_id) {
      if (venue_id === 'usgs') return createUsgsConnector({ now }, hazards.base_url)
      if (venue_id === 'gdacs') return createGdacsConnector({ now }, hazards.base_url)
      return connectorOf(venue_id, servers.get(venue_id)!, { now })
    },
    base_urls: Object.fromEntries(urls) as Record<ServedVenue, string>,
    close,
  }
}

function connectorOf(venue_id: VenueId, server: SimulatorServer, options: ConnectorOptions): VenueConnector {
  const { base_url, stream_url } = server
  switch (venue_id) {
    case 'polymarket':
      return createPolymarketConnector(options, { gamma: base_url, clob: base_url, data: base_url, stream: stream_url })
    case 'kalshi':
      return createKalshiConnector(options, { rest: `${base_url}/trade-api/v2`, stream: stream_url })
    case 'manifold':
      return createManifoldConnector(options, { rest: base_url, stream: stream_url })
  }
}

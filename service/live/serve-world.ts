import { createGdacsConnector, createUsgsConnector } from '../../connectors/venues/hazard-feeds.ts'
import { createKalshiConnector } from '../../connectors/venues/kalshi/kalshi-connector.ts'
import { createManifoldConnector } from '../../connectors/venues/manifold/manifold-connector.ts'
import { createPolymarketConnector } from '../../connectors/venues/polymarket/polymarket-connector.ts'
import type { ConnectorOptions, VenueConnector } from '../../connectors/venues/venue-connector.ts'
import { MICROS_PER_DAY, type Micros } from '../../primitives/instants.ts'
import { notableHazards } from '../../simulator/hazards/notable-hazards.ts'
import { type HazardServer, serveHazards } from '../../simulator/hazards/serve-hazards.ts'
import { OPERATOR_PATH } from '../../simulator/server/answer-operator.ts'
import { createRuledFaults, type FaultVenue } from '../../simulator/server/fault-rules.ts'
import { createSimulatedClock } from '../../simulator/server/simulated-clock.ts'
import { type SimulatorServer, startSimulatorServer } from '../../simulator/server/start-simulator-server.ts'
import { createSimulatedVenue } from '../../simulator/simulated-venue.ts'
import { VENUES, type VenueId, type WorldOptions } from '../../simulator/world/options.ts'
import { planWorld } from '../../simulator/world/plan.ts'
import { HAZARD_VENUES, type HazardVenue } from '../../vocabulary/venue.ts'
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
  /** Address at which faults of each venue are read and replaced, for rehearsals. */
  readonly fault_urls: Readonly<Record<ServedVenue, string>>
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
  const rulesOf = (venue_id: FaultVenue) => createRuledFaults({ venue_id, rules: [], seed: options.seed })
  const hazards = notableHazards(options.seed, options.start, end)
  const feeds = new Map<HazardVenue, HazardServer>()
  const servers = new Map<VenueId, SimulatorServer>()
  let stop = () => {}
  const close = async () => {
    stop()
    await Promise.all([...feeds.values(), ...servers.values()].map((server) => server.close()))
  }
  try {
    for (const feed of HAZARD_VENUES) feeds.set(feed, await serveHazards(hazards, now, rulesOf(feed)))
    for (const venue_id of VENUES) {
      const venue = createSimulatedVenue(plan, venue_id)
      servers.set(venue_id, await startSimulatorServer({ venue, clock, rules: rulesOf(venue_id) }))
    }
    stop = await followClock(clock, now, signal)
  } catch (error) {
    await close()
    throw error
  }
  const urls = new Map<ServedVenue, string>([...servers, ...feeds].map(([id, { base_url }]) => [id, base_url]))
  return {
    connect(venue_id) {
      if (venue_id === 'usgs') return createUsgsConnector({ now }, feeds.get(venue_id)!.base_url)
      if (venue_id === 'gdacs') return createGdacsConnector({ now }, feeds.get(venue_id)!.base_url)
      return connectorOf(venue_id, servers.get(venue_id)!, { now })
    },
    base_urls: Object.fromEntries(urls) as Record<ServedVenue, string>,
    fault_urls: Object.fromEntries([...urls].map(([venue_id, url]) => [venue_id, `${url}${OPERATOR_PATH}`])) as Record<
      ServedVenue,
      string
    >,
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

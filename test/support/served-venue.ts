import { openConnector } from '../../connectors/venues/open-connector.ts'
import type { ConnectorOptions, VenueConnector } from '../../connectors/venues/venue-connector.ts'
import type { Micros } from '../../primitives/instants.ts'
import { createSimulatedClock, type SimulatedClock } from '../../simulator/server/simulated-clock.ts'
import { startSimulatorServer } from '../../simulator/server/start-simulator-server.ts'
import { createSimulatedVenue, type SimulatedVenue } from '../../simulator/simulated-venue.ts'
import type { VenueId, VenuePast, WorldOptions } from '../../simulator/world/options.ts'
import { planWorld } from '../../simulator/world/plan.ts'
import { type ScriptedFaults, scriptedFaults } from './scripted-faults.ts'

/** A simulated venue that is served over HTTP and websocket, with a clock of its own. */
export type ServedVenue = {
  readonly venue: SimulatedVenue
  readonly clock: SimulatedClock
  readonly faults: ScriptedFaults
  readonly base_url: string
  /** Ends the server, as an outage does; its world goes on when it is served again, at the same address. */
  interrupt(): Promise<{ resume(): Promise<void> }>
  /** A connector as for the real venue; only the address differs. */
  connect(options?: Partial<ConnectorOptions>): VenueConnector
  close(): Promise<void>
}

const QUICK = { attempts_max: 3, backoff_first_ms: 1, backoff_max_ms: 5, breaker_failures: 1_000_000 } as const

/** Serves a venue of a world as it is at an instant. Its rate limits are left out: its clock may stand still. */
export async function serveVenue(
  venue_id: VenueId,
  options: WorldOptions,
  at: Micros = options.start,
  past: VenuePast = {},
): Promise<ServedVenue> {
  const venue = createSimulatedVenue(planWorld(options), venue_id, past)
  const clock = createSimulatedClock(options.start)
  const faults = scriptedFaults()
  let server = await startSimulatorServer({ venue, clock, faults, limits: [] })
  const { base_url } = server
  clock.advanceTo(at)
  return {
    venue,
    clock,
    faults,
    base_url,
    interrupt: async () => {
      await server.close()
      const port = Number(new URL(base_url).port)
      return {
        resume: async () => {
          server = await startSimulatorServer({ venue, clock, faults, limits: [], port })
        },
      }
    },
    connect: (changes = {}) => {
      const own = { now: () => clock.now(), limits: [], http: QUICK }
      return openConnector(venue_id, { ...own, ...changes }, base_url)
    },
    close: () => server.close(),
  }
}

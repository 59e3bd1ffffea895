import { ServiceError } from '../primitives/errors.ts'
import { formatMicros, MICROS_PER_DAY, type Micros } from '../primitives/instants.ts'
import { createRuledFaults, type FaultRule } from '../simulator/server/fault-rules.ts'
import { createSimulatedClock } from '../simulator/server/simulated-clock.ts'
import { type SimulatorServer, startSimulatorServer } from '../simulator/server/start-simulator-server.ts'
import { createSimulatedVenue } from '../simulator/simulated-venue.ts'
import { endOf, type VenueId, type WorldOptions } from '../simulator/world/options.ts'
import { planWorld } from '../simulator/world/plan.ts'
import { followClock } from './live/follow-clock.ts'

export type ServeVenuesRequest = {
  readonly options: WorldOptions
  readonly venues: readonly VenueId[]
  /** Port of the first venue; the others have the next ones. 0: any free ones. */
  readonly port: number
  readonly rules: readonly FaultRule[]
  readonly stall_ms?: number
  /** Clock of the venues, in microseconds since 1970. */
  readonly now: () => Micros
  /** Ends the catching up with the clock. */
  readonly signal: AbortSignal
}

export type ServedVenues = {
  readonly venues: readonly (Pick<SimulatorServer, 'base_url' | 'stream_url'> & { readonly venue_id: VenueId })[]
  close(): Promise<void>
}

/**
 * Serves the venues of a world on loopback, each at an address of its own, at the clock's instant and with everything that they traded
 * before it.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: the world is over or has not begun; the error of listening
 */
export async function serveVenues(request: ServeVenuesRequest): Promise<ServedVenues> {
  const { options, venues, port, rules, stall_ms, now, signal } = request
  const plan = planWorld(options)
  requireNow(options, now())
  const clock = createSimulatedClock(options.start)
  const past = { remembers: options.days * MICROS_PER_DAY }
  const servers: SimulatorServer[] = []
  const closeAll = async () => void (await Promise.all(servers.map((server) => server.close())))
  try {
    for (const [ordinal, venue_id] of venues.entries()) {
      const given = { venue_id, rules, seed: options.seed, ...(stall_ms !== undefined && { stall_ms }) }
      const venue = createSimulatedVenue(plan, venue_id, past)
      const ruled = createRuledFaults(given)
      servers.push(await startSimulatorServer({ venue, clock, rules: ruled, port: port === 0 ? 0 : port + ordinal }))
    }
    const stop = await followClock(clock, now, signal)
    return {
      venues: servers.map(({ base_url, stream_url }, ordinal) => {
        return { venue_id: venues[ordinal]!, base_url, stream_url }
      }),
      close: () => {
        stop()
        return closeAll()
      },
    }
  } catch (error) {
    await closeAll()
    throw error
  }
}

function requireNow(options: WorldOptions, now: Micros): void {
  const [from, to] = [options.start, endOf(options)]
  if (from <= now && now < to) return
  const text = `start is ${formatMicros(from)}, a world that ends at ${formatMicros(to)}; allowed: one in which now lies, ${formatMicros(now)}`
  throw new ServiceError('VALIDATION_USAGE_INVALID', text, { field: 'start', value: formatMicros(from) })
}

import { openPauses } from '../../operations/pause/pauses.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { wallClock } from '../../primitives/wall-clock.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { notePauses } from './feed-notes.ts'
import { type LivePortsOptions, openLivePorts } from './live-ports.ts'
import { type LiveWorld, leaveAt, worldOptions } from './live-world.ts'
import { prepareWorld } from './prepare-world.ts'
import { type LiveWorkOptions, runLiveWork } from './run-live-work.ts'
import { SERVED_VENUES, type ServedVenue, type ServedWorld, serveWorld } from './serve-world.ts'

export type LiveOptions = Omit<LiveWorkOptions, 'ports' | 'venues'> &
  Pick<LivePortsOptions, 'follows' | 'on_tick' | 'output' | 'own_venue'> & {
    readonly home: string
    readonly warehouse: Warehouse
    /** The first world if it is prepared already. */
    readonly world: LiveWorld | null
    /** Called when the venues of a world are served; other processes may read them until the signal is aborted. */
    readonly on_served?: (served: ServedWorld, signal: AbortSignal) => Promise<void>
  }

const MINUTE_MS = 60_000

/**
 * Runs simulated worlds in real time until the signal is aborted: serves the venues, reads them with the real connectors, and publishes
 * marks and levels each minute. The next world follows when one is over.
 */
export async function runLive(options: LiveOptions): Promise<void> {
  const { home, warehouse, signal, on_step } = options
  await notePauses(openPauses(warehouse), options.output)
  let prepared = options.world
  while (!signal.aborted) {
    await runWorld(prepared ?? (await prepareWorld({ home, warehouse, signal, on_step })), options)
    prepared = null
  }
}

async function runWorld(world: LiveWorld, options: LiveOptions): Promise<void> {
  const over = new AbortController()
  const timer = setInterval(() => {
    if (wallClock() >= leaveAt(world)) over.abort()
  }, MINUTE_MS)
  const signal = AbortSignal.any([options.signal, over.signal])
  const served = await serveWorld(worldOptions(world), wallClock, signal)
  const ports = openLivePorts({ ...options, connect: (venue_id) => served.connect(simulated(venue_id)) })
  try {
    const beside = options.on_served?.(served, signal)
    await runLiveWork({ ...options, ports, venues: SERVED_VENUES, signal })
    await beside
  } finally {
    clearInterval(timer)
    await ports.close()
    await served.close()
  }
}

/** Narrows a venue id to the simulated ones. */
function simulated(venue_id: string): ServedVenue {
  const found = SERVED_VENUES.find((known) => known === venue_id)
  if (found !== undefined) return found
  throw new ServiceError(
    'VALIDATION_USAGE_INVALID',
    `venue is ${venue_id}; allowed: ${SERVED_VENUES.join(', ')}, the simulated ones`,
    { field: 'venue', value: venue_id },
  )
}

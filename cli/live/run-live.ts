import type { PayloadItem } from '../../connectors/archives/payloads/payload-item.ts'
import { followVenues } from '../../operations/live/follow-venues.ts'
import { openLivePublisher } from '../../operations/live/live-publisher.ts'
import { runPublication } from '../../operations/live/run-publication.ts'
import { runUpkeep } from '../../operations/live/run-upkeep.ts'
import { type FeedReading, venueFeed } from '../../operations/live/venue-feed.ts'
import { MICROS_PER_SECOND, type Micros } from '../../primitives/instants.ts'
import { VENUES, type VenueId } from '../../simulator/world/options.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { type LiveWorld, leaveAt, worldOptions } from './live-world.ts'
import { prepareWorld } from './prepare-world.ts'
import { type ServedWorld, serveWorld } from './serve-world.ts'

export type LiveOptions = {
  readonly home: string
  readonly warehouse: Warehouse
  /** Whether the levels of an index are published as the clock goes on. */
  readonly follows: (index_id: string) => boolean
  /** Ends everything; what has arrived is stored first. */
  readonly signal: AbortSignal
  readonly on_step: (step: string) => void
  readonly on_problem: (error: unknown) => void
  readonly on_tick?: Parameters<typeof runPublication>[0]['on_tick']
}

const MINUTE_MS = 60_000
const MINUTE: Micros = 60 * MICROS_PER_SECOND
/** A commit a table at most so often: how late a quote can be seen. */
const LINGER_MS = 2_000
/** How often small files are looked for. */
const UPKEEP_MS = 10 * MINUTE_MS
const SESSION_MS = 60 * MINUTE_MS
/** What was missed for longer is not asked for again. */
const FIRST_BACK: Micros = 120 * MINUTE

/** Manifold tells bets live, and probabilities only to who asks. */
const READINGS: Readonly<Record<VenueId, readonly FeedReading[]>> = {
  polymarket: [
    { parts: ['markets'], every_ms: 10 * MINUTE_MS, back: 0 },
    { parts: ['trades', 'resolutions'], every_ms: 5 * MINUTE_MS, back: 15 * MINUTE },
  ],
  kalshi: [
    { parts: ['markets'], every_ms: 10 * MINUTE_MS, back: 0 },
    { parts: ['trades'], every_ms: 5 * MINUTE_MS, back: 15 * MINUTE },
  ],
  manifold: [
    { parts: ['markets'], every_ms: 20_000, back: 0 },
    { parts: ['catalogue', 'trades'], every_ms: 10 * MINUTE_MS, back: 15 * MINUTE },
  ],
}

/**
 * A simulated world that goes on with the clock: its venues are served, read by the connectors of the real ones, imported, and
 * marks and levels are published each minute, until the signal is aborted. Another world follows when its time is over.
 */
export async function runLive(options: LiveOptions): Promise<void> {
  const { home, warehouse, signal, on_step } = options
  while (!signal.aborted) {
    const world = await prepareWorld({ home, warehouse, signal, on_step })
    await runWorld(world, options)
  }
}

async function runWorld(world: LiveWorld, options: LiveOptions): Promise<void> {
  const { warehouse, on_problem, on_tick, follows } = options
  const over = new AbortController()
  const timer = setInterval(() => {
    if (now() >= leaveAt(world)) over.abort()
  }, MINUTE_MS)
  const signal = AbortSignal.any([options.signal, over.signal])
  const served = await serveWorld(worldOptions(world), now, signal)
  try {
    const open = (ending: AbortSignal) => VENUES.map((venue_id) => feedOf(venue_id, served, ending, on_problem))
    const publisher = openLivePublisher(warehouse, { follows })
    await Promise.all([
      followVenues({ warehouse, archive: 'payloads', open, signal, linger_ms: LINGER_MS, on_problem }),
      runPublication({ warehouse, publisher, signal, on_problem, ...(on_tick && { on_tick }) }),
      runUpkeep({ warehouse, every_ms: UPKEEP_MS, signal, on_problem }),
    ])
  } finally {
    clearInterval(timer)
    await served.close()
  }
}

function feedOf(
  venue_id: VenueId,
  served: ServedWorld,
  signal: AbortSignal,
  on_problem: (error: unknown) => void,
): AsyncIterable<PayloadItem> {
  return venueFeed({
    connect: () => served.connect(venue_id),
    now,
    first: ['catalogue', 'markets', 'trades', 'resolutions'],
    first_back: FIRST_BACK,
    readings: READINGS[venue_id],
    session_ms: SESSION_MS,
    signal,
    on_problem,
  })
}

function now(): Micros {
  return Date.now() * 1_000
}

import { join } from 'node:path'
import type { PayloadItem } from '../../../connectors/archives/payloads/payload-item.ts'
import { importLive } from '../../../operations/import/import-live.ts'
import { formatMicros, MICROS_PER_DAY, MICROS_PER_SECOND, type Micros } from '../../../primitives/instants.ts'
import { type LiveWorld, worldOptions } from '../../../service/live/live-world.ts'
import { recordedPast } from '../../../service/live/recorded-past.ts'
import { createRuledFaults, parseFaultRule } from '../../../simulator/server/fault-rules.ts'
import { createSimulatedClock } from '../../../simulator/server/simulated-clock.ts'
import { startSimulatorServer } from '../../../simulator/server/start-simulator-server.ts'
import { createSimulatedVenue } from '../../../simulator/simulated-venue.ts'
import { emptyTally } from '../../../simulator/truth/trade-tally.ts'
import { VENUES, type VenueId } from '../../../simulator/world/options.ts'
import { planWorld } from '../../../simulator/world/plan.ts'
import { openWarehouse } from '../../../warehouse/warehouse.ts'
import type { Variables } from './commands.ts'

/** Faults of the drill; the connectors give up a stalled answer after 15 s. */
export const FAULTS = ['429', '500', 'garbage', 'cut', 'shape', 'stall', 'reset'] as const
export type DrillFault = (typeof FAULTS)[number]
const STALL_MS = 16_000
const HOUR = 3_600 * MICROS_PER_SECOND

/** Venues whose past is filled in, at one instant after it. */
export type PastWorld = {
  readonly world: LiveWorld & { readonly base_date: string; readonly effective_from: string }
  /** The day that is filled in. */
  readonly day: { readonly from: string; readonly to: string }
  /** Levels of this range are published. */
  readonly levels: { readonly from: string; readonly to: string }
  /** Imports what a recorder received from the begin of the world to the end of the levels, under the recorded clock. */
  importRecording(home: string): Promise<void>
  /** Addresses, as connectors read them. */
  readonly variables: Variables
  /** Ids of a venue's markets, every seventh from an ordinal on. */
  markets(venue_id: VenueId, fault: DrillFault): readonly string[]
  /** Lets a fault hit a share of all answers; null: none. */
  beset(fault: DrillFault | null, share: number): void
  /** Returns the number of answers that each fault spoiled. */
  hits(): Readonly<Record<DrillFault, number>>
  close(): Promise<void>
}

/**
 * Serves a world of three days that ended before today. Levels are of its first hours, which a recorder received as they happened; what is
 * filled in is of the second day: data that arrives days late does not change levels.
 * @param minutes of levels
 */
export async function servePastWorld(seed: number, minutes: number): Promise<PastWorld> {
  const today = Math.floor((Date.now() * 1_000) / MICROS_PER_DAY) * MICROS_PER_DAY
  const start: Micros = today - 6 * MICROS_PER_DAY
  const day: Micros = start + MICROS_PER_DAY
  const base: Micros = start + HOUR
  const base_date = formatMicros(base)
  const levels_to: Micros = base + minutes * 60 * MICROS_PER_SECOND
  const world = {
    format: 1,
    generation: 1,
    seed: `flows-${seed}`,
    start: formatMicros(start),
    days: 3,
    markets: 9,
    interval: 'PT1M',
    base_date,
    effective_from: base_date,
    methodology: '1.1.0',
  } as const
  const plan = planWorld(worldOptions(world))
  const clock = createSimulatedClock(start)
  const served = await Promise.all(
    VENUES.map(async (venue_id) => {
      const venue = createSimulatedVenue(plan, venue_id, { remembers: 30 * MICROS_PER_DAY })
      const rules = createRuledFaults({ venue_id, rules: [], seed: String(seed), stall_ms: STALL_MS })
      const server = await startSimulatorServer({ venue, clock, rules, limits: [] })
      const ids = venue.truth(emptyTally()).markets.map(({ source_market_id }) => source_market_id)
      return { venue_id, rules, server, ids }
    }),
  )
  clock.advanceTo(start + 3 * MICROS_PER_DAY + 12 * HOUR)
  const hits = Object.fromEntries(FAULTS.map((fault) => [fault, 0])) as Record<DrillFault, number>
  let lasting: DrillFault | null = null
  const note = () => {
    const counted = served.flatMap(({ rules }) => rules.counts())
    if (lasting !== null) hits[lasting] = counted.reduce((sum, rule) => sum + rule.hits, 0)
  }
  return {
    world,
    day: { from: formatMicros(day), to: formatMicros(day + MICROS_PER_DAY) },
    levels: { from: base_date, to: formatMicros(levels_to) },
    importRecording: (home) => importRecording(recordedPast(worldOptions(world), levels_to), home),
    variables: Object.fromEntries(
      served.map(({ venue_id, server }) => [`TIDEMARK_${venue_id.toUpperCase()}_URL`, server.base_url]),
    ),
    markets: (venue_id, fault) => {
      const { ids } = served.find((one) => one.venue_id === venue_id)!
      return ids.filter((_, ordinal) => ordinal % FAULTS.length === FAULTS.indexOf(fault))
    },
    beset: (fault, share) => {
      note()
      for (const { rules } of served) rules.replace(fault === null ? [] : [parseFaultRule(`${fault}=${share}`)])
      lasting = fault
    },
    hits: () => {
      note()
      return hits
    },
    close: async () => void (await Promise.all(served.map(({ server }) => server.close()))),
  }
}

async function importRecording(items: AsyncIterable<PayloadItem>, home: string): Promise<void> {
  const warehouse = await openWarehouse({ root: join(home, 'warehouse'), create: true })
  try {
    await importLive({ archive: 'payloads', items, clock: 'recorded', warehouse, linger_ms: null })
  } finally {
    await warehouse.close()
  }
}

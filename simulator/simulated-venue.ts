import type { TradeTally } from './truth/trade-tally.ts'
import { bookTruth, poolTruth, type VenueTruth } from './truth/truth.ts'
import { createKalshiWire } from './wire/kalshi/kalshi-wire.ts'
import { createManifoldWire } from './wire/manifold/manifold-wire.ts'
import { createPolymarketWire } from './wire/polymarket/polymarket-wire.ts'
import type { VenueWire } from './wire/venue-wire.ts'
import { createBookWorld } from './world/book-world.ts'
import type { VenueId, VenuePast } from './world/options.ts'
import type { WorldPlan } from './world/plan.ts'
import { createPoolWorld } from './world/pool-world.ts'
import type { World } from './world/timeline.ts'

/** One venue of a world, at its start, with its wire format. */
export type SimulatedVenue = {
  readonly world: World
  readonly wire: VenueWire
  /** Returns the true events so far. */
  truth(trades: TradeTally): VenueTruth
}

/** Creates a venue of a planned world. Every venue of one plan shows the same events, each with its own traders. */
export function createSimulatedVenue(plan: WorldPlan, venue_id: VenueId, past: VenuePast = {}): SimulatedVenue {
  if (venue_id === 'manifold') {
    const world = createPoolWorld(plan, past)
    return { world, wire: createManifoldWire(world), truth: (trades) => poolTruth(world, trades) }
  }
  const world = createBookWorld(plan, venue_id, past)
  const wire = venue_id === 'kalshi' ? createKalshiWire(world, past.historical_after) : createPolymarketWire(world)
  return { world, wire, truth: (trades) => bookTruth(world, trades) }
}

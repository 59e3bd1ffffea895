import { MICROS_PER_DAY, MICROS_PER_SECOND, type Micros } from '../../primitives/instants.ts'
import type { WorldBatch, WorldEvent } from './events.ts'
import { createLatent, type Latent } from './latent.ts'
import type { MarketLife } from './market-state.ts'
import { endOf, type VenueId, type WorldOptions } from './options.ts'
import type { WorldPlan } from './plan.ts'
import { createRandom } from './random.ts'

/** A time [from, to) in which a venue sends nothing, although it trades on. */
type Outage = { readonly from: Micros; readonly to: Micros }

const MINUTE = 60 * MICROS_PER_SECOND
const HOUR = 60 * MINUTE

/**
 * Plans the outages of a venue in time order: one on the first day, one on about every third later one, 10 to 45 minutes long.
 */
function planOutages({ seed, start, days }: WorldOptions, venue_id: VenueId): Outage[] {
  const random = createRandom(seed, 'outages', venue_id)
  return Array.from({ length: days }, (_, day) => {
    const from = start + day * MICROS_PER_DAY + 2 * HOUR + random.below(18 * 3600) * MICROS_PER_SECOND
    const to = from + random.between(10, 45) * MINUTE
    return { from, to, happens: day === 0 || random.chance(330_000) }
  }).flatMap(({ from, to, happens }) => (happens ? [{ from, to }] : []))
}

/**
 * A venue of a world after the last batch: the state that wire formats read. Only `advance` changes it. Memory does not grow
 * with the length of the world.
 */
export type World<Market extends MarketLife = MarketLife> = {
  readonly venue_id: VenueId
  readonly plan: WorldPlan
  readonly outages: readonly Outage[]
  /** By ordinal. */
  readonly markets: readonly Market[]
  /** Returns the instant of the next batch; null at the end of the world. */
  nextAt(): Micros | null
  /** Applies and returns the next batch; null at the end of the world. */
  advance(): WorldBatch | null
  /** Returns whether the venue sends nothing. */
  isDown(at: Micros): boolean
}

/** Runs one market's turn: its events in time order, with instants from `tick`. */
export type StepMarket<Market> = (market: Market, latent: Latent, tick: () => Micros) => WorldEvent[]

const EVENTS_PER_SLOT = 16
/**
 * Largest gap between events of one visit: they fall within 18 ms, like a burst of messages, each in its own millisecond if
 * possible.
 */
const GAP_MAX: Micros = 1_100
/** Part of an interval with turns; the rest is left for messages on their way. */
const USED = { of_ten: 9 } as const

/**
 * Creates a world whose markets take turns in a seeded order within each interval, so that batches come in time order without a
 * queue. Equal plan and venue: equal batches.
 */
export function createTimeline<Market extends MarketLife>(
  plan: WorldPlan,
  venue_id: VenueId,
  markets: readonly Market[],
  step: StepMarket<Market>,
): World<Market> {
  const { options } = plan
  const latent = createLatent(plan)
  const outages = planOutages(options, venue_id)
  const isDown = (at: Micros) => outages.some(({ from, to }) => from <= at && at < to)
  const turns = turnsOf(plan, venue_id)
  const width = Math.floor((options.interval * USED.of_ten) / 10 / turns.order.length)
  const gap = Math.min(GAP_MAX, Math.floor(width / (3 * EVENTS_PER_SLOT)))
  let interval_at = options.start
  let turn = 0
  let first = interval_at + turns.wait(width)
  const advance = (): WorldBatch | null => {
    if (interval_at >= endOf(options)) return null
    if (turn === 0) latent.advance(interval_at)
    const market = markets[turns.order[turn]!]!
    const at = first + EVENTS_PER_SLOT * gap
    const events = step(market, latent, ticker(first, gap))
    turn += 1
    if (turn === turns.order.length) {
      turn = 0
      interval_at += options.interval
    }
    first = interval_at + turn * width + turns.wait(width)
    return { at, market: market.plan.ordinal, down: isDown(at), events }
  }
  const nextAt = () => (interval_at >= endOf(options) ? null : first + EVENTS_PER_SLOT * gap)
  return { venue_id, plan, outages, markets, nextAt, advance, isDown }
}

/** Returns the order of the markets within an interval, and the delay of each after its slot begins. */
function turnsOf({ options, markets }: WorldPlan, venue_id: VenueId) {
  const random = createRandom(options.seed, 'turns', venue_id)
  const order = markets.map(({ ordinal }) => ordinal)
  for (let index = order.length - 1; index > 0; index -= 1) {
    const other = random.below(index + 1)
    const moved = order[index]!
    order[index] = order[other]!
    order[other] = moved
  }
  return { order, wait: (width: number) => random.below(Math.floor(width / 2)) }
}

function ticker(first: Micros, gap: Micros): () => Micros {
  let count = 0
  return () => {
    const at = first + Math.min(count, EVENTS_PER_SLOT) * gap
    count += 1
    return at
  }
}

import { MICROS_PER_SECOND, type Micros } from '../../primitives/instants.ts'
import type { BookStep } from './book-step.ts'
import { correctTrades, createTradeFates } from './corrections.ts'
import type { WorldEvent } from './events.ts'
import type { Grid } from './grid.ts'
import { HOUR, startHour } from './hour-bars.ts'
import { emptyLadder } from './ladder.ts'
import { createLatent, type Latent } from './latent.ts'
import { passStage } from './lifecycle.ts'
import { makeMarket } from './makers.ts'
import type { BookMarket } from './market-state.ts'
import type { VenueId, VenuePast } from './options.ts'
import type { MarketPlan, WorldPlan } from './plan.ts'
import { createRandom } from './random.ts'
import { type TradeFate, takeMarket } from './takers.ts'
import { createTimeline, type World } from './timeline.ts'

/** Venues with order books. */
export type BookVenueId = Exclude<VenueId, 'manifold'>

/** Time a venue's tape lists a trade, and number of hours it keeps. */
const TAPE_MEMORY: Micros = 5_400 * MICROS_PER_SECOND
const HOURS_KEPT = 30
const FIRST_VISITS = 20
const WRONG_CLOSE_OF_MILLION = 60_000
const WRONG_FOR: Micros = 5_400 * MICROS_PER_SECOND

/** Distance of the price from 0 or 1 at which the tick changes, in millionths. */
const FINE_TICK_BELOW = 40_000

/** Creates a world traded on order books. */
export function createBookWorld(plan: WorldPlan, venue_id: BookVenueId, past: VenuePast = {}): World<BookMarket> {
  const { remembers } = past
  const memory = {
    tape: remembers ?? TAPE_MEMORY,
    hours: remembers === undefined ? HOURS_KEPT : Math.ceil(remembers / HOUR),
  }
  const first = createLatent(plan)
  const markets = plan.markets.map((market) => {
    const started = startMarket(plan, market, venue_id)
    if (started.stage === 'open') fillBook(started, first.probability(market.ordinal), plan.options.start)
    return started
  })
  const fateOf = createTradeFates({ amends: venue_id === 'kalshi' })
  return createTimeline(plan, venue_id, markets, (market, latent, tick) =>
    stepMarket({ market, plan, fateOf, memory, changes_tick: venue_id === 'polymarket' }, latent, tick),
  )
}

function startMarket({ options }: WorldPlan, plan: MarketPlan, venue_id: BookVenueId): BookMarket {
  const random = createRandom(options.seed, venue_id, 'market', plan.ordinal)
  return {
    plan,
    random,
    stage: plan.opens_at < options.start ? 'open' : 'announced',
    stage_at: plan.created_at,
    opened_at: plan.opens_at < options.start ? plan.opens_at : null,
    was_disputed: false,
    proposed_payout: null,
    final_payout: null,
    volume: 0,
    trades_count: 0,
    grid: firstGrid(venue_id, plan),
    ladder: emptyLadder(),
    estimate: -1,
    half_spread: random.between(40, 160),
    orders_count: 0,
    last_trade: null,
    book_at: plan.created_at,
    book_version: 0,
    tape: [],
    corrections: [],
    hours: [],
    hour: null,
  }
}

/** Fills a market's book before the world starts, by several visits of the market makers. */
function fillBook(market: BookMarket, fair: number, start: Micros): void {
  let count = 0
  const tick = () => {
    count += 1
    return start - FIRST_VISITS * MICROS_PER_SECOND + count
  }
  for (let visit = 0; visit < FIRST_VISITS; visit += 1) {
    follow(market, fair)
    makeMarket({ market, fair, tick, events: [] })
  }
}

/**
 * Returns a market's first grid. Polymarket markets start in cents and are refined; Kalshi keeps each of its three structures.
 */
function firstGrid(venue_id: BookVenueId, { event }: MarketPlan): Grid {
  if (venue_id === 'polymarket') return 'cent'
  return (['cent', 'tapered', 'deci_cent'] as const)[event % 3]!
}

/** Length of the tape, and number of listed hours. */
type PastMemory = { readonly tape: Micros; readonly hours: number }

type Place = {
  readonly market: BookMarket
  readonly plan: WorldPlan
  readonly fateOf: TradeFate
  readonly memory: PastMemory
  /** True if the venue changes a market's tick near 0 or 1. */
  readonly changes_tick: boolean
}

function stepMarket(
  { market, plan, fateOf, memory, changes_tick }: Place,
  latent: Latent,
  tick: () => Micros,
): WorldEvent[] {
  const { ordinal, event } = market.plan
  const at = tick()
  const stage = passStage(market, plan.events[event]!, latent, at)
  if (stage !== null) return [{ type: 'stage_changed', at, market: ordinal, stage }]
  const grid = changes_tick ? refineGrid(market) : null
  if (grid !== null) return [{ type: 'grid_changed', at, market: ordinal, ...grid }]
  const step: BookStep = { market, fair: latent.probability(ordinal), tick, events: [] }
  forgetTrades(market, at - memory.tape)
  if (market.stage === 'open') trade(step, fateOf, memory, at)
  correctTrades(step)
  return step.events
}

function trade(step: BookStep, fateOf: TradeFate, memory: PastMemory, at: Micros): void {
  const { market, fair } = step
  turnHour(market, memory.hours, at)
  follow(market, fair)
  takeMarket(step, fateOf)
  makeMarket(step)
}

/** Moves the estimate part of the way to the truth, with noise. */
function follow(market: BookMarket, fair: number): void {
  if (market.estimate < 0) market.estimate = fair
  const way = Math.trunc(((fair - market.estimate) * 3) / 16)
  market.estimate = Math.max(100, Math.min(999_900, market.estimate + way + market.random.step(400)))
}

function refineGrid(market: BookMarket): { readonly from: Grid; readonly to: Grid } | null {
  const { estimate, grid, stage } = market
  const near = estimate >= 0 && (estimate < FINE_TICK_BELOW || estimate > 1_000_000 - FINE_TICK_BELOW)
  if (stage !== 'open' || grid !== 'cent' || !near) return null
  market.grid = 'deci_cent'
  return { from: grid, to: 'deci_cent' }
}

/** Closes the hour when the next one has begun; sometimes its close is shown wrong for a while. */
function turnHour(market: BookMarket, hours_kept: number, at: Micros): void {
  const previous = market.last_trade?.price ?? null
  market.hour ??= startHour(at, previous)
  if (at < market.hour.end) return
  if (market.random.chance(WRONG_CLOSE_OF_MILLION)) market.hour.wrong_until = market.hour.end + WRONG_FOR
  market.hours.push(market.hour)
  if (market.hours.length > hours_kept) market.hours.shift()
  const { bid, ask } = market.hour
  market.hour = startHour(at - (at % HOUR), previous)
  if (bid !== null) market.hour.bid = { open: bid.close, high: bid.close, low: bid.close, close: bid.close }
  if (ask !== null) market.hour.ask = { open: ask.close, high: ask.close, low: ask.close, close: ask.close }
}

function forgetTrades({ tape }: BookMarket, from: Micros): void {
  while ((tape[0]?.at ?? from) < from) tape.shift()
}

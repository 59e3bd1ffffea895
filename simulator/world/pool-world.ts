import { MICROS_PER_SECOND, type Micros } from '../../primitives/instants.ts'
import type { WorldEvent } from './events.ts'
import { createLatent, type Latent } from './latent.ts'
import { passStage } from './lifecycle.ts'
import type { Bet, PoolMarket } from './market-state.ts'
import type { VenuePast } from './options.ts'
import type { EventPlan, MarketPlan, WorldPlan } from './plan.ts'
import { createRandom } from './random.ts'
import { createTimeline, type World } from './timeline.ts'

/** Probabilities as whole numbers at 15 decimals. */
export const QUADRILLION = 1_000_000_000_000_000
const MILLIONTH = 1_000_000_000
const MIN = QUADRILLION / 1_000

const BET_OF_MILLION = 120_000
const LIMIT_OF_MILLION = 150_000
const BETS_MEMORY: Micros = 5_400 * MICROS_PER_SECOND

/** Creates a world traded in automatic pools with play money: bets move the probability, limit orders wait for it. */
export function createPoolWorld(plan: WorldPlan, past: VenuePast = {}): World<PoolMarket> {
  const remembers = past.remembers ?? BETS_MEMORY
  const first = createLatent(plan)
  const markets = plan.markets.map((market) => startMarket(plan, market))
  for (const { kind, markets: own } of plan.events) {
    const chances = own.map(({ ordinal }) => first.probability(ordinal) * MILLIONTH)
    const started = own.map(({ ordinal }) => markets[ordinal]!)
    for (const [index, market] of started.entries()) {
      const last = kind === 'multi' && index === started.length - 1
      market.probability = last ? QUADRILLION - sumOf(started.slice(0, -1)) : firstProbability(market, chances[index]!)
    }
  }
  return createTimeline(plan, 'manifold', markets, (market, latent, tick) => {
    const siblings = siblingsOf(plan.events[market.plan.event]!, markets)
    return stepMarket({ market, siblings, plan, remembers }, latent, tick)
  })
}

function startMarket({ options }: WorldPlan, plan: MarketPlan): PoolMarket {
  const random = createRandom(options.seed, 'manifold', 'market', plan.ordinal)
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
    probability: QUADRILLION / 2,
    bets: [],
    last_bet_at: null,
  }
}

/** Draws digits to the last place of a double; never more than the chance, so that a sum stays below 1. */
function firstProbability({ random }: PoolMarket, chance: number): number {
  return Math.max(MIN, chance - random.below(MILLIONTH))
}

function sumOf(markets: readonly PoolMarket[]): number {
  return markets.reduce((sum, { probability }) => sum + probability, 0)
}

function siblingsOf({ kind, markets }: EventPlan, all: readonly PoolMarket[]): readonly PoolMarket[] {
  return kind === 'multi' ? markets.map(({ ordinal }) => all[ordinal]!) : []
}

type Place = {
  readonly market: PoolMarket
  readonly siblings: readonly PoolMarket[]
  readonly plan: WorldPlan
  /** Time a bet is listed. */
  readonly remembers: Micros
}

function stepMarket({ market, siblings, plan, remembers }: Place, latent: Latent, tick: () => Micros): WorldEvent[] {
  const { ordinal, event } = market.plan
  const at = tick()
  const stage = passStage(market, plan.events[event]!, latent, at)
  if (stage !== null) return [{ type: 'stage_changed', at, market: ordinal, stage }]
  while ((market.bets[0]?.at ?? at) < at - remembers) market.bets.shift()
  if (market.stage !== 'open' || !market.random.chance(BET_OF_MILLION)) return []
  if (market.random.chance(LIMIT_OF_MILLION)) return [placeLimit(market, at)]
  return betAndFill(market, siblings, latent.probability(ordinal) * MILLIONTH, tick)
}

/** Makes a bet at any price: half of them toward the truth, the others random; a waiting limit order may match it. */
function betAndFill(
  market: PoolMarket,
  siblings: readonly PoolMarket[],
  fair: number,
  tick: () => Micros,
): WorldEvent[] {
  const { random, plan } = market
  const before = market.probability
  const informed = random.chance(500_000)
  const way = informed ? Math.trunc((fair - before) / 4) : random.step(8_000) * MILLIONTH
  const after = Math.max(MIN, Math.min(QUADRILLION - MIN, before + way + random.below(MILLIONTH)))
  movePool(market, siblings, after)
  const outcome = after >= before ? 'YES' : 'NO'
  const ordered = random.between(1, 200) * 100
  const at = tick()
  const number = nextNumber(market)
  const bet: Bet = {
    market: plan.ordinal,
    number,
    at,
    outcome,
    ordered,
    amount: ordered,
    before,
    after,
    limit: null,
    fills: [],
  }
  const matched = waitingOrder(market, outcome, after)
  bet.fills.push({ at, amount: ordered, by: matched?.number ?? null })
  remember(market, bet)
  const event: WorldEvent = { type: 'bet_placed', at, market: plan.ordinal, bet }
  return matched === null ? [event] : [event, fillOrder(matched, ordered, number, tick())]
}

/** Sets the probability; the answers of one question keep the sum of 1. */
function movePool(market: PoolMarket, siblings: readonly PoolMarket[], after: number): void {
  const others = siblings.filter((one) => one !== market)
  const rest_before = BigInt(QUADRILLION - market.probability)
  const rest_after = BigInt(QUADRILLION - after)
  let left = QUADRILLION - after
  others.forEach((other, index) => {
    const share = Number((BigInt(other.probability) * rest_after) / rest_before)
    other.probability = index === others.length - 1 ? left : share
    left -= share
  })
  market.probability = after
}

function placeLimit(market: PoolMarket, at: Micros): WorldEvent {
  const { random, plan, probability } = market
  const limit = Math.max(1, Math.min(99, Math.floor(probability / (QUADRILLION / 100)) + random.between(-3, 3)))
  const outcome = limit * (QUADRILLION / 100) < probability ? 'YES' : 'NO'
  const number = nextNumber(market)
  const ordered = random.between(5, 100) * 100
  const bet: Bet = {
    market: plan.ordinal,
    number,
    at,
    outcome,
    ordered,
    amount: 0,
    before: probability,
    after: probability,
    limit,
    fills: [],
  }
  remember(market, bet)
  return { type: 'bet_placed', at, market: plan.ordinal, bet }
}

/** Returns an unfilled limit order of the other side that the probability has reached. */
function waitingOrder(market: PoolMarket, outcome: Bet['outcome'], probability: number): Bet | null {
  const reached = ({ limit, outcome: side }: Bet) =>
    limit !== null &&
    side !== outcome &&
    (side === 'NO' ? probability >= limit * (QUADRILLION / 100) : probability <= limit * (QUADRILLION / 100))
  return market.bets.find((bet) => bet.amount < bet.ordered && reached(bet)) ?? null
}

function fillOrder(order: Bet, offered: number, by: number, at: Micros): WorldEvent {
  const amount = Math.min(order.ordered - order.amount, offered)
  order.amount += amount
  order.fills.push({ at, amount, by })
  return { type: 'bet_filled', at, market: order.market, bet: order }
}

function remember(market: PoolMarket, bet: Bet): void {
  market.bets.push(bet)
  market.volume += bet.amount
  market.last_bet_at = bet.at
}

function nextNumber(market: PoolMarket): number {
  market.trades_count += 1
  return market.trades_count
}

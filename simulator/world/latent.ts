import { MICROS_PER_SECOND, type Micros } from '../../primitives/instants.ts'
import { integerRoot } from './integer-root.ts'
import { clampLogit, MILLION, oddsOf, probabilityOf } from './logistic.ts'
import type { EventPlan, WorldPlan } from './plan.ts'
import { createRandom, type Random } from './random.ts'

/** Facts unknown to traders: the probability of each market, and the results of decided events. */
export type Latent = {
  /** Moves every event to the next step, which begins at `at`. */
  advance(at: Micros): void
  /** Returns the probability of a market's YES in millionths. */
  probability(market: number): number
  /** Returns the payout of YES once its event is decided, in ten-thousandths; null = not decided, or it stays open. */
  payout(market: number): number | null
  /** Returns the first proposed payout; wrong if the event's fate is to be overturned. null as for `payout`. */
  proposal(market: number): number | null
}

/** Standard deviation of one day's walk of log-odds, in millionths. */
const DAILY_MOVE = 380_000
const SECONDS_PER_DAY = 86_400
/** Log-odds limit of an undecided event: it stays within 1 % and 99 %. */
const UNDECIDED_MAX = 4_600_000
const DECIDED = 5_500_000
const START_MAX = 2_000_000
/** Log-odds among several answers once one has won. */
const WINNER = 4_500_000
const LOSER = -1_500_000

const PAYOUT = { yes: 10_000, no: 0, void: 5_000 } as const

type EventState = {
  readonly plan: EventPlan
  readonly random: Random
  /** Log-odds of each factor in millionths: one per market. */
  readonly factors: number[]
  readonly probabilities: number[]
  payouts: Payouts | null
  proposals: Payouts | null
}

type Payouts = readonly (number | null)[]

/** Creates the latent world of a plan, before its first step. */
export function createLatent(plan: WorldPlan): Latent {
  const events = plan.events.map((event) => startEvent(plan, event))
  const scale = stepScale(plan.options.interval / MICROS_PER_SECOND)
  let next_shock = 0
  const shake = (at: Micros) => {
    for (; next_shock < plan.shocks.length && plan.shocks[next_shock]!.at <= at; next_shock += 1) {
      for (const { event, push } of plan.shocks[next_shock]!.pushes) pushEvent(events[event]!, push)
    }
  }
  const stateOf = (market: number) => {
    const { event, index } = plan.markets[market]!
    return { state: events[event]!, index }
  }
  return {
    advance: (at) => {
      shake(at)
      for (const event of events) stepEvent(event, at, scale)
    },
    probability: (market) => {
      const { state, index } = stateOf(market)
      return state.probabilities[index]!
    },
    payout: (market) => {
      const { state, index } = stateOf(market)
      return state.payouts?.[index] ?? null
    },
    proposal: (market) => {
      const { state, index } = stateOf(market)
      return state.proposals?.[index] ?? null
    },
  }
}

/** Returns the standard deviation of one step of `seconds`: it grows with the square root of time. */
function stepScale(seconds: number): number {
  const move = DAILY_MOVE / 10
  return integerRoot(Math.floor((move * move * seconds * 100) / SECONDS_PER_DAY))
}

function startEvent({ options }: WorldPlan, plan: EventPlan): EventState {
  const random = createRandom(options.seed, 'latent', plan.ordinal)
  const factors = plan.markets.map(() => random.between(-START_MAX, START_MAX))
  const event = { plan, random, factors, probabilities: factors.map(() => 0), payouts: null, proposals: null }
  weigh(event)
  return event
}

function pushEvent({ factors, payouts }: EventState, push: number): void {
  if (payouts === null) factors[0] = clampTo(factors[0]! + push, UNDECIDED_MAX)
}

function stepEvent(event: EventState, at: Micros, scale: number): void {
  const { plan, factors, random } = event
  const { decided_at } = plan.schedule
  const limit = event.payouts === null ? UNDECIDED_MAX : DECIDED + MILLION
  for (let index = 0; index < factors.length; index += 1) {
    factors[index] = clampTo(factors[index]! + random.step(scale), limit)
  }
  if (event.payouts === null && decided_at !== null && decided_at <= at) decide(event)
  weigh(event)
}

/** Draws results with the current probabilities, so that prices were fair all along. */
function decide(event: EventState): void {
  const { plan, factors } = event
  const drawn = event.random.below(MILLION)
  if (plan.fate === 'voided') {
    event.payouts = factors.map(() => PAYOUT.void)
    event.proposals = event.payouts
  } else if (plan.kind === 'multi') decideWinner(event, winnerOf(event.probabilities, drawn))
  else decideWhether(event, drawn < event.probabilities[0]!)
}

function decideWinner(event: EventState, winner: number): void {
  const { factors, plan } = event
  const paysTo = (index: number) => factors.map((_, one) => (one === index ? PAYOUT.yes : PAYOUT.no))
  event.payouts = paysTo(winner)
  event.proposals = plan.fate === 'overturned' ? paysTo((winner + 1) % factors.length) : event.payouts
  for (let index = 0; index < factors.length; index += 1) factors[index] = index === winner ? WINNER : LOSER
}

/** Decides nested dates: a result that missed the first date may still meet a later one. */
function decideWhether(event: EventState, happened: boolean): void {
  const { factors, plan } = event
  const later = happened ? PAYOUT.yes : null
  event.payouts = factors.map((_, index) => (index === 0 && !happened ? PAYOUT.no : later))
  const overturned = plan.fate === 'overturned'
  event.proposals = event.payouts.map((payout) => (overturned && payout !== null ? PAYOUT.yes - payout : payout))
  factors[0] = happened ? DECIDED : -DECIDED
}

function winnerOf(probabilities: readonly number[], drawn: number): number {
  let sum = 0
  const index = probabilities.findIndex((probability) => {
    sum += probability
    return drawn < sum
  })
  return index < 0 ? probabilities.length - 1 : index
}

function weigh({ plan, factors, probabilities }: EventState): void {
  if (plan.kind === 'multi') {
    const odds = factors.map(oddsOf)
    const sum = odds.reduce((total, one) => total + one, 0)
    for (let index = 0; index < odds.length; index += 1) {
      probabilities[index] = Math.floor((odds[index]! * MILLION) / sum)
    }
    return
  }
  let not_yet = MILLION
  for (let index = 0; index < factors.length; index += 1) {
    not_yet = Math.floor((not_yet * (MILLION - probabilityOf(factors[index]!))) / MILLION)
    probabilities[index] = MILLION - not_yet
  }
}

function clampTo(logit: number, limit: number): number {
  return clampLogit(Math.max(-limit, Math.min(limit, logit)))
}

import { createRandom, type Random } from '../../simulator/world/random.ts'

/** Orders that accounts ask for: how many a second, in which markets, and for how long an order binds its cash. */
export type Workload = {
  readonly seed: number
  readonly orders: number
  /** Orders that arrive in a second, independently of each other and of the answers. */
  readonly offered_per_s: number
  readonly groups: number
  readonly accounts: number
  /** Zipf exponents in hundredths: 0 is even; at 100 the k-th most popular has a k-th of the most popular one's orders. */
  readonly group_skew: number
  readonly account_skew: number
  /** An account's cash is this many times what its working orders bind on average. */
  readonly cover: number
  readonly cost_max: number
  /** Mean time in microseconds for which an order binds its cost in its shard. */
  readonly hold_us: number
}

export type Demand = {
  readonly arrives_us: number
  readonly account: number
  readonly group: number
  readonly cost: number
  readonly hold_us: number
}

/** Generates the orders of a workload in the order of their arrival; the same seed gives the same orders. */
export function* demandOf(workload: Workload): Generator<Demand> {
  const random = createRandom('shards', workload.seed)
  const groups = cumulated(sharesOf(workload.groups, workload.group_skew))
  const accounts = cumulated(sharesOf(workload.accounts, workload.account_skew))
  let arrives_us = 0
  for (let n = 0; n < workload.orders; n += 1) {
    arrives_us += waiting(random, 1e6 / workload.offered_per_s)
    yield {
      arrives_us: Math.round(arrives_us),
      account: drawn(random, accounts),
      group: drawn(random, groups),
      cost: random.between(1, workload.cost_max),
      hold_us: Math.round(waiting(random, workload.hold_us)),
    }
  }
}

/** Returns the cash of each account, in units of the smallest order. */
export function cashOfAccounts(workload: Workload): number[] {
  const { accounts, account_skew, cover, offered_per_s, hold_us, cost_max } = workload
  const working = offered_per_s * (hold_us / 1e6)
  const mean_cost = (1 + cost_max) / 2
  return sharesOf(accounts, account_skew).map((share) => Math.ceil(cover * Math.max(1, share * working) * mean_cost))
}

/** Share of the k-th most popular of `count`, descending; the sum is 1. */
export function sharesOf(count: number, skew: number): number[] {
  const weights = Array.from({ length: count }, (_, rank) => (rank + 1) ** (-skew / 100))
  const sum = weights.reduce((total, weight) => total + weight, 0)
  return weights.map((weight) => weight / sum)
}

/** Assigns each market group to a shard: the most popular first, each to the shard with the least load so far. */
export function assignGroups(shares: readonly number[], shards: number): number[] {
  const load = new Array<number>(shards).fill(0)
  return shares.map((share) => {
    const least = load.indexOf(Math.min(...load))
    load[least]! += share
    return least
  })
}

function cumulated(shares: readonly number[]): number[] {
  let sum = 0
  return shares.map((share) => {
    sum += share
    return sum
  })
}

function drawn(random: Random, sums: readonly number[]): number {
  const point = unit(random)
  let [low, high] = [0, sums.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if (sums[middle]! > point) high = middle
    else low = middle + 1
  }
  return low
}

/** Exponentially distributed time with a mean. */
function waiting(random: Random, mean: number): number {
  return -Math.log(1 - unit(random)) * mean
}

function unit(random: Random): number {
  return random.below(2 ** 32) / 2 ** 32
}

import { invariant } from '../../primitives/errors.ts'
import { createRandom, type Random } from '../../simulator/world/random.ts'
import { DueQueue } from '../../trading/engine/due-queue.ts'
import { type Move, ShardCash } from './shard-cash.ts'
import { assignGroups, cashOfAccounts, type Demand, demandOf, sharesOf, type Workload } from './workload.ts'

/**
 * Ways in which an account's cash gets to the shards.
 * fixed: an equal part for each, and nothing moves.
 * home: all of it in one shard, the account's home; any other asks the home for what an order needs.
 * ask_half: an equal part for each at the start; a shard that lacks some asks all others, and each sends half of what it has free.
 */
export const CASH_POLICIES = ['fixed', 'home', 'ask_half'] as const
export type CashPolicy = (typeof CASH_POLICIES)[number]

export type Deployment = {
  readonly shards: number
  readonly policy: CashPolicy
  /** Microseconds of a batch's commit, and of each record in it. */
  readonly commit_us: number
  readonly record_us: number
  readonly batch_max: number
  /** Crashes of a shard in the middle of a batch. */
  readonly crashes: number
  readonly restart_us: number
}

export type Outcome = {
  readonly accepted: number
  /** Refused because the account has not enough free cash in all shards together. */
  readonly refused_poor: number
  /** Refused although it has. */
  readonly refused_affordable: number
  readonly moves: number
  /** From the start to the last answer. */
  readonly span_us: number
  /** Busy share of each shard, until the last order has released its cash. */
  readonly busy: readonly number[]
  /** From arrival to answer of each accepted order, ascending. */
  readonly latencies_us: readonly number[]
}

/** Number of a million moves that arrive twice, because their acknowledgement was lost. */
const REPEATED_OF_MILLION = 10_000
/** Chance of a million that a batch crashes, while crashes are left. */
const CRASH_OF_MILLION = 20_000

type Order = Demand & { readonly shard: number }
type Message =
  | { readonly kind: 'order' | 'release'; readonly order: Order }
  /** A shard lacks cash of an account for an order. */
  | { readonly kind: 'ask'; readonly order: Order }
  | { readonly kind: 'receive'; readonly move: Move }

/** A shard that waits for cash: answers that it has not got, and orders of the account that wait with it. */
type Waiting = { awaited: number; readonly orders: Order[] }
type Shard = {
  readonly at: number
  readonly cash: ShardCash
  readonly waiting: Map<number, Waiting>
  queue: Message[]
  is_busy: boolean
  busy_us: number
}

/** Simulates shards that each decide and commit one batch after the other, and hold the cash that their orders reserve. */
export class ShardModel {
  readonly #workload: Workload
  readonly #deployment: Deployment
  /** Cash that each account brings. */
  readonly #brought: readonly number[]
  readonly #shards: readonly Shard[]
  readonly #events = new DueQueue<{ readonly act: () => void }>()
  readonly #random: Random
  readonly #latencies: number[] = []
  readonly #refused = { poor: 0, affordable: 0 }
  #now = 0
  #scheduled = 0
  #last_answer = 1
  #on_its_way = 0
  #crashes_left: number

  constructor(workload: Workload, deployment: Deployment) {
    this.#workload = workload
    this.#deployment = deployment
    this.#random = createRandom('shard faults', workload.seed)
    this.#crashes_left = deployment.crashes
    this.#brought = cashOfAccounts(workload)
    this.#shards = Array.from({ length: deployment.shards }, (_, at) => {
      const free = Int32Array.from(this.#brought, (_, account) => this.#startCash(at, account))
      return { at, cash: new ShardCash(at, free), waiting: new Map(), queue: [], is_busy: false, busy_us: 0 }
    })
  }

  /** Runs all orders to their end. @throws InvariantError when cash is lost, made, or spent twice */
  run(): Outcome {
    this.#arrive(this.#arrivals())
    for (let due = this.#events.next_at; due !== null; due = this.#events.next_at) {
      this.#now = due
      this.#events.takeDue(due)!.act()
    }
    this.#checkCash()
    return {
      accepted: this.#latencies.length,
      refused_poor: this.#refused.poor,
      refused_affordable: this.#refused.affordable,
      moves: this.#shards.reduce((sum, { cash }) => sum + cash.moves, 0),
      span_us: this.#last_answer,
      busy: this.#shards.map(({ busy_us }) => busy_us / this.#now),
      latencies_us: this.#latencies.toSorted((a, b) => a - b),
    }
  }

  #checkCash(): void {
    const held = this.#shards.reduce((sum, { cash }) => sum + cash.total, 0)
    const given = this.#brought.reduce((sum, cash) => sum + cash, 0)
    const message = `the shards hold ${held} and ${this.#on_its_way} is on its way; the accounts brought ${given}`
    invariant(held + this.#on_its_way === given, message)
  }

  #startCash(at: number, account: number): number {
    const cash = this.#brought[account]!
    const { shards, policy } = this.#deployment
    if (policy === 'home') return this.#home(account) === at ? cash : 0
    return Math.floor(cash / shards) + (at < cash % shards ? 1 : 0)
  }

  #home(account: number): number {
    return account % this.#deployment.shards
  }

  *#arrivals(): Generator<Order> {
    const { groups, group_skew } = this.#workload
    const shard_of = assignGroups(sharesOf(groups, group_skew), this.#deployment.shards)
    for (const demand of demandOf(this.#workload)) yield { ...demand, shard: shard_of[demand.group]! }
  }

  #arrive(arrivals: Generator<Order>): void {
    const { value: order, done } = arrivals.next()
    if (done) return
    this.#schedule(order.arrives_us, () => {
      this.#deliver(order.shard, { kind: 'order', order })
      this.#arrive(arrivals)
    })
  }

  #schedule(due_us: number, act: () => void): void {
    this.#scheduled += 1
    this.#events.add(due_us, this.#scheduled, { act })
  }

  #deliver(to: number, message: Message): void {
    const shard = this.#shards[to]!
    shard.queue.push(message)
    this.#begin(shard)
  }

  #begin(shard: Shard): void {
    if (shard.is_busy || shard.queue.length === 0) return
    const { batch_max, commit_us, record_us } = this.#deployment
    const batch = shard.queue.splice(0, batch_max)
    const takes_us = commit_us + batch.length * record_us
    shard.is_busy = true
    shard.busy_us += takes_us
    this.#schedule(this.#now + takes_us, () => this.#commit(shard, batch))
  }

  /** Commits a batch. A crash loses the batch whole: nothing of it has happened, and it is decided again after the restart. */
  #commit(shard: Shard, batch: readonly Message[]): void {
    shard.is_busy = false
    if (this.#crashes_left > 0 && this.#random.chance(CRASH_OF_MILLION)) {
      this.#crashes_left -= 1
      shard.queue.unshift(...batch)
      shard.is_busy = true
      this.#schedule(this.#now + this.#deployment.restart_us, () => {
        shard.is_busy = false
        this.#begin(shard)
      })
      return
    }
    for (const message of batch) this.#apply(shard, message)
    this.#begin(shard)
  }

  #apply(shard: Shard, message: Message): void {
    switch (message.kind) {
      case 'order':
        this.#decide(shard, message.order)
        break
      case 'release':
        shard.cash.release(message.order.account, message.order.cost)
        break
      case 'ask':
        this.#send(shard, message.order)
        break
      case 'receive':
        this.#receive(shard, message.move)
        break
    }
  }

  #decide(shard: Shard, order: Order): void {
    const { account, cost } = order
    const waiting = shard.waiting.get(account)
    if (waiting !== undefined) waiting.orders.push(order)
    else if (shard.cash.free(account) >= cost) this.#accept(shard, order)
    else this.#ask(shard, order)
  }

  #accept(shard: Shard, order: Order): void {
    shard.cash.reserve(order.account, order.cost)
    this.#latencies.push(this.#now - order.arrives_us)
    this.#last_answer = this.#now
    this.#schedule(this.#now + order.hold_us, () => this.#deliver(shard.at, { kind: 'release', order }))
  }

  /** Asks for cash; orders of the account wait for it, so that one question serves all of them. */
  #ask(shard: Shard, order: Order): void {
    const asked = this.#askedBy(shard.at, order.account)
    if (asked.length === 0) {
      this.#refuse(order)
      return
    }
    shard.waiting.set(order.account, { awaited: asked.length, orders: [order] })
    for (const at of asked) this.#deliver(at, { kind: 'ask', order })
  }

  #askedBy(at: number, account: number): number[] {
    const { policy } = this.#deployment
    if (policy === 'ask_half') return this.#shards.flatMap((other) => (other.at === at ? [] : [other.at]))
    const home = this.#home(account)
    return policy === 'home' && home !== at ? [home] : []
  }

  #send(shard: Shard, { account, cost, shard: to }: Order): void {
    const free = shard.cash.free(account)
    const amount = this.#deployment.policy === 'home' ? Math.min(cost, free) : free >> 1
    const move = shard.cash.send(account, amount)
    this.#on_its_way += amount
    this.#deliver(to, { kind: 'receive', move })
    if (this.#random.chance(REPEATED_OF_MILLION)) this.#deliver(to, { kind: 'receive', move })
  }

  #receive(shard: Shard, move: Move): void {
    if (!shard.cash.receive(move)) return
    this.#on_its_way -= move.amount
    const waiting = shard.waiting.get(move.account)!
    waiting.awaited -= 1
    if (waiting.awaited > 0) return
    shard.waiting.delete(move.account)
    const [first, ...rest] = waiting.orders
    if (shard.cash.free(move.account) >= first!.cost) this.#accept(shard, first!)
    else this.#refuse(first!)
    for (const order of rest) this.#decide(shard, order)
  }

  #refuse({ account, cost }: Order): void {
    const free = this.#shards.reduce((sum, { cash }) => sum + cash.free(account), 0)
    this.#refused[free >= cost ? 'affordable' : 'poor'] += 1
    this.#last_answer = this.#now
  }
}

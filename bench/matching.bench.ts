/**
 * Measures limit orders and cancels in CPU seconds of one process, the sides taking turns:
 *   matching.kernel  the engine's own book, called as the engine calls it with every matching rule on, beside the order books of
 *                    the npm registry; all must end the same orders in the same order and leave the same depth first
 *   matching.ladder  the same book where orders of both outcomes of a complementary market share it; the others are fed with
 *                    orders that were mirrored beforehand
 *   matching.core    the whole core (rules, reservations, fees, ledger, events) beside the same books
 * The limit is arrays alone, without ids, holders and rules.
 * Goal: the kernel reaches 10 times the rate of the better of these books, and 8 times on one ladder.
 */

import { isDeepStrictEqual } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { invariant } from '../primitives/errors.ts'
import { apply } from '../trading/engine/apply.ts'
import { noChanges } from '../trading/engine/changes.ts'
import { finishBatch } from '../trading/engine/finish-batch.ts'
import type { BenchRow } from './bench-row.ts'
import { bareColumns, bareDepth, playBare } from './support/bare-book.ts'
import { BOOK_PEERS, peerDepth, playPeer } from './support/book-peers.ts'
import { kernelDepth, kernelFlow, playKernel } from './support/kernel-flow.ts'
import { ladderFlow } from './support/ladder-flow.ts'
import { type Operation, orderFlow, tradingState } from './support/order-flow.ts'
import { median, rounded } from './support/rounds.ts'
import { ruledFlow } from './support/ruled-flow.ts'

const OPERATIONS = 100_000
const ROUNDS = 5
/** Plays per round of a short flow. */
const REPEATS = 5
/** Commands per write of changes, as under load. */
const BATCH = 100
const START = 1_700_000_000_000_000

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

type Work = { readonly work: () => unknown; readonly repeats: number }

export async function run(): Promise<BenchRow[]> {
  const flow = orderFlow(OPERATIONS, 'bench')
  // The kernel first: a process has one kind of caller of its book, so the core must not have called it before.
  return [kernelRow(flow), ladderRow(flow), coreRow(flow)]
}

function kernelRow(flow: readonly Operation[]): BenchRow {
  const depth = checkPeers(flow)
  const [kernel, ruled, bare] = [kernelFlow(flow), ruledFlow(OPERATIONS, 'bench'), bareColumns(flow)]
  checkDepth('bare', bareDepth(playBare(bare)), depth)
  const repeated = (work: () => unknown) => ({ work, repeats: REPEATS })
  const taken = inTurns({
    kernel: repeated(() => playKernel(kernel)),
    ...peersOf(flow),
    bare: repeated(() => playBare(bare)),
    ruled: repeated(() => playKernel(ruled)),
  })
  return {
    figure: 'matching.kernel',
    ...betterRatio(taken.kernel, taken),
    goal: { at_least: 10 },
    details: {
      operations: OPERATIONS,
      ...ratiosOf(taken.kernel, taken),
      ours_per_cpu_s: rateOf(taken.kernel),
      with_orders_of_every_rule_per_cpu_s: rateOf(taken.ruled),
      ...peerRates(taken),
      bare_arrays_per_cpu_s: rateOf(taken.bare),
      of_bare_arrays: rounded(median(taken.bare.map((time, i) => time / taken.kernel[i]!))),
    },
  }
}

function ladderRow(flow: readonly Operation[]): BenchRow {
  const ladder = ladderFlow(flow, 'bench')
  const [expected, gone] = [[], []] as [string[], string[]]
  const depth = peerDepth(playPeer(BOOK_PEERS.nodejs_order_book(), flow, expected))
  checkDepth('ladder', kernelDepth(playKernel(ladder, gone, true)), depth)
  invariant(isDeepStrictEqual(gone, expected), 'one ladder fills the same orders in the same order')
  const taken = inTurns({ kernel: { work: () => playKernel(ladder, null, true), repeats: REPEATS }, ...peersOf(flow) })
  return {
    figure: 'matching.ladder',
    ...betterRatio(taken.kernel, taken),
    goal: { at_least: 8 },
    details: {
      operations: OPERATIONS,
      ...ratiosOf(taken.kernel, taken),
      ours_per_cpu_s: rateOf(taken.kernel),
      ...peerRates(taken),
    },
  }
}

function coreRow(flow: readonly Operation[]): BenchRow {
  const { book, rows } = playCore(flow)
  checkDepth('core', kernelDepth(book), peerDepth(playPeer(BOOK_PEERS.nodejs_order_book(), flow)))
  const taken = inTurns({ core: { work: () => playCore(flow), repeats: 1 }, ...peersOf(flow) })
  const rates = { ours_per_cpu_s: rateOf(taken.core), ...peerRates(taken) }
  return {
    figure: 'matching.core',
    ...betterRatio(taken.core, taken),
    goal: null,
    details: { operations: OPERATIONS, ...ratiosOf(taken.core, taken), ...rates, ...rows },
  }
}

function peersOf(flow: readonly Operation[]) {
  return {
    nodejs_order_book: { work: () => playPeer(BOOK_PEERS.nodejs_order_book(), flow), repeats: 1 },
    hft_limit_order_book: { work: () => playPeer(BOOK_PEERS.hft_limit_order_book(), flow), repeats: 1 },
  }
}

/** Checks that peers and kernel end the same resting orders in the same order with the same levels. @returns the levels */
function checkPeers(flow: readonly Operation[]): [number, number][][] {
  const [expected, found, gone] = [[], [], []] as [string[], string[], string[]]
  const depth = peerDepth(playPeer(BOOK_PEERS.nodejs_order_book(), flow, expected))
  checkDepth('hft', peerDepth(playPeer(BOOK_PEERS.hft_limit_order_book(), flow, found)), depth)
  checkDepth('kernel', kernelDepth(playKernel(kernelFlow(flow), gone)), depth)
  invariant(isDeepStrictEqual(found, expected), 'both peers fill the same orders in the same order')
  invariant(isDeepStrictEqual(gone, expected), 'the kernel fills the same orders in the same order')
  return depth
}

function checkDepth(name: string, found: [number, number][][], expected: [number, number][][]): void {
  invariant(isDeepStrictEqual(found, expected), `${name}: the book holds the same at the end`)
}

function playCore(flow: readonly Operation[]) {
  const state = tradingState()
  const rows = { events: 0, entries: 0 }
  let changes = noChanges()
  for (const [n, { command }] of flow.entries()) {
    apply(state, command, START + Math.floor(n / BATCH), changes)
    if (n % BATCH !== BATCH - 1) continue
    finishBatch(state, START + Math.floor(n / BATCH), changes)
    rows.events += changes.events.length
    rows.entries += changes.entries.length
    changes = noChanges()
  }
  const { book } = state.markets.get('mkt_1')!.outcomes.get('out_1')!
  return { book, rows }
}

/** Returns the CPU microseconds of each side by round, after a warm-up round; no side clears another's leftovers. */
function inTurns<K extends string>(works: Readonly<Record<K, Work>>): Record<K, number[]> {
  const names = Object.keys(works) as K[]
  const taken = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<K, number[]>
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const name of names) {
      const { work, repeats } = works[name]
      collectGarbage()
      const started = process.cpuUsage()
      for (let n = 0; n < repeats; n += 1) work()
      const { user, system } = process.cpuUsage(started)
      if (round >= 0) taken[name].push((user + system) / repeats)
    }
  }
  return taken
}

type Taken = Readonly<Record<keyof typeof BOOK_PEERS, readonly number[]>>

/** Returns our rate as a multiple of each peer's, round by round. */
function ratiosOf(ours: readonly number[], { nodejs_order_book, hft_limit_order_book }: Taken) {
  const to = (peer: readonly number[]) => ours.map((time, i) => rounded(peer[i]! / time))
  return { to_nodejs_order_book: to(nodejs_order_book), to_hft_limit_order_book: to(hft_limit_order_book) }
}

/** Returns the ratio to the better peer. */
function betterRatio(ours: readonly number[], taken: Taken) {
  return { value: Math.min(...Object.values(ratiosOf(ours, taken)).map(median)), unit: 'x' }
}

function rateOf(times: readonly number[]): number {
  return Math.round((OPERATIONS / median(times)) * 1_000_000)
}

function peerRates({ nodejs_order_book, hft_limit_order_book }: Taken) {
  return {
    nodejs_order_book_per_cpu_s: rateOf(nodejs_order_book),
    hft_limit_order_book_per_cpu_s: rateOf(hft_limit_order_book),
  }
}

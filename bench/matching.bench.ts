import { isDeepStrictEqual } from 'node:util'
import { OrderBook as PeerBook, Side as PeerSide } from 'nodejs-order-book'
import { invariant } from '../primitives/errors.ts'
import { apply } from '../trading/engine/apply.ts'
import { noChanges } from '../trading/engine/changes.ts'
import { finishBatch } from '../trading/engine/finish-batch.ts'
import type { EngineState } from '../trading/engine/state.ts'
import type { BenchRow } from './bench-row.ts'
import { type Operation, orderFlow, tradingState } from './support/order-flow.ts'
import { median, rounded } from './support/rounds.ts'

const OPERATIONS = 100_000
const ROUNDS = 3
/** Commands whose changes are written together, as under load. */
const BATCH = 100
const START = 1_700_000_000_000_000

/**
 * Limit orders and cancels through the whole core (rules, reservations, fees, ledger, events) beside the order book of the npm
 * registry that is used most, which has prices, sizes and ids alone. CPU seconds of one process, taking turns, after the same
 * trades. Goal: 10 times the peer.
 */
export async function run(): Promise<BenchRow[]> {
  const flow = orderFlow(OPERATIONS, 'bench')
  const { rows, depth } = ours(flow)
  invariant(isDeepStrictEqual(depth, peer(flow).depth), 'both books hold the same at the end')
  const [mine, theirs] = [[], []] as [number[], number[]]
  for (let round = 0; round < ROUNDS; round += 1) {
    mine.push(ours(flow).cpu_us)
    theirs.push(peer(flow).cpu_us)
  }
  const rate = (times: readonly number[]) => Math.round((OPERATIONS / median(times)) * 1_000_000)
  return [
    {
      figure: 'matching.core',
      value: rounded(median(theirs.map((time, i) => time / mine[i]!))),
      unit: 'x',
      goal: { at_least: 10 },
      details: { operations: OPERATIONS, ours_per_cpu_s: rate(mine), peer_per_cpu_s: rate(theirs), ...rows },
    },
  ]
}

function ours(flow: readonly Operation[]) {
  const state: EngineState = tradingState()
  const rows = { events: 0, entries: 0 }
  let changes = noChanges()
  const started = process.cpuUsage()
  for (const [n, { command }] of flow.entries()) {
    apply(state, command, START + Math.floor(n / BATCH), changes)
    if (n % BATCH !== BATCH - 1) continue
    finishBatch(state, START + Math.floor(n / BATCH), changes)
    rows.events += changes.events.length
    rows.entries += changes.entries.length
    changes = noChanges()
  }
  return { rows, cpu_us: cpuSince(started), depth: depthOf(state) }
}

/** Price and size of each level, asks then bids, best first. */
function depthOf(state: EngineState) {
  const { book } = state.markets.get('mkt_1')!.outcomes.get('out_1')!
  const levels = (side: 'BUY' | 'SELL') => [...book.levelsAgainst(side)].map(({ price, quantity }) => [price, quantity])
  return [levels('BUY'), levels('SELL')]
}

function peer(flow: readonly Operation[]) {
  const book = new PeerBook()
  const started = process.cpuUsage()
  for (const { id, side, price, quantity } of flow) {
    if (price === null) book.cancel(id)
    else book.limit({ id, side: side === 'BUY' ? PeerSide.BUY : PeerSide.SELL, size: quantity, price })
  }
  const cpu_us = cpuSince(started)
  const byPrice = (levels: [number, number][], sign: number) => levels.sort((a, b) => sign * (a[0] - b[0]))
  const [asks, bids] = book.depth() as [[number, number][], [number, number][]]
  return { cpu_us, depth: [byPrice(asks, 1), byPrice(bids, -1)] }
}

function cpuSince(started: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(started)
  return user + system
}

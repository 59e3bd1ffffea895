/**
 * Measures how long acts on 10,000 orders or holders hold the engine, and what an order of another account waits meanwhile: cancel-all,
 * pause, opening, market end, expiry, settlement and payout. Beside it the naive design on an equal database, taking turns: the same
 * engine, which carries out each act in one pass. Goals: the median slice of each act holds the engine for at most 20 ms of its
 * processor (`p99_ms` and `longest_ms` of the slices beside it; `wall_ms` is what the median took on this machine); the p99 of the other
 * account's orders stays below 250 ms.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { SETTLEMENT_POLICY } from '../operations/settlement/settlement-policy.ts'
import { invariant } from '../primitives/errors.ts'
import { wallClock } from '../primitives/wall-clock.ts'
import { startEngine } from '../trading/service/start-engine.ts'
import { auditTrading } from '../trading/store/audit-trading.ts'
import type { Pool } from '../trading/store/create-pool.ts'
import type { BenchRow } from './bench-row.ts'
import { CrowdedMarket, ORDERS, seedCrowd } from './support/crowded-market.ts'
import { HeldCore } from './support/held-core.ts'
import { median, rounded, spread } from './support/rounds.ts'
import { withSeededDatabases } from './support/trading-database.ts'

const ROUNDS = 3
const ALL_PLACED_MS = 40_000
const POLL_MS = 20
const BEFORE_MS = 50

type Figure = keyof Measured
type Measured = {
  readonly victim_longest_ms: number
  readonly held_ms: number
  readonly held_p99_ms: number
  readonly held_longest_ms: number
  readonly wall_ms: number
  readonly slices: number
  readonly victim_p99_ms: number
  readonly took_ms: number
}
type Side = 'ours' | 'naive'

export async function run(): Promise<BenchRow[]> {
  return withSeededDatabases(seed, async (fresh) => {
    const taken: Record<Side, Map<string, Measured>[]> = { ours: [], naive: [] }
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const side of ['ours', 'naive'] as const) {
        taken[side].push(await fresh(({ pool }) => measureSide(pool, side)))
      }
    }
    const acts = [...taken.ours[0]!.keys()]
    return acts.flatMap((act) => rowsOf(act, (side, of) => taken[side].map((measured) => measured.get(act)![of])))
  })
}

function rowsOf(act: string, of: (side: Side, figure: Figure) => number[]): BenchRow[] {
  const figure = (name: string, key: Figure, at_most: number): BenchRow => ({
    figure: `slices.${act}.${name}`,
    value: rounded(median(of('ours', key))),
    unit: 'ms',
    goal: { at_most },
    details: { ours_ms: of('ours', key).map(rounded), naive_ms: of('naive', key).map(rounded) },
  })
  const wall = { wall_ms: of('ours', 'wall_ms').map(rounded), naive_wall_ms: of('naive', 'wall_ms').map(rounded) }
  const took = { took_ms: of('ours', 'took_ms').map(rounded), naive_took_ms: of('naive', 'took_ms').map(rounded) }
  const held = figure('held', 'held_ms', 20)
  const slices = {
    p99_ms: of('ours', 'held_p99_ms').map(rounded),
    longest_ms: of('ours', 'held_longest_ms').map(rounded),
    slices: of('ours', 'slices'),
  }
  const waits = {
    longest_ms: of('ours', 'victim_longest_ms').map(rounded),
    naive_longest_ms: of('naive', 'victim_longest_ms').map(rounded),
  }
  const other = figure('other_p99', 'victim_p99_ms', 250)
  return [
    { ...held, details: { ...held.details, ...slices, ...wall, ...took } },
    { ...other, details: { ...other.details, ...waits } },
  ]
}

async function seed(pool: Pool): Promise<void> {
  const engine = await startEngine({ pool, now: wallClock, holder: 'bench', address: null })
  await engine.leading
  await seedCrowd(engine.client)
  await engine.stop()
}

async function measureSide(pool: Pool, side: Side): Promise<Map<string, Measured>> {
  const held = new HeldCore(side === 'naive' ? Number.POSITIVE_INFINITY : null)
  const engine = await startEngine({ pool, now: wallClock, holder: 'bench', address: null, core: held.core })
  await engine.leading
  const portion = side === 'naive' ? Number.POSITIVE_INFINITY : SETTLEMENT_POLICY.batch_max
  const world = new CrowdedMarket(engine, pool, portion)
  const found = new Map<string, Measured>()
  const measure = async (name: string, act: () => Promise<unknown>, isDone: () => boolean = () => true) => {
    held.begin()
    const measured = await besideVictim(world, act, isDone)
    found.set(name, { ...heldBy(held.slices), ...measured })
  }
  await carryOutAll(world, measure)
  await engine.stop()
  const broken = (await auditTrading(pool, { without: ['O10'] })).filter(({ violations }) => violations.length > 0)
  invariant(broken.length === 0, `the invariants hold: ${broken.map(({ invariant_id }) => invariant_id)}`)
  return found
}

/** Median and greatest times of the slices of an act. */
function heldBy(slices: HeldCore['slices']) {
  const processor = slices.map(({ processor_ms }) => processor_ms)
  const held = spread(processor)
  return {
    held_ms: held.p50,
    held_p99_ms: held.p99,
    held_longest_ms: Math.max(...processor),
    wall_ms: spread(slices.map(({ wall_ms }) => wall_ms)).p50,
    slices: slices.length,
  }
}

type Measure = (name: string, act: () => Promise<unknown>, isDone?: () => boolean) => Promise<void>

async function carryOutAll(world: CrowdedMarket, measure: Measure): Promise<void> {
  const areGone = () => world.counts().working === 0
  // Compiling hot code is not part of what an act costs.
  await world.rest()
  await world.move('paused')
  while (world.counts().suspended < ORDERS) await sleep(POLL_MS)
  await world.move('open')
  await world.cancelAll()
  while (!areGone()) await sleep(POLL_MS)
  await world.rest()
  await measure('cancel_all', () => world.cancelAll(), areGone)
  await world.rest()
  await measure(
    'pause',
    () => world.move('paused'),
    () => world.counts().suspended === ORDERS,
  )
  await measure(
    'open',
    () => world.move('open'),
    () => world.counts().suspended === 0,
  )
  await world.cancelAll()
  while (!areGone()) await sleep(POLL_MS)
  const expires_at = wallClock() + ALL_PLACED_MS * 1_000
  await world.rest({ time_in_force: 'GTD', expires_at })
  invariant(world.counts().working === ORDERS, 'all orders are placed before they expire')
  await sleep((expires_at - wallClock()) / 1_000 - BEFORE_MS)
  await measure('expiry', () => sleep(BEFORE_MS), areGone)
  await measure('settle', () => world.settle())
  await world.resolve()
  await measure('pay', () => world.pay())
  await world.rest()
  await measure('market_end', () => world.move('closed'), areGone)
}

/** Carries out an act while another account sends one order after the other. */
async function besideVictim(world: CrowdedMarket, act: () => Promise<unknown>, isDone: () => boolean) {
  let has_ended = false
  const waits: number[] = []
  const victim = (async () => {
    while (!has_ended) waits.push(await world.victimMs())
  })()
  const begun = performance.now()
  await act()
  while (!isDone()) await sleep(POLL_MS)
  const took_ms = performance.now() - begun
  has_ended = true
  await victim
  return { victim_p99_ms: spread(waits).p99, victim_longest_ms: Math.max(...waits), took_ms }
}

/**
 * Measures what an account waits for its orders over HTTP while another one places 10,000 orders and cancels them all, again and again,
 * as fast as the highest tier of rate limits allows: one server process, as `tidemark up` runs it. Beside it the naive design on an equal database, taking turns: the
 * same server, whose engine cancels all of them in one pass. Goal: the p99 of the account's orders is at most 250 ms.
 */

import { invariant } from '../primitives/errors.ts'
import { wallClock } from '../primitives/wall-clock.ts'
import { keyEncryptionKey } from '../trading/auth/seal-secret.ts'
import { startEngine } from '../trading/service/start-engine.ts'
import type { Pool } from '../trading/store/create-pool.ts'
import type { BenchRow } from './bench-row.ts'
import { type CancelStorm, cancelStorm, signStorm } from './load/cancel-storm.ts'
import { type LoadWorld, makeLoadWorld } from './load/load-world.ts'
import { SEALING, withOrdersServer } from './support/orders-process.ts'
import { median, rounded, spread } from './support/rounds.ts'
import { withSeededCopies } from './support/seeded-copies.ts'

const ROUNDS = 3
/** Placements of 10,000 orders in one storm. */
const STORM_ROUNDS = 3
const OTHERS_MAX = 20_000
const MARKETS = 6

export async function run(): Promise<BenchRow[]> {
  return withSeededCopies(seedWorld, async (copies, world) => {
    const storm = await signStorm(world, STORM_ROUNDS, OTHERS_MAX)
    const storms = { ours: [] as CancelStorm[], naive: [] as CancelStorm[] }
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const side of ['ours', 'naive'] as const) {
        const asked = {
          kind: 'ours',
          accounts: world.accounts,
          orders: 0,
          connections: 0,
          is_unsliced: side === 'naive',
        } as const
        const taken = await copies((url) =>
          withOrdersServer({ ...asked, url }, (base_url) => cancelStorm(base_url, world, storm)),
        )
        checkStorm(taken)
        storms[side].push(taken)
      }
    }
    return [rowOf(storms.ours, storms.naive)]
  })
}

function rowOf(ours: readonly CancelStorm[], naive: readonly CancelStorm[]): BenchRow {
  const waits = ({ others }: CancelStorm) => others.map(({ took_ms }) => took_ms)
  const p99 = (storms: readonly CancelStorm[]) => storms.map((storm) => spread(waits(storm)).p99)
  const longest = (storms: readonly CancelStorm[]) => storms.map((storm) => rounded(Math.max(...waits(storm))))
  const canceled = (storms: readonly CancelStorm[]) => storms.map(({ cancel_ms }) => rounded(Math.max(...cancel_ms)))
  return {
    figure: 'cancel_storm.other_p99',
    value: median(p99(ours)),
    unit: 'ms',
    goal: { at_most: 250 },
    details: {
      p50_ms: ours.map((storm) => spread(waits(storm)).p50),
      p99_ms: p99(ours),
      longest_ms: longest(ours),
      cancel_all_ms: canceled(ours),
      naive_p99_ms: p99(naive),
      naive_longest_ms: longest(naive),
      naive_cancel_all_ms: canceled(naive),
      others: ours.map(({ others }) => others.length),
    },
  }
}

function checkStorm({ others, statuses }: CancelStorm): void {
  const refused = others.find(({ status }) => status !== 201)
  invariant(refused === undefined, `every order of the account is accepted: ${refused?.status} ${refused?.code}`)
  const failed = Object.keys(statuses).filter((status) => !status.startsWith('200'))
  invariant(failed.length === 0, `nothing of the storm fails: ${JSON.stringify(statuses)}`)
}

/** Makes funded accounts with keys, and open markets. */
async function seedWorld(pool: Pool): Promise<LoadWorld> {
  const engine = await startEngine({ pool, now: wallClock, holder: 'bench', address: null })
  await engine.leading
  const world = await makeLoadWorld(engine.client, keyEncryptionKey(SEALING, 'bench'), 2, MARKETS)
  await engine.stop()
  return world
}

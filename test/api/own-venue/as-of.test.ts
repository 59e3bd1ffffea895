import { expect, test } from 'vitest'
import type { OperatorCommand } from '../../../trading/engine/submission.ts'
import { wallClock } from '../../../trading/service/start-engine.ts'
import type { Pool } from '../../../trading/store/create-pool.ts'
import { checkpointKeeper } from '../../../trading/store/keep-checkpoints.ts'
import { seededRandom } from '../../support/random.ts'
import { sized } from '../../support/sized.ts'
import { withDatabase } from '../../support/trading/postgres.ts'
import { randomSettling } from '../../support/trading/random-settling.ts'
import { randomSubmissions, untilNothingExpires } from '../../support/trading/random-submissions.ts'
import { startLeader, startWorld, submitInPortions, until, withEnds } from './own-world.ts'
import { type ServedVenue, type Stored, serveVenue } from './serve-venue.ts'

const database = withDatabase()
const atEnd = withEnds()

/** Every answer about an own market that comes from the engine's events. */
const PATHS = [
  '/markets/mkt_1/price',
  '/markets/mkt_1/orderbook?outcome_id=out_yes&depth=2',
  '/markets/mkt_1/orderbook?outcome_id=out_yes',
  '/markets/mkt_1/orderbook?outcome_id=out_no',
  '/markets/mkt_1/trades?limit=1000',
  '/markets/mkt_1/trades?limit=1000&outcome_id=out_no',
]

type Served = { readonly path: string; readonly published_at: string; readonly data: unknown }

/** Asks for every path once. The only field of data that depends on now is freshness_ms. */
async function askAll(api: ServedVenue): Promise<Served[]> {
  return await Promise.all(
    PATHS.map(async (path) => {
      const { status, body } = await api.get(path)
      expect({ path, status }).toEqual({ path, status: 200 })
      return { path, published_at: body.meta.published_at, data: timeless(body.data) }
    }),
  )
}

function timeless(data: Readonly<Record<string, unknown>> | readonly unknown[]): unknown {
  if (Array.isArray(data)) return data
  const { freshness_ms: _, ...rest } = data as Readonly<Record<string, unknown>>
  return rest
}

async function expectSame(api: ServedVenue, served: readonly Served[]): Promise<void> {
  for (const { path, published_at, data } of served) {
    const again = await api.get(`${path}${path.includes('?') ? '&' : '?'}as_of=${published_at}`)
    expect({ path, published_at, status: again.status, data: timeless(again.body.data) }).toEqual({
      path,
      published_at,
      status: 200,
      data,
    })
    expect(again.body.meta.as_of).toBe(published_at)
  }
}

async function serve(pool: Pool, stored: Stored): Promise<ServedVenue> {
  const api = await serveVenue(pool, stored)
  atEnd(api.stop)
  await until(() => api.venue.market('mkt_1') !== null)
  return api
}

const proposal = (resolution_id: string, payout: string): OperatorCommand => ({
  kind: 'propose_resolution',
  resolution_id,
  market_id: 'mkt_1',
  payouts: [
    { outcome_id: 'out_yes', payout },
    { outcome_id: 'out_no', payout: payout === '1' ? '0' : '1' },
  ],
  verdict: 'resolved',
  evidence: [],
  resolver: { kind: 'operator', resolver_id: null },
  dispute_window_ms: 1,
})

test.each(Array.from({ length: sized(2, 20) }, (_, nth) => 71 + nth))(
  'flow %i: every served answer is the answer as of its published_at, later and after a restart',
  async (seed) => {
    const { pool } = await database()
    const world = await startWorld(pool)
    const { maker, engine } = world
    const random = seededRandom(seed)
    const operate = (command: OperatorCommand) => engine.client.submit(maker.operate(command))
    const api = await serve(pool, { client: engine.client })
    const served: Served[] = []
    const flow = randomSubmissions(seed, sized(240, 2_000), wallClock())
    const keeper = checkpointKeeper(pool, 25)
    let portions = 0
    let is_over = false
    // Asks while the engine commits: most answers are of an instant shortly before a batch that memory does not have yet.
    const asking = (async () => {
      while (!is_over) served.push(...(await askAll(api)))
    })()
    await submitInPortions(engine.client, flow, 6, async () => {
      portions += 1
      if (portions % 3 === 0) {
        const settling = await randomSettling(pool, random, `s${seed}n${portions}`)
        if (settling !== null) await operate(settling)
      }
      // Half of the flow has checkpoints at some of its events.
      if (portions === 20) await keeper.keep(await keeper.outcomes(), (await api.reads.head()).engine_sequence)
    })
    is_over = true
    await asking
    await expectSame(api, served)
    await untilNothingExpires(pool)
    const moves: OperatorCommand[] = [
      { kind: 'move_market', market_id: 'mkt_1', to: 'open' },
      { kind: 'move_market', market_id: 'mkt_1', to: 'closed' },
      proposal(`res_${seed}`, '1'),
      { kind: 'finalize_resolution', resolution_id: `res_${seed}` },
    ]
    for (const move of moves) {
      await operate(move)
      served.push(...(await askAll(api)))
    }
    expect(new Set(served.map(({ published_at }) => published_at)).size).toBeGreaterThan(portions)
    expect(new Set(served.map(({ data }) => JSON.stringify(data))).size).toBeGreaterThan(portions)
    await world.stop()
    const again = await startLeader(pool)
    atEnd(again.stop)
    const fresh = await serve(pool, { client: again.client })
    await expectSame(fresh, served)
  },
  120_000,
)

import { expect, test } from 'vitest'
import { formatMicros, toMicros } from '../../../primitives/instants.ts'
import { wallClock } from '../../../primitives/wall-clock.ts'
import type { OperatorCommand } from '../../../trading/engine/submission.ts'
import type { Pool } from '../../../trading/store/create-pool.ts'
import { checkpointKeeper } from '../../../trading/store/keep-checkpoints.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { seededRandom } from '../../support/random.ts'
import { sized } from '../../support/sized.ts'
import { withDatabase } from '../../support/trading/postgres.ts'
import { randomSettling } from '../../support/trading/random-settling.ts'
import { randomSubmissions, untilNothingExpires } from '../../support/trading/random-submissions.ts'
import { startLeader, startWorld, submitInPortions, until, withEnds } from './own-world.ts'
import { type ServedVenue, STORED_MARKET, type Stored, serveVenue } from './serve-venue.ts'

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
  '/markets/mkt_1/trades?limit=1000&outcome_id=out_yes',
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

/** Answers that are asked again; in the fast lane every third one, which in turn are of every path. */
const someOf = (served: readonly Served[]) => served.filter((_, n) => n % sized(3, 1) === 0)

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

const proposal = (resolution_id: string, payout: string, other = payout === '1' ? '0' : '1'): OperatorCommand => ({
  kind: 'propose_resolution',
  resolution_id,
  market_id: 'mkt_1',
  payouts: [
    { outcome_id: 'out_yes', payout },
    { outcome_id: 'out_no', payout: other },
  ],
  verdict: 'resolved',
  evidence: [],
  resolver: { kind: 'operator', resolver_id: null },
  dispute_window_ms: 1,
})

const FLOWS = Array.from({ length: sized(2, 20) }, (_, nth) => [71 + nth, nth % 2 === 0 ? 'one ladder' : 'two books'])

test.each(FLOWS)(
  'flow %i, %s: every served answer is the answer as of its published_at, later and after a restart',
  async (flow_seed, books) => {
    const { pool } = await database()
    const seed = Number(flow_seed)
    const world = await startWorld(pool, books === 'one ladder')
    const { maker, engine } = world
    const random = seededRandom(seed)
    const operate = (command: OperatorCommand) => engine.client.submit(maker.operate(command))
    const api = await serve(pool, { client: engine.client })
    const served: Served[] = []
    const flow = randomSubmissions(seed, sized(132, 2_000), wallClock())
    const keeper = checkpointKeeper(pool, 25)
    let portions = 0
    let is_over = false
    // Asks while the engine commits: most answers are of an instant shortly before a batch that memory does not have yet.
    let rounds = 0
    const asking = (async () => {
      while (!is_over) {
        served.push(...(await askAll(api)))
        rounds += 1
      }
    })()
    await submitInPortions(engine.client, flow, 6, async () => {
      portions += 1
      // However the system shares its time: the flow does not run away from those who ask.
      const asked = rounds
      if (portions % 2 === 0) await until(() => rounds > asked)
      if (portions % 3 === 0) {
        const settling = await randomSettling(pool, random, `s${seed}n${portions}`)
        if (settling !== null) await operate(settling)
      }
      // Half of the flow has checkpoints at some of its events.
      if (portions === 20) await keeper.keep(await keeper.outcomes(), (await api.reads.head()).engine_sequence)
    })
    is_over = true
    await asking
    await expectSame(api, someOf(served))
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
    expect(new Set(served.map(({ published_at }) => published_at)).size).toBeGreaterThan(portions / 2)
    expect(new Set(served.map(({ data }) => JSON.stringify(data))).size).toBeGreaterThan(portions)
    await world.stop()
    const again = await startLeader(pool)
    atEnd(again.stop)
    const fresh = await serve(pool, { client: again.client })
    await expectSame(fresh, someOf(served))
  },
  120_000,
)

/** A mark of mkt_1 published now. */
function markOf(outcome_id: string, mark: string): Row {
  const at = wallClock()
  return {
    mark_id: `mrk_${outcome_id}_${at}`,
    venue_id: 'tidemark',
    source_series_id: null,
    market_id: 'mkt_1',
    outcome_id,
    mark,
    implied_probability: mark,
    mark_rule: 'midpoint',
    derived: false,
    source_observation_ids: [],
    methodology_id: 'mth_1',
    methodology_version: '1.0.0',
    published_at: formatMicros(at),
  }
}

test('a mark is shown from the next engine batch on, so that the view is of one instant', async () => {
  const { pool } = await database()
  const { engine, maker, stop } = await startWorld(pool)
  atEnd(stop)
  const marks = [markOf('out_yes', '0.400000000')]
  const api = await serve(pool, { client: engine.client, marks })
  await engine.client.submit(maker.place('acct_a', { limit_price: '0.37' }))
  const shown = async () => (await askAll(api))[0]!
  const markIn = ({ data }: Served) => (data as { outcomes: { mark: string | null }[] }).outcomes[0]!.mark
  await until(async () => markIn(await shown()) === '0.400000000')
  marks.push(markOf('out_yes', '0.410000000'))
  const before = await shown()
  expect(markIn(before)).toBe('0.400000000')
  await engine.client.submit(maker.place('acct_a', { limit_price: '0.36' }))
  await until(async () => markIn(await shown()) === '0.410000000')
  await expectSame(api, [before, await shown()])
})

test('an idle engine is stamped while answers are read, so that they are never of long ago', async () => {
  const { pool } = await database()
  const { engine, stop } = await startWorld(pool)
  atEnd(stop)
  const api = await serve(pool, { client: engine.client })
  const begun = wallClock()
  const batches = async () => (await pool.query('SELECT count(*)::integer AS n FROM trading.engine_batch')).rows[0].n
  const at_first = await batches()
  await new Promise((resolve) => setTimeout(resolve, 6_000))
  expect(await batches()).toBe(at_first)
  await until(async () => toMicros((await api.get('/markets/mkt_1/price')).body.meta.published_at) > begun)
  expect(await batches()).toBeLessThan(at_first + 4)
})

/** The last microsecond that is over. */
const justNow = () => wallClock() - 1

test('a market and its event show the status, the payouts and the dates of every instant, as the engine’s moves left them', async () => {
  const { pool } = await database()
  const { engine, maker, stop } = await startWorld(pool)
  atEnd(stop)
  const event = {
    event_id: 'evt_1',
    title: 'One, or not',
    market_ids: ['mkt_1'],
    status: null,
    published_at: STORED_MARKET.published_at,
  }
  const markets = [STORED_MARKET]
  const events = [{ ...event, source_mappings: [{ venue_id: 'tidemark' }] }]
  const constituents = [{ constituent_id: 'con_1', market_id: 'mkt_1' }]
  const versions = [{ index_id: 'idx_1', index_version_id: 'idv_1', constituents }]
  const api = await serve(pool, { client: engine.client, markets, events, versions })
  const expanded = '/indexes/idx_1/versions/idv_1/constituents?expand=market,outcomes'
  const paths = ['/markets/mkt_1', '/markets?venue_id=tidemark', '/events/evt_1', '/events?venue_id=tidemark', expanded]
  const served: { path: string; published_at: string; data: unknown }[] = []
  const payouts = new Set<unknown>()
  for (const move of [
    { kind: 'move_market', market_id: 'mkt_1', to: 'paused' },
    { kind: 'move_market', market_id: 'mkt_1', to: 'closed' },
    proposal('res_1', '0.4', '0.6'),
    { kind: 'finalize_resolution', resolution_id: 'res_1' },
  ] as const) {
    const at = (await api.reads.head()).at
    await engine.client.submit(maker.operate(move))
    await until(async () => api.venue.published_at() > at)
    for (const path of paths) {
      const { body } = await api.get(path)
      served.push({ path, published_at: body.meta.published_at, data: body.data })
    }
    const { rows } = await pool.query('SELECT status, updated_at FROM trading.market')
    const market = (await api.get('/markets/mkt_1')).body.data
    expect(market).toMatchObject({
      status: rows[0].status,
      slug: 'one',
      updated_at: formatMicros(rows[0].updated_at),
      source_at: formatMicros(rows[0].updated_at),
    })
    const [constituent] = (await api.get(expanded)).body.data
    expect({ market: constituent.market, outcomes: constituent.outcomes }).toEqual({
      market,
      outcomes: market.outcomes,
    })
    payouts.add(market.outcomes[0].payout_value)
    const { status, slug } = (await api.get('/events/evt_1')).body.data
    expect({ status, slug }).toEqual({ status: market.status === 'resolved' ? 'ended' : 'ongoing', slug: 'one-or-not' })
  }
  expect([...payouts]).toEqual([null, '0.400000000'])
  await new Promise((resolve) => setTimeout(resolve, 5))
  for (const { path, published_at, data } of served) {
    const { body } = await api.get(`${path}${path.includes('?') ? '&' : '?'}as_of=${published_at}`)
    expect({ path, data: body.data }).toEqual({ path, data })
  }
})

/** An answer without the field that depends on now (docs/doctor.md). */
const withoutAge = (data: unknown) =>
  JSON.parse(JSON.stringify(data, (name, value) => (name === 'freshness_ms' ? undefined : value)))

test('a current answer of an instant before the newest moves shows the states of that instant', async () => {
  const { pool } = await database()
  const { engine, maker, stop } = await startWorld(pool)
  atEnd(stop)
  const api = await serve(pool, { client: engine.client, markets: [STORED_MARKET], behind_ms: 300 })
  const paths = ['/markets/mkt_1', '/markets?venue_id=tidemark', '/market-prices?market_ids=mkt_1']
  const served: { path: string; published_at: string; data: unknown }[] = []
  await new Promise((resolve) => setTimeout(resolve, 400))
  for (const to of ['paused', 'open', 'closed'] as const) {
    await engine.client.submit(maker.operate({ kind: 'move_market', market_id: 'mkt_1', to }))
    await until(async () => api.venue.market('mkt_1')?.status === to)
    for (const path of paths) {
      const { status, body } = await api.get(path)
      expect(status).toBe(200)
      served.push({ path, published_at: body.meta.published_at, data: withoutAge(body.data) })
    }
  }
  await new Promise((resolve) => setTimeout(resolve, 400))
  expect((await api.get('/markets/mkt_1')).body.data.status).toBe('closed')
  for (const { path, published_at, data } of served) {
    const { body } = await api.get(`${path}${path.includes('?') ? '&' : '?'}as_of=${published_at}`)
    expect({ path, data: withoutAge(body.data) }).toEqual({ path, data })
  }
})

const UNAVAILABLE = 'VALIDATION_AS_OF_UNAVAILABLE'

test('an instant is asked of the future, of an engine that is gone, and of before the listing', async () => {
  const { pool } = await database()
  const before = wallClock() - 1
  const { engine, stop } = await startWorld(pool)
  const markets = [STORED_MARKET]
  const api = await serve(pool, { client: engine.client, markets })
  const codeAt = async (path: string, at: number) => {
    const { status, body } = await api.get(`/markets/mkt_1/${path}as_of=${formatMicros(at)}`)
    if (status === 200) return 200
    const { code, retryable, retry_after_ms = null } = body.error
    return code === UNAVAILABLE ? [code, retryable, retry_after_ms] : code
  }
  for (const path of ['price?', 'orderbook?outcome_id=out_yes&', 'trades?limit=5&']) {
    expect(await codeAt(path, wallClock() + 60_000_000)).toBe('VALIDATION_AS_OF_IN_FUTURE')
    expect(await codeAt(path, justNow())).toBe(200)
    // The warehouse knows the market since long ago; the events of that time are not here.
    expect(await codeAt(path, before)).toEqual([UNAVAILABLE, false, null])
  }
  const last = justNow()
  expect(await codeAt('price?', last)).toBe(200)
  await stop()
  await until(() => justNow() > last)
  expect(await codeAt('price?', last)).toBe(200)
  // Merely not final yet: another engine may seal it.
  expect(await codeAt('price?', justNow())).toEqual([UNAVAILABLE, false, 2000])
  markets.pop()
  expect(await codeAt('price?', before)).toBe('MARKET_NOT_FOUND')
})

import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { afterEach, describe, expect, test } from 'vitest'
import { wallClock } from '../../../primitives/wall-clock.ts'
import type { Submission } from '../../../trading/engine/submission.ts'
import { ENGINE_CORE, type EngineCore } from '../../../trading/service/engine-core.ts'
import type { EngineOptions, StartedEngine } from '../../../trading/service/start-engine.ts'
import type { Pool } from '../../../trading/store/create-pool.ts'
import { sized } from '../../support/sized.ts'
import { withDatabase } from '../../support/trading/postgres.ts'
import { ACCOUNTS, randomSubmissions } from '../../support/trading/random-submissions.ts'
import { SubmissionMaker } from '../../support/trading/submissions.ts'
import { endEngineBackend, REFUSED_ROWS, startLeading, stopAndReload, violations } from '../support/engine-faults.ts'

const database = withDatabase()
const ended: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const end of ended.splice(0).reverse()) await end()
})

/** A lease that no test outlives: to renew it waits for the batch on its way, and then nothing is decided beside that one. */
const LEASE_MS = 600_000

/** An engine whose decisions are seen: the order ids in the order in which they were applied. */
async function start(pool: Pool, options: Partial<EngineOptions> = {}) {
  const applied: string[] = []
  const { core = ENGINE_CORE, ...others } = options
  const seen: EngineCore = {
    ...core,
    apply: (state, submission, ...rest) => {
      if (submission.kind === 'place') applied.push(submission.order.intent.order_id)
      return core.apply(state, submission, ...rest)
    },
  }
  const engine = await startLeading(pool, { core: seen, lease_ms: LEASE_MS, ...others })
  ended.push(() => engine.stop())
  const maker = new SubmissionMaker('s')
  for (const submission of maker.setUp(ACCOUNTS)) await engine.client.submit(submission)
  applied.length = 0
  return { engine, applied, maker }
}

/** Keeps everybody from writing orders, so that a batch which has some stays on its way. */
async function holdOrders(pool: Pool): Promise<{ let_go: () => Promise<void> }> {
  const client: pg.PoolClient = await pool.connect()
  await client.query('BEGIN')
  await client.query('LOCK TABLE trading.orders IN SHARE MODE')
  let is_held = true
  const let_go = async () => {
    if (!is_held) return
    is_held = false
    await client.query('COMMIT')
    client.release()
  }
  ended.push(let_go)
  return { let_go }
}

/** Sends orders one after the other, each once the one before was decided. */
async function sendEach(engine: StartedEngine, applied: readonly string[], orders: readonly Submission[]) {
  const answers: Promise<PromiseSettledResult<unknown>>[] = []
  let answered = 0
  for (const [place, order] of orders.entries()) {
    const sent = Promise.allSettled([engine.client.submit(order)]).then(([result]) => {
      answered += 1
      return result!
    })
    answers.push(sent)
    await expect.poll(() => applied.length).toBe(place + 1)
  }
  return { answers: Promise.all(answers), answered: () => answered }
}

async function stored(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query('SELECT order_id FROM trading.orders ORDER BY accepted_sequence')
  return rows.map(({ order_id }) => order_id)
}

describe('a batch that is decided while the one before is on its way', () => {
  test('is written and answered after it', async () => {
    const { pool } = await database()
    const { engine, applied, maker } = await start(pool)
    const { let_go } = await holdOrders(pool)
    const orders = [maker.place('acct_a'), maker.place('acct_b', { side: 'SELL' })]
    const { answers, answered } = await sendEach(engine, applied, orders)
    const before = engine.client.status().engine_sequence
    await sleep(50)
    expect(answered()).toBe(0)
    await let_go()
    expect((await answers).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
    expect(engine.client.status().engine_sequence).toBeGreaterThan(before)
    expect(await stored(pool)).toEqual(applied)
    const { reloaded, memory } = await stopAndReload(pool, engine)
    expect(reloaded).toEqual(memory)
    expect(await violations(pool)).toEqual([])
  })

  test('knows the keys of that one: a repeat is given its answer, a second use is refused', async () => {
    const { pool } = await database()
    const { engine, applied, maker } = await start(pool)
    const { let_go } = await holdOrders(pool)
    const [place, other] = [maker.place('acct_a'), maker.place('acct_a')]
    const { answers } = await sendEach(engine, applied, [place])
    const repeat = engine.client.submit({ ...place, identity: { ...place.identity, nonce: other.identity.nonce } })
    const again = engine.client.submit(place)
    await sleep(50)
    await let_go()
    await answers
    expect(await repeat).toMatchObject({ status: 201, replayed: true })
    expect((await again).error?.code).toBe('REPLAY_REQUEST_NONCE_REUSED')
    expect(await stored(pool)).toHaveLength(1)
  })

  test('is decided again where a table refuses that one: it was built on what never happened', async () => {
    const { pool } = await database()
    const { engine, applied, maker } = await start(pool, { core: REFUSED_ROWS })
    const { let_go } = await holdOrders(pool)
    // The second one would meet the first one, had that happened.
    const orders = [
      maker.place('acct_a', { limit_price: '0.13' }),
      maker.place('acct_b', { side: 'SELL', limit_price: '0.12' }),
    ]
    const { answers } = await sendEach(engine, applied, orders)
    await let_go()
    const [first, second] = await answers
    expect(first).toMatchObject({ status: 'rejected', reason: { code: 'INTERNAL_ERROR' } })
    expect(second).toMatchObject({ status: 'fulfilled', value: { status: 201 } })
    const { rows } = await pool.query('SELECT order_id, filled_quantity FROM trading.orders')
    expect(rows).toEqual([{ order_id: orders[1]!.order.intent.order_id, filled_quantity: 0 }])
    const { reloaded, memory } = await stopAndReload(pool, engine)
    expect(reloaded).toEqual(memory)
    expect(await violations(pool)).toEqual([])
  })

  test('never happened where the connection is lost: its caller is told so, and may ask again', async () => {
    const { pool } = await database()
    const { engine, applied, maker } = await start(pool)
    await holdOrders(pool)
    const orders = [maker.place('acct_a'), maker.place('acct_b')]
    const { answers } = await sendEach(engine, applied, orders)
    await endEngineBackend(pool)
    const [first, second] = await answers
    expect(['OUTCOME_UNKNOWN', 'SERVICE_UNAVAILABLE']).toContain((first as PromiseRejectedResult).reason.code)
    expect(second).toMatchObject({ status: 'rejected', reason: { code: 'SERVICE_UNAVAILABLE' } })
    for (const end of ended.splice(1)) await end()
    await expect.poll(() => engine.client.status().phase).toBe('leading')
    expect(await engine.client.submit(orders[1]!)).toMatchObject({ status: 201 })
    expect(await stored(pool)).toEqual([orders[1]!.order.intent.order_id])
    expect(await violations(pool)).toEqual([])
  })
})

test.each([1, 2])(
  'batches one behind the other, history %i: all invariants hold, a reload equals the memory',
  async (seed) => {
    const { pool } = await database()
    let batches = 0
    const gather = { wait_ms: 1, siblings: 1, enough: 4 }
    const { engine } = await start(pool, { batch_max: 4, gather, onBatch: () => (batches += 1) })
    const submissions = randomSubmissions(seed, sized(250, 400), wallClock())
    await Promise.allSettled(submissions.map((submission) => engine.client.submit(submission)))
    expect(batches).toBeGreaterThan(sized(62, 100))
    const { reloaded, memory } = await stopAndReload(pool, engine)
    expect(reloaded).toEqual(memory)
    expect(await violations(pool)).toEqual([])
  },
)

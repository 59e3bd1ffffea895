import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { InvariantError, invariant } from '../../../primitives/errors.ts'
import { wallClock } from '../../../primitives/wall-clock.ts'
import type { Submission } from '../../../trading/engine/submission.ts'
import { ENGINE_CORE, type EngineCore } from '../../../trading/service/engine-core.ts'
import {
  type EngineOptions,
  type StartedEngine,
  startEngine,
  type Takeover,
} from '../../../trading/service/start-engine.ts'
import type { Pool } from '../../../trading/store/create-pool.ts'
import { startPostgres } from '../../../trading/store/start-postgres.ts'
import { sized } from '../../support/sized.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { withDatabase } from '../../support/trading/postgres.ts'
import { SubmissionMaker } from '../../support/trading/submissions.ts'
import { endEngineBackend, REFUSED_ROWS, startLeading, violations } from '../support/engine-faults.ts'

const database = withDatabase()
const engines: StartedEngine[] = []

afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.stop()
})

async function start(pool: Pool, options: Partial<EngineOptions> = {}): Promise<StartedEngine> {
  const engine = await startLeading(pool, options)
  engines.push(engine)
  return engine
}

async function setUp(engine: StartedEngine, maker: SubmissionMaker): Promise<void> {
  await Promise.all(maker.setUp(['acct_a', 'acct_b']).map((submission) => engine.client.submit(submission)))
}

function priceOf(submission: Submission): string | null {
  return submission.kind === 'place' ? submission.order.intent.limit_price : null
}

/** A core with a planted fault: it fails in the middle of an order at 0.13, its state already changed. */
const FAULTY: EngineCore = {
  ...ENGINE_CORE,
  apply: (state, submission, facts, now, changes) => {
    const answer = ENGINE_CORE.apply(state, submission, facts, now, changes)
    invariant(priceOf(submission) !== '0.13', 'a planted fault')
    return answer
  },
}

describe('a submission that the core fails at', () => {
  test('is answered INTERNAL_ERROR, leaves no trace, and holds up none of its batch', async () => {
    const { pool } = await database()
    const faults: unknown[] = []
    const engine = await start(pool, { core: FAULTY, onFault: (fault) => faults.push(fault) })
    const maker = new SubmissionMaker()
    await setUp(engine, maker)
    const prices = ['0.11', '0.13', '0.12', '0.13', '0.14']
    const orders = prices.map((limit_price) => maker.place('acct_a', { limit_price }))
    const answers = await Promise.allSettled(orders.map((order) => engine.client.submit(order)))
    expect(answers.map((answer) => (answer.status === 'fulfilled' ? answer.value.status : answer.reason.code))).toEqual(
      [201, 'INTERNAL_ERROR', 201, 'INTERNAL_ERROR', 201],
    )
    expect(faults[0]).toMatchObject({ cause: expect.any(InvariantError) })
    // The operator is told of each; the same request again is refused without another reload.
    const alone = () => faults.filter((fault) => String(fault).includes('failed alone: place of acct_a'))
    expect(alone()).toHaveLength(2)
    expect(engine.client.status().poisoned_submissions).toBe(2)
    const before = faults.length
    const again = { ...orders[1]!, identity: { ...orders[1]!.identity, body_hash: orders[1]!.identity.body_hash } }
    await expect(engine.client.submit(again)).rejects.toMatchObject({ code: 'INTERNAL_ERROR' })
    expect(faults).toHaveLength(before)
    const { rows } = await pool.query('SELECT limit_price FROM trading.orders ORDER BY limit_price')
    expect(rows.map(({ limit_price }) => limit_price)).toEqual(['0.11', '0.12', '0.14'])
    expect(engine.client.status()).toMatchObject({ phase: 'leading', queued: 0 })
    expect(await violations(pool)).toEqual([])
  })

  test('rows that a table refuses are one of ours too: alone it fails, the others are written', async () => {
    const { pool } = await database()
    const engine = await start(pool, { core: REFUSED_ROWS })
    const maker = new SubmissionMaker()
    await setUp(engine, maker)
    const orders = ['0.11', '0.13', '0.12'].map((limit_price) => maker.place('acct_a', { limit_price }))
    const answers = await Promise.allSettled(orders.map((order) => engine.client.submit(order)))
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await violations(pool)).toEqual([])
  })
})

describe('a fill that its account cannot pay for', () => {
  test('ends the order alone, without a fault: the fees were lowered under a covered SELL', async () => {
    const { pool } = await database()
    const faults: unknown[] = []
    const engine = await start(pool, { onFault: (fault) => faults.push(fault) })
    const maker = new SubmissionMaker()
    const fees = (taker_rate: string) =>
      maker.operate({ kind: 'set_fees', schedule_id: 'fee_1', taker_rate, maker_rate: '0', market_ids: ['mkt_1'] })
    const sell = (limit_price: string) => maker.place('acct_a', { side: 'SELL', quantity: '10', limit_price })
    const buy = (time_in_force: 'FOK' | 'GTC') =>
      maker.place('acct_b', { quantity: '10', limit_price: '0.50', time_in_force })
    await Promise.all(maker.setUp(['acct_a', 'acct_b'], '100').map((submission) => engine.client.submit(submission)))
    const drain = { kind: 'withdraw', transfer_id: 'tr_out', account_id: 'acct_a', asset_id: 'asset_usd' } as const
    const young = sell('0.50')
    const steps = [
      fees('0'),
      maker.place('acct_b', { side: 'SELL', quantity: '10' }),
      maker.place('acct_a', { quantity: '10' }),
      fees('0.9'),
      sell('0.55'),
      fees('0'),
      young,
      maker.operate({ ...drain, amount: '90' }),
      buy('FOK'),
      buy('GTC'),
    ]
    const answers = []
    for (const step of steps) answers.push(await engine.client.submit(step))
    expect(answers.map(({ status }) => status)).toEqual([200, 201, 201, 200, 201, 200, 201, 200, 201, 201])
    const ended = await pool.query('SELECT status, terminal_reason FROM trading.orders WHERE order_id = $1', [
      young.order.intent.order_id,
    ])
    expect(ended.rows).toEqual([{ status: 'canceled', terminal_reason: 'RISK_ACTION' }])
    expect(faults).toEqual([])
    expect(await violations(pool)).toEqual([])
  })
})

describe('an engine whose database ends by signal 9', () => {
  test('reads its state again and goes on; nothing acknowledged is lost, nothing is there twice', async () => {
    const folder = join(tempFolder(), 'postgres')
    const first = await startPostgres({ folder })
    const engine = await start(first.pool)
    const maker = new SubmissionMaker()
    await setUp(engine, maker)
    const accepted = new Set<string>()
    const doubtful = new Set<string>()
    let servers = [first]
    for (let round = 0; round < sized(2, 3); round += 1) {
      let is_back = false
      const flow = (async () => {
        for (let taken_since = 0; taken_since < 30; ) {
          const order = maker.place('acct_a', { limit_price: '0.20' })
          const { order_id } = order.order.intent
          await engine.client.submit(order).then(
            () => {
              accepted.add(order_id)
              if (is_back) taken_since += 1
            },
            async (error) => {
              if (error.code === 'OUTCOME_UNKNOWN') doubtful.add(order_id)
              else expect(error.code).toBe('SERVICE_UNAVAILABLE')
              await sleep(20)
            },
          )
        }
      })()
      await sleep(20 + round * 20)
      process.kill(servers.at(-1)!.server_pid!, 'SIGKILL')
      servers = [...servers, await startPostgres({ folder })]
      is_back = true
      await flow
    }
    while (engine.client.status().phase !== 'leading') await sleep(20)
    expect(await engine.client.submit(maker.place('acct_b', { side: 'SELL', limit_price: '0.90' }))).toMatchObject({
      status: 201,
    })
    const { rows } = await first.pool.query<{ order_id: string }>(
      "SELECT order_id FROM trading.orders WHERE side = 'BUY'",
    )
    const stored = new Set(rows.map(({ order_id }) => order_id))
    expect([...accepted].filter((id) => !stored.has(id))).toEqual([])
    expect([...stored].filter((id) => !accepted.has(id) && !doubtful.has(id))).toEqual([])
    expect(accepted.size).toBeGreaterThan(50)
    expect(await violations(first.pool)).toEqual([])
    engines.length = 0
    await engine.stop()
    for (const server of servers) await server.stop()
  })
})

describe('an engine whose connection ends while nobody asks', () => {
  test('stops leading at once, long before its lease is to be renewed; the next order is taken once it leads again', async () => {
    const { pool } = await database()
    const engine = await start(pool, { lease_ms: 60_000 })
    const maker = new SubmissionMaker()
    await setUp(engine, maker)
    const { epoch } = engine.client.status()
    await endEngineBackend(pool)
    await expect.poll(() => engine.client.status().epoch).toBe(epoch + 1)
    await expect.poll(() => engine.client.status().phase).toBe('leading')
    expect(await engine.client.submit(maker.place('acct_a'))).toMatchObject({ status: 201 })
  })
})

describe('a lease that ends while its holder lives', () => {
  test('the standby says when it leads, the former leader who took the lease; that is no fault', async () => {
    const { pool } = await database()
    const faults: unknown[] = []
    const [takeovers, deposed]: [Takeover[], unknown[]] = [[], []]
    const observed = {
      onFault: (fault: unknown) => faults.push(fault),
      onDeposed: (by: { holder: string; epoch: number }) => deposed.push(`${by.holder} ${by.epoch}`),
      onTakeover: (takeover: Takeover) => takeovers.push(takeover),
    }
    const former = await start(pool, { lease_ms: 60_000, ...observed })
    const { epoch } = former.client.status()
    const standby = await startEngine({ pool, now: wallClock, holder: 'standby', address: null, ...observed })
    engines.push(standby)
    await expect.poll(() => standby.client.status().phase).toBe('standby')
    await pool.query("UPDATE trading.engine_lease SET expires_at = 'epoch'")
    await expect.poll(() => standby.client.status().phase).toBe('leading')
    await expect.poll(() => former.client.status().phase).toBe('standby')
    await expect.poll(() => deposed).toEqual([`standby ${epoch + 1}`])
    expect(takeovers).toEqual([{ epoch: epoch + 1, gap_ms: expect.any(Number) }])
    expect(takeovers[0]!.gap_ms).toBeGreaterThan(0)
    expect(faults).toEqual([])
  })
})

describe('a queue that is full', () => {
  test('refuses at once and says when to come again; what was taken is carried out', async () => {
    const { pool } = await database()
    const engine = await start(pool, { queue_max: 40 })
    const maker = new SubmissionMaker()
    await setUp(engine, maker)
    const orders = Array.from({ length: 200 }, () => maker.place('acct_a', { limit_price: '0.10' }))
    const answers = await Promise.allSettled(orders.map((order) => engine.client.submit(order)))
    const refused = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))
    expect(refused.length).toBeGreaterThan(0)
    for (const reason of refused) {
      expect(reason).toMatchObject({ code: 'SERVICE_UNAVAILABLE', facts: { retry_after_ms: '250' } })
    }
    const { rows } = await pool.query('SELECT count(*) AS orders FROM trading.orders')
    expect(rows[0].orders).toBe(orders.length - refused.length)
  })
})

describe('an engine that nobody asks', () => {
  test('expires an order at its time, long before its lease is to be renewed', async () => {
    const { pool } = await database()
    const engine = await start(pool, { lease_ms: 600_000 })
    const maker = new SubmissionMaker()
    await setUp(engine, maker)
    const expires_at = wallClock() + 2_000_000
    const order = maker.place('acct_a', { time_in_force: 'GTD', expires_at })
    expect(await engine.client.submit(order)).toMatchObject({ status: 201 })
    const stored = async () => (await pool.query('SELECT status, updated_at FROM trading.orders')).rows
    await expect.poll(stored).toEqual([{ status: 'expired', updated_at: expect.any(Number) }])
    expect((await stored())[0].updated_at).toBeGreaterThanOrEqual(expires_at)
    expect(await violations(pool)).toEqual([])
  })

  test('keeps its lease by the clock of the database, and gives it back at the end', async () => {
    const { pool } = await database()
    const engine = await start(pool, { lease_ms: 3_000 })
    const { epoch } = engine.client.status()
    const end = async () => (await pool.query('SELECT expires_at FROM trading.engine_lease')).rows[0].expires_at
    const first_end = await end()
    await expect.poll(end).toBeGreaterThan(first_end)
    const free = 'SELECT epoch, expires_at < clock_timestamp() AS is_free FROM trading.engine_lease'
    expect((await pool.query(free)).rows).toEqual([{ epoch, is_free: false }])
    await engine.stop()
    expect((await pool.query(free)).rows).toEqual([{ epoch, is_free: true }])
  })
})

describe('stamps', () => {
  test('an empty batch is committed at or after the instant asked for, and every stamp is later than the one before', async () => {
    const { pool } = await database()
    const engine = await start(pool, { now: () => 1_700_000_000_000_000 })
    const maker = new SubmissionMaker()
    await setUp(engine, maker)
    await engine.client.submit({ kind: 'stamp', at: 1_700_000_000_500_000 })
    await engine.client.submit(maker.place('acct_a'))
    const { rows } = await pool.query<{ at: number }>('SELECT at FROM trading.engine_batch ORDER BY batch_sequence')
    const stamps = rows.map(({ at }) => at)
    expect(stamps).toEqual([...new Set(stamps)].sort((a, b) => a - b))
    expect(stamps.at(-2)).toBe(1_700_000_000_500_000)
    expect(stamps.at(-1)).toBe(1_700_000_000_500_001)
  })
})

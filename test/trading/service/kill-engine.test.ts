import { describe, expect, test } from 'vitest'
import { isServiceError } from '../../../primitives/errors.ts'
import type { Answer, Place } from '../../../trading/engine/submission.ts'
import { connectEngine } from '../../../trading/service/connect-engine.ts'
import type { EngineClient } from '../../../trading/service/engine-client.ts'
import { sized } from '../../support/sized.ts'
import { withEngineProcesses } from '../../support/trading/engine-process.ts'
import { withDatabase } from '../../support/trading/postgres.ts'
import { concluding, submitting } from '../../support/trading/settling.ts'
import { SubmissionMaker } from '../../support/trading/submissions.ts'
import { violations } from '../support/engine-faults.ts'

const database = withDatabase()
const engineProcess = withEngineProcesses()

const ORDERS = 'SELECT order_id, status FROM trading.orders ORDER BY order_id'

async function setUp(client: EngineClient, maker: SubmissionMaker): Promise<void> {
  for (const submission of maker.setUp(['acct_a', 'acct_b'])) expect((await client.submit(submission)).error).toBeNull()
}

/** Repeats a submission as its sender should: the link to a leader that is stopped or gone may still be open. */
async function submitUntilKnown(client: EngineClient, submission: Place): Promise<Answer> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await client.submit({
        ...submission,
        identity: { ...submission.identity, nonce: `${submission.identity.nonce}_${attempt}` },
      })
    } catch (error) {
      if (!isServiceError(error, 'OUTCOME_UNKNOWN') || attempt === 5) throw error
    }
  }
}

describe('an engine that ends by signal 9', () => {
  const places = [
    { place: 'mid-write', is_committed: false },
    { place: 'before-commit', is_committed: false },
    { place: 'after-commit-before-ack', is_committed: true },
  ]

  // In the fast lane a place before the commit is of an order or of a confirmation.
  test.each(places.slice(sized(1, 0)))(
    'at $place: the caller is told that nobody knows, and asks the next one with the same key',
    async ({ place, is_committed }) => {
      const { url, pool } = await database()
      const maker = new SubmissionMaker()
      const prepared = maker.setUp(['acct_a', 'acct_b']).length
      const first = engineProcess(url, 'first', `${place}:${prepared + 1}`)
      const client = connectEngine({ pool, leader_ms: 60_000 })
      await first.saw('leading')
      await setUp(client, maker)
      const order = maker.place('acct_a')
      await expect(client.submit(order)).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' })
      expect(await first.ended).toBe('SIGKILL')
      expect((await pool.query(ORDERS)).rows).toHaveLength(is_committed ? 1 : 0)

      const second = engineProcess(url, 'second')
      await second.saw('leading')
      const retried = { ...order, identity: { ...order.identity, nonce: 'nonce_retry' } }
      const answer = await client.submit(retried)
      expect(answer).toMatchObject({ status: 201, replayed: is_committed })
      expect(await client.submit({ ...order, identity: { ...order.identity, nonce: 'nonce_again' } })).toEqual({
        ...answer,
        replayed: true,
      })
      const order_id = order.order.intent.order_id
      expect((await pool.query(ORDERS)).rows).toEqual([{ order_id, status: 'open' }])
      await client.close()
      expect(await violations(pool)).toEqual([])
    },
  )

  const of_confirmation = places.map(({ place }) => place).filter((place) => sized(place !== 'before-commit', true))
  test.each(of_confirmation)('at %s of a confirmation: told again, it moves money once (D6)', async (place) => {
    const { url, pool } = await database()
    const maker = new SubmissionMaker()
    const before = maker.setUp(['acct_a', 'acct_b']).length + 3
    engineProcess(url, 'first', `${place}:${before + 1}`)
    const client = connectEngine({ pool, leader_ms: 60_000 })
    await setUp(client, maker)
    await client.submit(maker.place('acct_a', { side: 'SELL' }))
    await client.submit(maker.place('acct_b'))
    const { rows } = await pool.query<{ settlement_id: string }>('SELECT settlement_id FROM trading.settlement')
    const ids = rows.map(({ settlement_id }) => settlement_id)
    await client.submit(maker.operate(submitting(ids)))
    const conclude = maker.operate(concluding(ids))
    await expect(client.submit(conclude)).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' })
    engineProcess(url, 'second')
    const told = { settlements: ids.map((settlement_id) => ({ settlement_id, state: 'confirmed' })) }
    for (const act of [conclude, maker.operate(concluding(ids)), maker.operate(concluding(ids, 'failed'))]) {
      expect(JSON.parse((await client.submit(act)).data!)).toMatchObject(told)
    }
    const effects = await pool.query(
      "SELECT DISTINCT ledger_sequence FROM trading.ledger_entry WHERE kind = 'settlement'",
    )
    expect(effects.rowCount).toBe(2)
    await client.close()
    expect(await violations(pool)).toEqual([])
  })

  test('with the lease just taken: the next one need not wait for its end', async () => {
    const { url, pool } = await database()
    const first = engineProcess(url, 'first', 'after-lease')
    expect(await first.ended).toBe('SIGKILL')
    const of_first = await pool.query("SELECT expires_at FROM trading.engine_lease WHERE holder = 'first'")
    const second = engineProcess(url, 'second')
    await second.saw('leading')
    const now = await pool.query('SELECT clock_timestamp() AS now')
    expect(now.rows[0].now).toBeLessThan(of_first.rows[0].expires_at)
  })
})

describe('a leader that is stopped and goes on later', () => {
  test('commits nothing any more, and stands by (S3)', async () => {
    const { url, pool } = await database()
    const maker = new SubmissionMaker()
    const first = engineProcess(url, 'first')
    const client = connectEngine({ pool, leader_ms: 60_000 })
    await first.saw('leading')
    await setUp(client, maker)
    const second = engineProcess(url, 'second')
    await second.saw('started')
    first.child.kill('SIGSTOP')
    // Its lease ends in less time than a standby may take to serve.
    const left = "SELECT expires_at < clock_timestamp() + interval '5 seconds' AS is_short FROM trading.engine_lease"
    expect((await pool.query(left)).rows).toEqual([{ is_short: true }])
    // Handed to the one that is stopped: it lies in its socket, to be read when it goes on.
    const lost = maker.place('acct_a', { limit_price: '0.11' })
    await expect(client.submit(lost)).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' })
    await second.saw('leading')
    const kept = maker.place('acct_a', { limit_price: '0.22' })
    expect(await submitUntilKnown(client, kept)).toMatchObject({ status: 201 })
    first.child.kill('SIGCONT')
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    expect((await pool.query(ORDERS)).rows).toEqual([{ order_id: kept.order.intent.order_id, status: 'open' }])
    expect((await pool.query('SELECT holder FROM trading.engine_lease')).rows).toEqual([{ holder: 'second' }])
    expect(await violations(pool)).toEqual([])
    // It still serves as a standby: it leads again once the other one is gone.
    second.child.kill('SIGKILL')
    await second.ended
    const sell = maker.place('acct_b', { side: 'SELL', limit_price: '0.90' })
    expect(await submitUntilKnown(client, sell)).toMatchObject({ status: 201 })
    expect((await pool.query('SELECT holder FROM trading.engine_lease')).rows).toEqual([{ holder: 'first' }])
    await client.close()
  })
})

test('engines that race for the lease: one leads at a time, however often it changes hands', async () => {
  const { url, pool } = await database()
  const maker = new SubmissionMaker()
  const client = connectEngine({ pool, leader_ms: 60_000 })
  let engines = [engineProcess(url, 'e0'), engineProcess(url, 'e1'), engineProcess(url, 'e2')]
  await Promise.any(engines.map((engine) => engine.saw('leading')))
  await setUp(client, maker)
  const placed: string[] = []
  for (let round = 3; round < sized(5, 6); round += 1) {
    const { rows } = await pool.query<{ holder: string }>('SELECT holder FROM trading.engine_lease')
    const leader = engines.find(({ child }) => child.spawnargs.includes(rows[0]!.holder))!
    const order = maker.place('acct_a')
    const handed = client.submit(order).catch((error: unknown) => error)
    leader.child.kill('SIGKILL')
    await leader.ended
    engines = [...engines.filter((engine) => engine !== leader), engineProcess(url, `e${round}`)]
    const answer = await handed
    if (isServiceError(answer)) {
      expect(answer.code).toBe('OUTCOME_UNKNOWN')
      const again = { ...order, identity: { ...order.identity, nonce: `nonce_retry_${round}` } }
      expect(await client.submit(again)).toMatchObject({ status: 201 })
    }
    placed.push(order.order.intent.order_id)
  }
  expect((await pool.query(ORDERS)).rows.map(({ order_id }) => order_id).sort()).toEqual(placed.sort())
  const { rows } = await pool.query('SELECT count(DISTINCT epoch) AS epochs FROM trading.engine_batch')
  expect(rows[0].epochs).toBeGreaterThan(1)
  await client.close()
  expect(await violations(pool)).toEqual([])
})

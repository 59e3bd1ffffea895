import { describe, expect, test } from 'vitest'
import { wallClock } from '../../../primitives/wall-clock.ts'
import { ENGINE } from '../../../protocol/limits.ts'
import type { Submission } from '../../../trading/engine/submission.ts'
import type { OrderIntent } from '../../../trading/order/order-intent.ts'
import { connectEngine } from '../../../trading/service/connect-engine.ts'
import type { EngineClient } from '../../../trading/service/engine-client.ts'
import { sized } from '../../support/sized.ts'
import { withEngineProcesses } from '../../support/trading/engine-process.ts'
import { withDatabase } from '../../support/trading/postgres.ts'
import { SubmissionMaker } from '../../support/trading/submissions.ts'
import { startLeading, violations } from '../support/engine-faults.ts'

const database = withDatabase()
const engineProcess = withEngineProcesses()

/** More than two slices. */
const ORDERS = 2 * ENGINE.slice_max + 50
const BATCH = 50

const COUNTS = `SELECT status, terminal_reason, count(*)::integer AS orders FROM trading.orders
  GROUP BY status, terminal_reason ORDER BY status, terminal_reason`

async function submitAll(client: EngineClient, submissions: readonly Submission[]): Promise<void> {
  for (const submission of submissions) expect((await client.submit(submission)).error).toBeNull()
}

function resting(maker: SubmissionMaker, count: number, terms: Partial<OrderIntent> = {}): Submission[] {
  const batch = Array.from({ length: BATCH }, () => ({ quantity: '0.01', ...terms }))
  return Array.from({ length: count / BATCH }, () => maker.placeBatch('acct_a', batch))
}

test('others are served between the slices of a cancel-all', async () => {
  const { pool } = await database()
  const engine = await startLeading(pool)
  const maker = new SubmissionMaker()
  await submitAll(engine.client, [...maker.setUp(['acct_a', 'acct_b']), ...resting(maker, 1_500)])
  await submitAll(engine.client, [maker.cancelAll('acct_a')])
  const sell = maker.place('acct_b', { side: 'SELL', limit_price: '0.90', quantity: '1' })
  const buy = maker.place('acct_b', { outcome_id: 'out_no', quantity: '1' })
  await submitAll(engine.client, [sell, buy, maker.cancel('acct_b', buy.order.intent.order_id)])
  const left = engine.state()!.planned_ends.orders.length
  expect(left).toBeGreaterThan(0)
  await expect
    .poll(async () => (await pool.query(COUNTS)).rows)
    .toEqual([
      { status: 'canceled', terminal_reason: 'CANCEL_ALL', orders: 1_500 },
      { status: 'canceled', terminal_reason: 'USER_CANCELED', orders: 1 },
      { status: 'open', terminal_reason: null, orders: 1 },
    ])
  await engine.stop()
  expect(await violations(pool)).toEqual([])
}, 120_000)

describe('an engine that ends by signal 9 between two slices', () => {
  const market = (maker: SubmissionMaker, to: 'paused' | 'open' | 'closed') =>
    maker.operate({ kind: 'move_market', market_id: 'mkt_1', to })
  const acts = {
    'cancel-all': { act: (maker: SubmissionMaker) => maker.cancelAll('acct_a'), end: ['canceled', 'CANCEL_ALL'] },
    'market end': { act: (maker: SubmissionMaker) => market(maker, 'closed'), end: ['canceled', 'MARKET_CLOSED'] },
    pause: { act: (maker: SubmissionMaker) => market(maker, 'paused'), end: ['suspended', null] },
  } as const

  const ends = Object.keys(acts).flatMap((name) =>
    ['before-commit', 'after-commit-before-ack'].map((place) => ({ name: name as keyof typeof acts, place })),
  )

  // In the fast lane each act and each place.
  test.each(ends.filter((_, n) => sized([0, 3, 4].includes(n), true)))(
    '$name, at $place of the second one: the next engine goes on to the same end',
    async ({ name, place }) => {
      const { url, pool } = await database()
      const maker = new SubmissionMaker()
      const before = [...maker.setUp(['acct_a', 'acct_b']), ...resting(maker, ORDERS)]
      const first = engineProcess(url, 'first', `${place}:${before.length + 2}`)
      const client = connectEngine({ pool, leader_ms: 60_000 })
      await first.saw('leading')
      await submitAll(client, before)
      const { act, end } = acts[name]
      await submitAll(client, [act(maker)])
      expect(await first.ended).toBe('SIGKILL')
      const [status, terminal_reason] = end
      const changed = (await pool.query(COUNTS)).rows.find((row) => row.status === status)
      expect(changed.orders).toBe(place === 'before-commit' ? ENGINE.slice_max : 2 * ENGINE.slice_max)
      await engineProcess(url, 'second').saw('leading')
      await expect
        .poll(async () => (await pool.query(COUNTS)).rows)
        .toEqual([{ status, terminal_reason, orders: ORDERS }])
      const { rows } = await pool.query('SELECT count(*)::integer AS left FROM trading.mass_cancel WHERE NOT is_done')
      expect(rows).toEqual([{ left: 0 }])
      await client.close()
      expect(await violations(pool)).toEqual([])
    },
  )

  test('expiry: those that are left expire after the restart', async () => {
    const { url, pool } = await database()
    const maker = new SubmissionMaker()
    const accounts = maker.setUp(['acct_a', 'acct_b'])
    const first = engineProcess(url, 'first', `before-commit:${accounts.length + ORDERS / BATCH + 2}`)
    const client = connectEngine({ pool, leader_ms: 60_000 })
    await first.saw('leading')
    await submitAll(client, accounts)
    const expires_at = wallClock() + 8_000_000
    await submitAll(client, resting(maker, ORDERS, { time_in_force: 'GTD', expires_at }))
    expect(await first.ended).toBe('SIGKILL')
    expect(wallClock()).toBeGreaterThan(expires_at)
    await engineProcess(url, 'second').saw('leading')
    const expired = [{ status: 'expired', terminal_reason: 'EXPIRED', orders: ORDERS }]
    await expect.poll(async () => (await pool.query(COUNTS)).rows).toEqual(expired)
    await client.close()
    expect(await violations(pool)).toEqual([])
  }, 120_000)
})

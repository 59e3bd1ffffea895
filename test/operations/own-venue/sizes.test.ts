import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openVenueTail } from '../../../operations/own-venue/venue-tail.ts'
import { formatMicros } from '../../../primitives/instants.ts'
import { wallClock } from '../../../primitives/wall-clock.ts'
import type { OperatorCommand } from '../../../trading/engine/submission.ts'
import type { PublishedSizes } from '../../../trading/public-market/compare-sizes.ts'
import { checkOwnMarkets } from '../../../trading/store/check-own-markets.ts'
import type { Pool } from '../../../trading/store/create-pool.ts'
import { operatorReads } from '../../../trading/store/operator/operator-reads.ts'
import type { Warehouse } from '../../../warehouse/warehouse.ts'
import { seededRandom } from '../../support/random.ts'
import { sized } from '../../support/sized.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { withDatabase } from '../../support/trading/postgres.ts'
import { randomSettling } from '../../support/trading/random-settling.ts'
import { ACCOUNTS, randomSubmissions, untilNothingExpires } from '../../support/trading/random-submissions.ts'
import { concluding, submitting } from '../../support/trading/settling.ts'
import { openTestWarehouse, ownRows, takeAll, venueWorld } from './support/venue-world.ts'

const database = withDatabase()
const folder = tempFolder()

const COLUMNS = `market_id, strftime(source_at, '%Y-%m-%dT%H:%M:%S.%fZ') as observed_at, volume_24h, open_interest, liquidity_notional`

async function storedSizes(warehouse: Warehouse) {
  return (await ownRows(warehouse, 'market_metric', COLUMNS)) as unknown as (PublishedSizes & {
    readonly liquidity_notional: string
  })[]
}

/** Number and volume, by outcome, of the stored trades that were neither voided nor superseded. */
async function standingTrades(warehouse: Warehouse): Promise<Record<string, [trades: number, volume: number]>> {
  const rows = await ownRows(
    warehouse,
    'public_trade',
    'trade_id, supersedes_id, correction_kind, outcome_id, quantity',
  )
  const superseded = new Set(rows.map(({ supersedes_id }) => supersedes_id))
  const standing: Record<string, [number, number]> = {}
  for (const { trade_id, correction_kind, outcome_id, quantity } of rows) {
    if (correction_kind === 'void' || superseded.has(trade_id)) continue
    const [trades, volume] = standing[outcome_id as string] ?? [0, 0]
    standing[outcome_id as string] = [trades + 1, volume + Math.round(Number(quantity) * 1e6)]
  }
  return standing
}

/** The same numbers, as the fills of all accounts make them. */
async function foldedFills(pool: Pool): Promise<Record<string, [trades: number, volume: number]>> {
  const folded = await operatorReads(pool).foldFills(formatMicros(wallClock()))
  return Object.fromEntries(
    folded.map(({ outcome_id, trades, volume }) => [outcome_id, [trades, Math.round(Number(volume) * 1e6)]]),
  )
}

const FLOWS = sized([5], [5, 6, 7]).flatMap((seed) => [[seed, false] as const, [seed, true] as const])

test.each(FLOWS)(
  'flow %i, complementary %s: stored sizes are the fold of the accounts’ fills at their instant, and a changed one is found',
  async (seed, complementary) => {
    const { pool } = await database()
    const world = await venueWorld(pool, ACCOUNTS, wallClock, complementary)
    const warehouse = await openTestWarehouse(join(folder, `sizes-${seed}-${complementary}`))
    const tailNow = () => openVenueTail({ warehouse, reads: world.reads, now: wallClock })
    let tail = await tailNow()
    const random = seededRandom(seed)
    const flow = randomSubmissions(seed, 240, wallClock())
    for (let from = 0; from < flow.length; from += 12) {
      await world.submit(flow.slice(from, from + 12))
      const settling = await randomSettling(pool, random, `s${seed}n${from}`)
      if (settling !== null) await world.submit([world.maker.operate(settling)])
      await takeAll(tail)
      await tail.storeSizes()
      if (from === 120) tail = await tailNow()
    }
    await untilNothingExpires(pool)
    await takeAll(tail)
    await tail.storeSizes()
    expect(await tail.storeSizes()).toBe(0)
    expect(await (await tailNow()).storeSizes()).toBe(0)
    const stored = await storedSizes(warehouse)
    expect(stored.length).toBeGreaterThan(10)
    const last = stored.at(-1)!
    const { rows } = await pool.query(
      `SELECT (sum(limit_price::numeric * remaining_quantity) / 100)::text AS liquidity FROM trading.orders
       WHERE status IN ('open', 'partially_filled', 'suspended')`,
    )
    expect(Number(last.liquidity_notional)).toBe(Number(rows[0].liquidity ?? 0))
    expect(new Set(stored.map(({ open_interest }) => open_interest)).size).toBeGreaterThan(3)
    const checked = await checkOwnMarkets(pool, stored)
    expect(checked.differences).toEqual([])
    expect(checked.ok).toBe(true)
    expect(await foldedFills(pool)).toEqual(await standingTrades(warehouse))
    const wrong = { ...last, volume_24h: '0.000001', open_interest: null }
    expect((await checkOwnMarkets(pool, [wrong])).differences.map(({ field }) => field)).toEqual([
      'volume_24h',
      'open_interest',
    ])
    await pool.query('ALTER TABLE trading.fill DISABLE TRIGGER ALL')
    await pool.query('DELETE FROM trading.fill WHERE fill_id = (SELECT min(fill_id) FROM trading.fill)')
    const planted = await checkOwnMarkets(pool, [last])
    expect(planted.ok).toBe(false)
    expect(planted.invariants.map(({ violations }) => violations.length > 0)).toEqual([true, true])
    expect(planted.differences.length).toBeGreaterThan(0)
    await world.engine.stop()
    await warehouse.close()
  },
  120_000,
)

test('the sizes of a resolved market are stored until they are 0: a paid position is no open interest', async () => {
  const { pool } = await database()
  const world = await venueWorld(pool, ACCOUNTS)
  const warehouse = await openTestWarehouse(join(folder, 'paid'))
  const tail = await openVenueTail({ warehouse, reads: world.reads, now: wallClock })
  const operate = async (...commands: readonly OperatorCommand[]) => {
    await world.submit(commands.map((command) => world.maker.operate(command)))
    await takeAll(tail)
    await tail.storeSizes()
  }
  await world.submit(randomSubmissions(5, 120, wallClock()))
  await untilNothingExpires(pool)
  const { rows } = await pool.query("SELECT settlement_id FROM trading.settlement WHERE state = 'pending'")
  const ids = rows.map(({ settlement_id }) => settlement_id)
  await operate(submitting(ids, 1))
  await operate(concluding(ids, 'confirmed', 1))
  const newest = async () => (await storedSizes(warehouse)).at(-1)!
  expect(Number((await newest()).open_interest)).toBeGreaterThan(0)
  await operate({ kind: 'move_market', market_id: 'mkt_1', to: 'open' })
  await operate({ kind: 'move_market', market_id: 'mkt_1', to: 'closed' })
  const payouts = [
    { outcome_id: 'out_yes', payout: '1' },
    { outcome_id: 'out_no', payout: '0' },
  ]
  const resolver = { kind: 'operator', resolver_id: null } as const
  const proposed = {
    resolution_id: 'res_1',
    market_id: 'mkt_1',
    payouts,
    verdict: 'resolved',
    evidence: [],
    resolver,
  } as const
  await operate({ kind: 'propose_resolution', ...proposed, dispute_window_ms: 1 })
  await operate({ kind: 'finalize_resolution', resolution_id: 'res_1' })
  await operate({ kind: 'pay_resolution', resolution_id: 'res_1', limit: 1_000 })
  const held = await pool.query(
    "SELECT count(*)::integer AS n FROM trading.position WHERE net_quantity > 0 AND account_id NOT LIKE 'acct\\_house\\_%'",
  )
  expect(held.rows[0].n).toBe(0)
  expect(await newest()).toMatchObject({ open_interest: '0.000000', liquidity_notional: '0.000000' })
  expect((await checkOwnMarkets(pool, [await newest()])).differences).toEqual([])
  await world.engine.stop()
  await warehouse.close()
}, 120_000)

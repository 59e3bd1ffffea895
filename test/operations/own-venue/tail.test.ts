import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { auditWarehouse } from '../../../operations/audit/audit-warehouse.ts'
import { PlanOvertaken } from '../../../operations/import/append-guard.ts'
import { openVenueTail } from '../../../operations/own-venue/venue-tail.ts'
import { InvariantError } from '../../../primitives/errors.ts'
import { wallClock } from '../../../primitives/wall-clock.ts'
import type { Pool } from '../../../trading/store/create-pool.ts'
import type { Warehouse } from '../../../warehouse/warehouse.ts'
import { sized } from '../../support/sized.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { withDatabase } from '../../support/trading/postgres.ts'
import { ACCOUNTS, randomSubmissions, untilNothingExpires } from '../../support/trading/random-submissions.ts'
import { expectedQuotes, price, quantity } from './support/expected-quotes.ts'
import { openTestWarehouse, ownRows, stableRows, takeAll, type VenueWorld, venueWorld } from './support/venue-world.ts'

const database = withDatabase()
const folder = tempFolder()

const tailOf = (world: Pick<VenueWorld, 'reads'>, warehouse: Warehouse, piece_max?: number) =>
  openVenueTail({ warehouse, reads: world.reads, now: wallClock, ...(piece_max && { piece_max }) })

async function storedTrades(pool: Pool) {
  const columns = 'trade_id, engine_sequence, outcome_id, price, quantity, aggressor_side, at'
  const { rows } = await pool.query(`select ${columns} from trading.trade order by engine_sequence`)
  return rows.map((row) => ({
    source_sequence: row.engine_sequence,
    trade_id: row.trade_id,
    source_trade_id: row.trade_id,
    outcome_id: row.outcome_id,
    price: price(row),
    quantity: quantity(row),
    aggressor_side: row.aggressor_side,
    at: row.at,
  }))
}

const TRADE = 'source_sequence, trade_id, source_trade_id, outcome_id, price, quantity, aggressor_side'
const QUOTE = 'outcome_id, epoch_us(source_at) as at, bid, ask, bid_depth, ask_depth, last_trade'

const byText = (rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row)).sort()

/** Servers, engines and many writes, on a machine that does other things too. */
const LONG = { timeout: 180_000 }

describe('our own exchange in the warehouse', LONG, () => {
  test.each(sized([1], [1, 2]))('random order flow %i: rows equal the trading tables', async (seed) => {
    const { pool } = await database()
    const world = await venueWorld(pool, ACCOUNTS)
    const warehouse = await openTestWarehouse(join(folder, `flow-${seed}`))
    const submissions = randomSubmissions(seed, 400, wallClock())
    let tail = await tailOf(world, warehouse, 50)
    for (let from = 0; from < submissions.length; from += 80) {
      await world.submit(submissions.slice(from, from + 80))
      await takeAll(tail)
      await tail.storeBooks()
      if (from === 160) tail = await tailOf(world, warehouse)
    }
    await untilNothingExpires(pool)
    await takeAll(tail)
    await tail.storeBooks()
    const trades = await ownRows(warehouse, 'public_trade', `${TRADE}, epoch_us(source_at) as at`)
    expect(trades.length).toBeGreaterThan(10)
    expect(trades).toEqual(await storedTrades(pool))
    const quotes = await ownRows(warehouse, 'market_quote', `${QUOTE}, epoch_us(last_trade_at) as traded_at`)
    expect(byText(quotes)).toEqual(byText((await expectedQuotes(pool)).map(inOrder)))
    expect(await newestBooks(warehouse)).toEqual(await restingOrders(pool))
    const moves = await pool.query(
      "select body->>'status' as status from trading.engine_event where kind = 'market' order by 1",
    )
    expect(await ownRows(warehouse, 'market', 'status')).toEqual(moves.rows)
    expect((await auditWarehouse({ warehouse })).violations).toEqual([])
    await world.engine.stop()
    await warehouse.close()
  })
})

describe('a tail that is ended', LONG, () => {
  test('anywhere in any commit, again and again, stores what an undisturbed one does', async () => {
    const { pool } = await database()
    const world = await venueWorld(pool, ACCOUNTS)
    await world.submit(randomSubmissions(7, 120, wallClock()), 10)
    await world.engine.stop()
    const calm = await openTestWarehouse(join(folder, 'calm'))
    const undisturbed = await tailOf(world, calm)
    await takeAll(undisturbed)
    await undisturbed.storeBooks()

    const root = join(folder, 'disturbed')
    await (await openTestWarehouse(root)).close()
    let ends = 0
    for (let place = 1, is_done = false; !is_done; place = (place % 7) + 1) {
      let left = place
      const warehouse = await openTestWarehouse(root, () => {
        left -= 1
        if (left <= 0) throw new InvariantError('ended here')
      })
      try {
        // Pieces of other lengths each time: what was stored ends within them.
        const tail = await tailOf(world, warehouse, 10 + place)
        await takeAll(tail)
        await tail.storeBooks()
        is_done = true
      } catch (error) {
        expect(String(error)).toContain('ended here')
        ends += 1
      }
      await warehouse.close()
    }
    expect(ends).toBeGreaterThan(10)
    const disturbed = await openTestWarehouse(root)
    expect(await stableRows(disturbed)).toEqual(await stableRows(calm))
    expect(await newestBooks(disturbed)).toEqual(await newestBooks(calm))
    const again = await tailOf(world, disturbed)
    expect(await again.take()).toMatchObject({ rows: 0, is_at_head: true })
    expect(await again.storeBooks()).toBe(0)
    expect((await auditWarehouse({ warehouse: disturbed })).violations).toEqual([])
    await calm.close()
    await disturbed.close()
  })

  test('and one beside it that stores the same: nothing is there twice', async () => {
    const { pool } = await database()
    const world = await venueWorld(pool, ACCOUNTS)
    const root = join(folder, 'beside')
    const [one, other] = [await openTestWarehouse(root), await openTestWarehouse(root)]
    let tails = [await tailOf(world, one, 30), await tailOf(world, other, 70)]
    const takeBoth = () => Promise.allSettled(tails.map(takeAll))
    for (const seed of [11, 12, 13]) {
      await world.submit(randomSubmissions(seed, 60, wallClock()))
      if (seed === 13) await untilNothingExpires(pool)
      for (const ended of await takeBoth()) {
        if (ended.status === 'rejected') expect(ended.reason).toBeInstanceOf(PlanOvertaken)
      }
      tails = [await tailOf(world, one, 30), await tailOf(world, other, 70)]
      await takeBoth()
    }
    const calm = await openTestWarehouse(join(folder, 'alone'))
    await takeAll(await tailOf(world, calm))
    expect(await stableRows(one)).toEqual(await stableRows(calm))
    expect((await auditWarehouse({ warehouse: one })).violations).toEqual([])
    await world.engine.stop()
    await Promise.all([one, other, calm].map((warehouse) => warehouse.close()))
  })

  test('for days: what happened meanwhile is about then, and received now', async () => {
    const { pool } = await database()
    let ahead = -3 * 86_400_000_000
    const world = await venueWorld(pool, ACCOUNTS, () => wallClock() + ahead)
    const warehouse = await openTestWarehouse(join(folder, 'days'))
    await world.submit(randomSubmissions(21, 60, wallClock() + ahead))
    await takeAll(await tailOf(world, warehouse))
    await world.submit(randomSubmissions(22, 60, wallClock() + ahead))
    ahead = 0
    await world.submit(randomSubmissions(23, 60, wallClock()))
    await takeAll(await tailOf(world, warehouse, 25))
    expect(await ownRows(warehouse, 'public_trade', `${TRADE}, epoch_us(source_at) as at`)).toEqual(
      await storedTrades(pool),
    )
    const late = await ownRows(warehouse, 'market_quote', 'received_at - source_at > interval 2 days as is_late')
    expect(new Set(late.map(({ is_late }) => is_late))).toEqual(new Set([true, false]))
    expect((await auditWarehouse({ warehouse })).violations).toEqual([])
    await world.engine.stop()
    await warehouse.close()
  })
})

describe('confirmations', LONG, () => {
  test('a quote that stays is confirmed without a revision, those of a paused market are not', async () => {
    const { pool } = await database()
    const world = await venueWorld(pool, ACCOUNTS)
    const warehouse = await openTestWarehouse(join(folder, 'confirmed'))
    await world.submit([world.maker.place('acct_a', { side: 'BUY', limit_price: '0.40' })])
    const tail = await tailOf(world, warehouse)
    await takeAll(tail)
    const at = wallClock()
    expect(await tail.confirmQuotes(at, at - 40_000_000)).toBe(0)
    expect(await tail.confirmQuotes(at, at)).toBe(1)
    const next = await tailOf(world, warehouse)
    await takeAll(next)
    expect(await next.confirmQuotes(at, at - 1)).toBe(0)
    expect(await next.confirmQuotes(at + 1, at)).toBe(1)
    const rows = await ownRows(
      warehouse,
      'market_quote',
      'revision, correction_reason, bid, epoch_us(confirmed_at) as at',
    )
    const by_confirmation = [...rows].sort((a, b) => Number(a.at ?? 0) - Number(b.at ?? 0))
    expect(by_confirmation).toEqual([
      { revision: 1, correction_reason: null, bid: '0.400000000', at: null },
      { revision: 1, correction_reason: null, bid: '0.400000000', at },
      { revision: 1, correction_reason: null, bid: '0.400000000', at: at + 1 },
    ])
    await world.submit([world.maker.operate({ kind: 'move_market', market_id: 'mkt_1', to: 'paused' })])
    await takeAll(next)
    expect(await next.confirmQuotes(at + 2, at + 2)).toBe(0)
    expect((await auditWarehouse({ warehouse })).violations).toEqual([])
    await world.engine.stop()
    await warehouse.close()
  })
})

function inOrder({
  outcome_id,
  at,
  bid,
  ask,
  bid_depth,
  ask_depth,
  last_trade,
  traded_at,
}: Awaited<ReturnType<typeof expectedQuotes>>[number]) {
  return { outcome_id, at, bid, ask, bid_depth, ask_depth, last_trade, traded_at }
}

/** Returns for each outcome the book with the greatest sequence, price level by price level. */
async function newestBooks(warehouse: Warehouse) {
  const books = await ownRows(warehouse, 'order_book', 'outcome_id, source_sequence, bids, asks')
  const newest = new Map(
    books
      .toSorted((a, b) => Number(a.source_sequence) - Number(b.source_sequence))
      .map((book) => [book.outcome_id, book]),
  )
  type Level = { readonly price: string; readonly quantity: string }
  return byText(
    [...newest.values()].flatMap(({ outcome_id, bids, asks }) => [
      ...(bids as unknown as Level[]).map((level) => [outcome_id, 'BUY', level.price, level.quantity]),
      ...(asks as unknown as Level[]).map((level) => [outcome_id, 'SELL', level.price, level.quantity]),
    ]),
  )
}

async function restingOrders(pool: Pool) {
  const { rows } = await pool.query(`
    select outcome_id, side, (limit_price::numeric)::numeric(18,9)::text as price, (sum(remaining_quantity) * 0.01)::numeric(18,6)::text as quantity
    from trading.orders where status in ('open', 'partially_filled', 'suspended')
    group by outcome_id, side, limit_price::numeric`)
  return byText(rows.map((row) => [row.outcome_id, row.side, row.price, row.quantity]))
}

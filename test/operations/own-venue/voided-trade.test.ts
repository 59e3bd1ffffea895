import { join } from 'node:path'
import { expect, test } from 'vitest'
import { auditWarehouse } from '../../../operations/audit/audit-warehouse.ts'
import { openVenueTail } from '../../../operations/own-venue/venue-tail.ts'
import { formatMicros } from '../../../primitives/instants.ts'
import { wallClock } from '../../../primitives/wall-clock.ts'
import type { OperatorCommand } from '../../../trading/engine/submission.ts'
import { auditTrading } from '../../../trading/store/audit-trading.ts'
import { operatorReads } from '../../../trading/store/operator/operator-reads.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { withDatabase } from '../../support/trading/postgres.ts'
import { bust } from '../../support/trading/random-settling.ts'
import { openTestWarehouse, ownRows, takeAll, venueWorld } from './support/venue-world.ts'

const database = withDatabase()
const folder = tempFolder()

test('a trade that neither side has any more is void, and one that both have less of is corrected: as further revisions', async () => {
  const { pool } = await database()
  const world = await venueWorld(pool, ['acct_a', 'acct_b'])
  const warehouse = await openTestWarehouse(join(folder, 'void'))
  const { maker, submit, reads } = world
  const operate = (command: OperatorCommand) => submit([maker.operate(command)])
  for (const limit_price of ['0.40', '0.41']) {
    const terms = { limit_price, quantity: '10.00' }
    await submit([maker.place('acct_a', { ...terms, side: 'SELL' })])
    await submit([maker.place('acct_b', { ...terms, side: 'BUY' })])
  }
  let tail = await openVenueTail({ warehouse, reads, now: wallClock })
  await takeAll(tail)
  const { rows } = await pool.query<{ fill_id: string; trade_id: string }>(
    'select fill_id, trade_id from trading.fill order by engine_sequence',
  )
  const fill = (place: number) => rows[place]!.fill_id
  const columns =
    'trade_id, revision, supersedes_id, correction_reason, correction_kind, price, quantity, source_trade_id'
  const stored = () => ownRows(warehouse, 'public_trade', columns)
  const told = async (trade_id: string) => (await stored()).filter((row) => row.source_trade_id === trade_id)
  const [first, last] = [rows[0]!.trade_id, rows[2]!.trade_id]

  const folded = async () =>
    (await operatorReads(pool).foldFills(formatMicros(wallClock()))).map(({ trades, volume }) => [trades, volume])

  // One side alone: the house stands in, and the trade stands.
  await operate(bust(fill(2), 'adj_1'))
  await takeAll(tail)
  expect(await stored()).toHaveLength(2)
  expect(await folded()).toEqual([[2, '20.00']])
  await operate(bust(fill(3), 'adj_2'))
  await takeAll(tail)
  expect(await folded()).toEqual([[1, '10.00']])
  const traded = { price: '0.410000000', quantity: '10.000000' }
  expect(await told(last)).toMatchObject([
    { trade_id: last, revision: 1, correction_kind: null, ...traded },
    { revision: 2, supersedes_id: last, correction_reason: 'TRADE_VOIDED', correction_kind: 'void', ...traded },
  ])
  const quotes = await ownRows(warehouse, 'market_quote', 'source_sequence, last_trade')
  expect(quotes.at(-1)?.last_trade).toBeNull()

  // Both sides in one batch, to less than was traded.
  const less = { adjustment_type: 'amend', quantity_delta: '-4.00', notional_delta: '-1.60' } as const
  await submit(
    [0, 1].map((side) => maker.operate({ ...bust(fill(side), `adj_less_${side}`), ...less })),
    2,
  )
  // A new tail finds the chain where the former left it.
  tail = await openVenueTail({ warehouse, reads, now: wallClock })
  await takeAll(tail)
  expect(await told(first)).toMatchObject([
    { revision: 1, quantity: '10.000000' },
    { revision: 2, supersedes_id: first, correction_kind: 'correction', price: '0.400000000', quantity: '6.000000' },
  ])
  // What is void may come back, as a correction of it.
  const again = { adjustment_type: 'amend', quantity_delta: '10.00', notional_delta: '4.10' } as const
  for (const side of [2, 3]) await operate({ ...bust(fill(side), `adj_again_${side}`), ...again })
  await takeAll(tail)
  expect((await told(last)).at(-1)).toMatchObject({ revision: 3, correction_kind: 'correction', ...traded })
  expect(await folded()).toEqual([[2, '16.00']])
  expect((await auditWarehouse({ warehouse })).violations).toEqual([])
  const broken = async () => {
    const audited = await auditTrading(pool, { without: ['O10'] })
    return audited.filter(({ violations }) => violations.length > 0).map(({ invariant_id }) => invariant_id)
  }
  expect(await broken()).toEqual([])
  await world.engine.stop()
  await warehouse.close()
  const forget = "DELETE FROM trading.engine_event WHERE kind = 'trade_correction'"
  await pool.query(`BEGIN; SET LOCAL session_replication_role = replica; ${forget}; COMMIT`)
  expect(await broken()).toContain('O12')
}, 120_000)

test('a voided trade leaves the last trade of a quote alone if another one of its price and instant came after it', async () => {
  const { pool } = await database()
  const world = await venueWorld(pool, ['acct_a', 'acct_b'])
  const warehouse = await openTestWarehouse(join(folder, 'same-price'))
  const { maker, submit, reads } = world
  const terms = { limit_price: '0.40', quantity: '10.00' }
  await submit([maker.place('acct_a', { ...terms, quantity: '20.00', side: 'SELL' })])
  const buys = [maker.place('acct_b', { ...terms, side: 'BUY' }), maker.place('acct_b', { ...terms, side: 'BUY' })]
  await submit(buys, 2)
  const tail = await openVenueTail({ warehouse, reads, now: wallClock })
  await takeAll(tail)
  await tail.storeBooks()
  const trades = await ownRows(warehouse, 'public_trade', 'source_at, price')
  expect(trades).toHaveLength(2)
  expect(trades[0]).toEqual(trades[1])
  const { rows } = await pool.query<{ fill_id: string }>('select fill_id from trading.fill order by engine_sequence')
  const bustTrade = async (fills: readonly number[]) => {
    for (const fill of fills) await submit([maker.operate(bust(rows[fill]!.fill_id, `adj_${fill}`))])
    // A tail that was just opened knows which trade was the last one, too.
    const fresh = await openVenueTail({ warehouse, reads, now: wallClock })
    await submit([maker.place('acct_b', { limit_price: `0.1${fills[0]}`, quantity: '1.00', side: 'BUY' })])
    await takeAll(fresh)
    const quotes = await ownRows(warehouse, 'market_quote', 'source_sequence, bid, last_trade')
    return quotes.at(-1)!
  }
  expect(await bustTrade([0, 1])).toMatchObject({ bid: '0.100000000', last_trade: '0.400000000' })
  expect(await bustTrade([2, 3])).toMatchObject({ bid: '0.120000000', last_trade: null })
  await world.engine.stop()
  await warehouse.close()
}, 120_000)

import { join } from 'node:path'
import { expect, test } from 'vitest'
import { auditWarehouse } from '../../../operations/audit/audit-warehouse.ts'
import { openVenueTail } from '../../../operations/own-venue/venue-tail.ts'
import { wallClock } from '../../../primitives/wall-clock.ts'
import { auditTrading } from '../../../trading/store/audit-trading.ts'
import type { Pool } from '../../../trading/store/create-pool.ts'
import { openReader } from '../../../warehouse/reader/open-reader.ts'
import type { HistoryPage } from '../../../warehouse/reader/reader.ts'
import type { Row } from '../../../warehouse/schema.ts'
import type { Warehouse } from '../../../warehouse/warehouse.ts'
import { PATIENT_QUERIES } from '../../support/patient-queries.ts'
import { seededRandom } from '../../support/random.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { withDatabase } from '../../support/trading/postgres.ts'
import { bust, randomSettling } from '../../support/trading/random-settling.ts'
import { ACCOUNTS, randomSubmissions, untilNothingExpires } from '../../support/trading/random-submissions.ts'
import { openTestWarehouse, ownRows, stableRows, takeAll, type VenueWorld, venueWorld } from './support/venue-world.ts'

const database = withDatabase()
const folder = tempFolder()

const OUTCOMES = ['out_yes', 'out_no'] as const
const QUOTE = `record_id, outcome_id, epoch_us(source_at) as at, bid, ask, bid_depth, ask_depth, last_trade, derived,
  derivation_rule, derived_from_id, source_sequence`
const TRADE =
  'source_sequence, trade_id, outcome_id, price, quantity, aggressor_side, match_kind, segments, complementary_outcome_id'
const BOOK = 'outcome_id, source_sequence, bids, asks, bid_derived_quantities, ask_derived_quantities'

const complement = (price: unknown) => (price === null ? null : (1 - Number(price)).toFixed(9))

/** A random flow with settlements and busts, stored by tails that are ended again and again. */
async function storedFlow(seed: number) {
  const { pool } = await database()
  const world = await venueWorld(pool, ACCOUNTS, wallClock, true)
  const warehouse = await openTestWarehouse(join(folder, `ladder-${seed}`))
  const tailNow = () => openVenueTail({ warehouse, reads: world.reads, now: wallClock, piece_max: 40 })
  const random = seededRandom(seed)
  const flow = randomSubmissions(seed, 300, wallClock()).filter((given) => {
    return given.kind !== 'operate' || given.command.kind !== 'move_market' || given.command.to !== 'paused'
  })
  let tail = await tailNow()
  for (let from = 0; from < flow.length; from += 20) {
    await world.submit(flow.slice(from, from + 20), 4)
    const settling = await randomSettling(pool, random, `s${seed}n${from}`)
    if (settling !== null) await world.submit([world.maker.operate(settling)])
    await takeAll(tail)
    if (random() < 0.4) await tail.storeBooks()
    if (random() < 0.4) tail = await tailNow()
  }
  await untilNothingExpires(pool)
  const corrected = await adjustBothSides(pool, world)
  await takeAll(tail)
  await tail.storeBooks()
  return { pool, world, warehouse, corrected }
}

type Side = { readonly trade_id: string; readonly fill_id: string; readonly price: number; readonly quantity: number }

/** Undoes one of the last trades on both sides, and cuts another by 0.5 contracts. @returns their ids */
async function adjustBothSides(pool: Pool, { submit, maker }: VenueWorld): Promise<readonly string[]> {
  const { rows } = await pool.query<Side>(`
    SELECT f.trade_id, f.fill_id, f.price, f.quantity
    FROM trading.fill AS f JOIN trading.settlement AS s USING (settlement_id)
    WHERE NOT EXISTS (SELECT FROM trading.fill AS o JOIN trading.settlement AS t USING (settlement_id)
                      WHERE o.trade_id = f.trade_id AND (t.state <> 'pending' OR o.fill_id IN (SELECT fill_id FROM trading.adjustment)))
      AND f.quantity > 100
    ORDER BY f.engine_sequence DESC LIMIT 4`)
  const [voided, cut] = [...new Set(rows.map(({ trade_id }) => trade_id))]
  for (const { trade_id, fill_id, price } of rows) {
    const undone = bust(fill_id, `adj_both_${fill_id}`)
    const deltas = { quantity_delta: '-0.50', notional_delta: `-${(price / 200).toFixed(4)}` }
    const command = trade_id === voided ? undone : { ...undone, adjustment_type: 'amend' as const, ...deltas }
    const [answer] = await submit([maker.operate(command)])
    expect(answer!.error).toBeNull()
  }
  return [voided!, cut!]
}

test('quotes, books and trades of both outcomes are one, and tails that were ended store what a calm one does', async () => {
  const { pool, world, warehouse, corrected } = await storedFlow(31)
  const calm = await openTestWarehouse(join(folder, 'calm'))
  const tail = await openVenueTail({ warehouse: calm, reads: world.reads, now: wallClock })
  await takeAll(tail)
  expect(await stableRows(warehouse)).toEqual(await stableRows(calm))
  await expectMirroredQuotes(await ownRows(warehouse, 'market_quote', QUOTE))
  expectMirroredBooks(await ownRows(warehouse, 'order_book', BOOK))
  const trades = await ownRows(warehouse, 'public_trade', `${TRADE}, revision`)
  const { rows: table } = await pool.query('SELECT trade_id, segments FROM trading.trade ORDER BY engine_sequence')
  expect(trades.filter(({ revision }) => revision === 1).map(({ trade_id }) => trade_id)).toEqual(
    table.map(({ trade_id }) => trade_id),
  )
  const corrections = trades.filter(({ revision }) => Number(revision) > 1)
  expect(corrections.map(({ trade_id }) => String(trade_id).split('.')[0]).sort()).toEqual(
    expect.arrayContaining([...corrected].sort()),
  )
  for (const { outcome_id, complementary_outcome_id, segments, quantity } of trades) {
    expect([outcome_id, complementary_outcome_id].sort()).toEqual(['out_no', 'out_yes'])
    const parts = segments as unknown as readonly { readonly quantity: string }[]
    expect(parts.reduce((sum, part) => sum + Number(part.quantity), 0)).toBeCloseTo(Number(quantity), 6)
  }
  expect((await auditWarehouse({ warehouse })).violations).toEqual([])
  const audited = await auditTrading(pool, { invariant_ids: ['P1', 'P2', 'O9', 'O12'] })
  expect(audited.flatMap(({ violations }) => violations)).toEqual([])
  await expectPlantedFaults(pool)
  await world.engine.stop()
  await Promise.all([warehouse, calm].map((one) => one.close()))
}, 180_000)

/** Each state of the top of one book is that of the other, and a derived quote names the one that it derives from. */
async function expectMirroredQuotes(rows: readonly Row[]): Promise<void> {
  const by_id = new Map(rows.map((row) => [row.record_id, row]))
  const tops = OUTCOMES.map((outcome_id) => {
    const of_outcome = rows.filter((row) => row.outcome_id === outcome_id)
    const sorted = of_outcome.toSorted((a, b) => Number(a.source_sequence) - Number(b.source_sequence))
    const texts = sorted.map((row) => JSON.stringify(outcome_id === 'out_yes' ? topOf(row) : topOf(mirrored(row))))
    return texts.filter((text, nth) => text !== texts[nth - 1])
  })
  expect(tops[0]!.length).toBeGreaterThan(20)
  expect(tops[1]).toEqual(tops[0])
  const derived = rows.filter((row) => row.derived === true)
  expect(derived.length).toBeGreaterThan(5)
  for (const row of derived) {
    const source = by_id.get(row.derived_from_id)!
    expect([source.outcome_id === row.outcome_id, source.derived, source.at]).toEqual([false, false, row.at])
    expect(topOf(mirrored(source))).toEqual(topOf(row))
    expect(row.derivation_rule).toBe('complement')
  }
  for (const row of rows.filter((one) => one.derived !== true))
    expect([row.derivation_rule, row.derived_from_id]).toEqual([null, null])
}

function topOf({ bid, ask, bid_depth, ask_depth, last_trade }: Row): Row {
  return { bid, ask, bid_depth, ask_depth, last_trade }
}

function mirrored({ bid, ask, bid_depth, ask_depth, last_trade }: Row): Row {
  return {
    bid: complement(ask),
    ask: complement(bid),
    bid_depth: ask_depth,
    ask_depth: bid_depth,
    last_trade: complement(last_trade),
  }
}

type StoredLevel = { readonly price: string; readonly quantity: string }

function expectMirroredBooks(rows: readonly Row[]): void {
  const [yes, no] = OUTCOMES.map((outcome_id) => rows.filter((row) => row.outcome_id === outcome_id))
  expect(yes!.length).toBeGreaterThan(2)
  const sides = ({ bids, asks, source_sequence, ...row }: Row, is_mirrored: boolean) => {
    const levels = (side: unknown, derived: unknown) => {
      return (side as readonly StoredLevel[]).map(({ price, quantity }, nth) => {
        const part = Number((derived as readonly string[])[nth])
        if (!is_mirrored) return [price, quantity, part]
        return [complement(price), quantity, Math.round((Number(quantity) - part) * 1e6) / 1e6]
      })
    }
    const both = [levels(bids, row.bid_derived_quantities ?? []), levels(asks, row.ask_derived_quantities ?? [])]
    return { source_sequence, sides: is_mirrored ? both.reverse() : both }
  }
  const by_sequence = (a: { source_sequence: unknown }, b: { source_sequence: unknown }) =>
    Number(a.source_sequence) - Number(b.source_sequence)
  expect(no!.map((row) => sides(row, true)).sort(by_sequence)).toEqual(
    yes!.map((row) => sides(row, false)).sort(by_sequence),
  )
}

/** One wrong row of each kind is found. */
async function expectPlantedFaults(pool: Pool): Promise<void> {
  const broken = async (id: string, change: string) => {
    const client = await pool.connect()
    try {
      await client.query('BEGIN')
      await client.query('SET LOCAL session_replication_role = replica')
      await client.query(change)
      await client.query('COMMIT')
    } finally {
      client.release()
    }
    const [audited] = await auditTrading(pool, { invariant_ids: [id] })
    expect([id, audited!.violations.length > 0]).toEqual([id, true])
  }
  await broken(
    'P1',
    'UPDATE trading.fill SET price = price + 1 WHERE fill_id = (SELECT max(fill_id) FROM trading.fill)',
  )
  await broken(
    'P2',
    `UPDATE trading.position SET net_quantity = net_quantity + 1 WHERE (account_id, outcome_id) =
     (SELECT account_id, outcome_id FROM trading.position WHERE account_id = 'acct_a' ORDER BY outcome_id LIMIT 1)`,
  )
}

const PAGE: Omit<HistoryPage, 'as_of'> = {
  time_domain: 'source',
  start: null,
  end: null,
  after: null,
  limit: 10_000,
  quality_state: null,
  include_corrections: false,
}

test('the history shows what is derived with its source, and candles of either outcome count every trade', async () => {
  const { world, warehouse } = await storedFlow(33)
  const reader = await openReader({ root: warehouse.root, interval_ms: 20, limits: PATIENT_QUERIES })
  try {
    await reader.now()
    const as_of = wallClock()
    const asked = { market_id: 'mkt_1', outcome_id: null, field: null, trades: true }
    const records = await reader.history.marketObservations(asked, { ...PAGE, as_of })
    const by_id = new Map(records.map((record) => [record.observation_id, record]))
    const derived = records.filter((record) => record.derived === true && record.field !== 'mark')
    expect(derived.length).toBeGreaterThan(5)
    for (const { value, field, derivation_rule, source_observation_ids } of derived) {
      const [id] = source_observation_ids as unknown as readonly string[]
      const source = by_id.get(id!)
      expect([field, derivation_rule, value]).toEqual([
        source!.field === 'bid' ? 'ask' : 'bid',
        'complement',
        complement(source!.value),
      ])
    }
    await expectMirroredCandles(reader, warehouse, as_of)
  } finally {
    await reader.close()
    await world.engine.stop()
    await warehouse.close()
  }
}, 180_000)

type Reader = Awaited<ReturnType<typeof openReader>>

async function expectMirroredCandles(reader: Reader, warehouse: Warehouse, as_of: number): Promise<void> {
  const range = { from: as_of - 3_600_000_000, to: as_of + 60_000_000, interval: 'PT1H' } as const
  const [yes, no] = await Promise.all(
    OUTCOMES.map((outcome_id) =>
      reader.history.marketCandles({ market_id: 'mkt_1', outcome_id, field: 'last_trade', trades: true }, range, {
        as_of,
        at: as_of,
      }),
    ),
  )
  expect(yes!.length).toBeGreaterThan(0)
  expect(
    no!.map(({ open, high, low, close, volume, observation_count }) => [
      open,
      high,
      low,
      close,
      volume,
      observation_count,
    ]),
  ).toEqual(
    yes!.map(({ open, high, low, close, volume, observation_count }) => {
      return [...[open, low, high, close].map(complement), volume, observation_count]
    }),
  )
  const standing = await ownRows(warehouse, 'public_trade', 'trade_id, supersedes_id, correction_kind, quantity')
  const superseded = new Set(standing.map(({ supersedes_id }) => supersedes_id))
  const valid = standing.filter((row) => row.correction_kind !== 'void' && !superseded.has(row.trade_id))
  const volume = yes!.reduce((sum, candle) => sum + Number(candle.volume), 0)
  expect(volume).toBeCloseTo(
    valid.reduce((sum, { quantity }) => sum + Number(quantity), 0),
    6,
  )
  const tape = await reader.history.trades(
    { market_id: 'mkt_1', outcome_id: 'out_no', start: null, end: null },
    { after: null, limit: 10_000, as_of },
  )
  expect(tape.length).toBe(standing.length)
}

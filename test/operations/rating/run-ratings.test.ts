import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listRatings } from '../../../operations/rating/read-ratings.ts'
import { runRatings } from '../../../operations/rating/run-ratings.ts'
import { liquidity, manipulationResistance, venueOperationalRisk } from '../../../pipelines/rating/components.ts'
import { sha256Hex } from '../../../primitives/ids.ts'
import { formatMicros, MICROS_PER_DAY, toMicros } from '../../../primitives/instants.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { E22_MARKET, writeRatedDay } from '../../support/rating-world.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const DAY_1 = toMicros('2026-06-01T00:00:00Z')
const at = (days: number) => formatMicros(DAY_1 + days * MICROS_PER_DAY + 60_000_000)
const MARKETS = [
  E22_MARKET,
  { ...E22_MARKET, market_id: 'mkt_own', venue_id: 'tidemark', asset: 'asset_usd' },
  { ...E22_MARKET, market_id: 'mkt_play', venue_id: 'manifold', asset: 'mana' },
  { ...E22_MARKET, market_id: 'mkt_empty', bids: [], asks: [] },
  { ...E22_MARKET, market_id: 'mkt_silent', rules: null },
]

let warehouse: Warehouse
let ratings: ReadonlyMap<string, Row>
beforeAll(async () => {
  warehouse = await openWarehouse({ root: join(tempFolder(), 'warehouse'), create: true })
  await writeRatedDay(warehouse, MARKETS, DAY_1)
  const report = await runRatings({ at: at(0), clock: 'recorded', warehouse })
  expect(report).toMatchObject({ markets: 5, published: 5, already_published: 0, commits: 1 })
  ratings = await byMarket(at(0))
})
afterAll(() => warehouse.close())

const byMarket = async (as_of: string) =>
  new Map((await listRatings({ as_of, warehouse })).map((row) => [String(row.market_id), row]))
const scores = (market_id: string) => ratings.get(market_id)!.component_scores as Record<string, string | null>
const measured = (market_id: string, component: string) => {
  const item = (ratings.get(market_id)!.evidence as Row[]).find((one) => one.component === component)!
  return { item, figures: JSON.parse(String(item.measured)) as Record<string, unknown> }
}

test('E22: the cost to move of the stored books is the smaller side, 272.00', () => {
  const { figures } = measured('mkt_e22', 'manipulation_resistance')
  expect(figures.cost_to_move_usd).toMatch(/^272\.00*$/)
  const unknown = { concentration: null, top_trader_share: null, wash_share: null }
  expect(figures).toMatchObject(unknown)
  expect(scores('mkt_e22').manipulation_resistance).toBe(
    manipulationResistance({ cost_to_move_usd: '272', ...unknown }),
  )
})

test('liquidity is of the time-weighted spread, the depth within 0.02 of the middle and the volume that the venue states', () => {
  const { figures } = measured('mkt_e22', 'liquidity')
  // middle 0.63: bids down to 0.61 give 0.62 x 400, asks up to 0.65 give 0.64 x 300
  expect(figures.depth_usd).toMatch(/^440\.0*$/)
  expect(figures).toMatchObject({ spread: '0.02', volume_origin: 'venue', books: 4 })
  expect(scores('mkt_e22').liquidity).toBe(liquidity({ spread: '0.02', depth_usd: '440', volume_usd: '250000' }))
})

test('clear rules have every point, with the span where each was found', () => {
  const { figures, item } = measured('mkt_e22', 'resolution_clarity')
  expect(figures.points).toEqual(['30', '20', '10', '10', '15', '10', '5'])
  for (const { span } of figures.items as { span: unknown }[]) expect(span).not.toBeNull()
  expect(item.content_hash).toBe(`sha256:${sha256Hex(String(item.measured))}`)
})

test('health and settlement of the venue are what was recorded of it', () => {
  const { figures } = measured('mkt_e22', 'venue_operational_risk')
  const expected = { uptime: '1.000000000', regulation: '0', settlement_delay_h: '18.000000', incidents_365d: 0 }
  expect(figures).toMatchObject(expected)
  expect(scores('mkt_e22').venue_operational_risk).toBe(venueOperationalRisk(expected))
  expect(measured('mkt_e22', 'data_quality').figures).toEqual({
    gap_share: '0.000000000',
    sequence_gap_share: '0.002000000',
    crossed_share: '0.000000000',
    p95_latency_ms: '800',
  })
})

test('a source without a record of its availability is missing, so the market is MR2 at best', () => {
  expect(scores('mkt_e22').source_reliability).toBeNull()
  const row = ratings.get('mkt_e22')!
  expect(row).toMatchObject({ issuer: { kind: 'model' }, review_state: 'approved', effective_from: at(0) })
  expect(['MR2', 'MR3', 'MR4', 'MR5']).toContain(row.band)
})

test('a market of our own exchange is measured like any: its ledger names dollars asset_usd, and facts name the venue', () => {
  expect(scores('mkt_own').liquidity).toBe(scores('mkt_e22').liquidity)
  expect(scores('mkt_own').manipulation_resistance).toBe(scores('mkt_e22').manipulation_resistance)
  const { figures } = measured('mkt_own', 'venue_operational_risk')
  expect(figures).toMatchObject({ regulation: '1', settlement_delay_h: '18.000000' })
})

test('play money is no liquidity, an empty book none, silence no clarity: not rated, without a score', () => {
  for (const [market_id, reason] of [
    ['mkt_play', 'MISSING_REQUIRED:liquidity'],
    ['mkt_empty', 'MISSING_REQUIRED:liquidity'],
    ['mkt_silent', 'MISSING_REQUIRED:resolution_clarity'],
  ] as const) {
    const row = ratings.get(market_id)!
    expect(row).toMatchObject({ band: 'NR', score: null })
    expect(row.reason_codes).toContain(reason)
    expect(Object.values(scores(market_id))).not.toContain('0.00')
  }
})

test('the same day again publishes nothing; the next day is another assessment, and an upgrade waits for two days', async () => {
  const later = formatMicros(toMicros(at(0)) + MICROS_PER_DAY / 2)
  const again = await runRatings({ at: later, clock: 'recorded', warehouse })
  expect(again).toMatchObject({ published: 0, already_published: 5 })
  const before = ratings.get('mkt_e22')!
  const deeper = { ...E22_MARKET, bids: [['0.62', '400000']], asks: [['0.64', '400000']] } as const
  const rows: Row[] = [before]
  for (const days of [1, 2, 3, 4, 5, 6]) {
    await writeRatedDay(warehouse, [deeper], DAY_1 + days * MICROS_PER_DAY, { is_first: false, every: 1 })
    await runRatings({ at: at(days), clock: 'recorded', warehouse })
    rows.push((await byMarket(at(days))).get('mkt_e22')!)
  }
  const held = rows.findIndex(({ reason_codes }) => (reason_codes as string[]).includes('UPGRADE_HELD'))
  expect(held).toBeGreaterThan(0)
  expect(rows[held]).toMatchObject({ band: before.band, previous_band: before.band })
  expect(String(rows[held]!.day_band) < String(before.band)).toBe(true)
  expect(rows[held + 1]!.band).toBe(rows[held]!.day_band)
  expect((await byMarket(at(0))).get('mkt_e22')!.rating_id).toBe(before.rating_id)
}, 180_000)

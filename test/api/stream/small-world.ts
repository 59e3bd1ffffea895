import { formatMicros, toMicros } from '../../../primitives/instants.ts'
import type { Row } from '../../../warehouse/schema.ts'
import type { FakeCatalog } from './fake-reader.ts'

/** Two indexes, four markets of three venues, and rows about them. */

const AT = '2026-01-01T00:00:00Z'
const NOON = toMicros(AT)

export const index = (index_id: string): Row => ({
  index_id,
  slug: index_id,
  status: 'active',
  active_version_id: `idv_${index_id}`,
  published_at: AT,
})

const market = (market_id: string, venue_id: string): Row => ({
  market_id,
  status: 'open',
  outcome_type: 'binary',
  outcomes: [{ outcome_id: `out_${market_id}_yes` }, { outcome_id: `out_${market_id}_no` }],
  venue_mapping: { venue_id, source_market_id: market_id },
  published_at: AT,
})

export const CATALOG: FakeCatalog = {
  indexes: [index('idx_a'), index('idx_b')],
  versions: [versionRow('idx_a'), versionRow('idx_b')],
  markets: [
    market('mkt_1', 'polymarket'),
    market('mkt_2', 'polymarket'),
    market('mkt_play', 'manifold'),
    market('mkt_private', 'predictit'),
  ],
}

/** The instant n seconds into the world. */
export const second = (n: number) => formatMicros(NOON + n * 1_000_000)

export function versionRow(index_id: string, version = '1'): Row {
  return {
    index_version_id: `idv_${index_id}`,
    index_id,
    version,
    status: 'published',
    effective_from: AT,
    methodology_id: 'mth_t',
    methodology_version: '1.0.0',
    mode: 'gauge',
    calculation_frequency: 'PT1M',
    weight_sum: '1.0000000000',
    minimum_coverage_ratio: '0.8000000000',
    change_summary: [],
    published_at: AT,
  }
}

/** A level of an index at its n-th tick. */
export function levelRow(index_id: string, tick: number, change: Row = {}): Row {
  return {
    observation_id: `iob_${index_id.slice(4)}_${tick}_${change.revision ?? 1}`,
    revision: 1,
    index_id,
    index_version_id: `idv_${index_id}`,
    methodology_id: 'mth_t',
    methodology_version: '1.0.0',
    tick_at: second(tick),
    level: `${tick}.0000`,
    unit: 'index_points',
    quality_state: 'valid',
    calculation_run_id: 'run_1',
    record_hash: 'sha256:0',
    ...change,
  }
}

export function quoteRow(market_id: string, at: number, change: Row = {}): Row {
  return {
    record_id: `obs_${market_id}_${at}`,
    revision: 1,
    venue_id: 'polymarket',
    source_market_id: market_id,
    market_id,
    outcome_id: `out_${market_id}_yes`,
    bid: '0.400000000',
    ask: '0.600000000',
    source_at: second(at),
    received_at: second(at),
    ...change,
  }
}

export function tradeRow(market_id: string, at: number, change: Row = {}): Row {
  return {
    trade_id: `trd_${market_id}_${at}`,
    revision: 1,
    venue_id: 'polymarket',
    source_market_id: market_id,
    market_id,
    outcome_id: `out_${market_id}_yes`,
    price: '0.500000000',
    quantity: '10.000000',
    source_trade_id: `t${at}`,
    source_at: second(at),
    received_at: second(at),
    ...change,
  }
}

/** A book of an outcome; levels are price to quantity in whole hundredths and units. */
export function bookRow(market_id: string, at: number, bids: Levels, asks: Levels, change: Row = {}): Row {
  return {
    order_book_id: `obk_${market_id}_${at}`,
    revision: 1,
    venue_id: 'polymarket',
    source_market_id: market_id,
    market_id,
    outcome_id: `out_${market_id}_yes`,
    price_unit: 'probability',
    bids: levelsOf(bids, -1),
    asks: levelsOf(asks, 1),
    asks_derived: false,
    quality_state: 'valid',
    source_at: second(at),
    received_at: second(at),
    ...change,
  }
}

export type Levels = Readonly<Record<number, number>>

function levelsOf(levels: Levels, direction: 1 | -1): Row[] {
  return Object.entries(levels)
    .sort(([a], [b]) => direction * (Number(a) - Number(b)))
    .map(([cents, quantity]) => ({ price: `0.${cents.padStart(2, '0')}0000000`, quantity: `${quantity}.000000` }))
}

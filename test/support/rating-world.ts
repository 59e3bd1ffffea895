import { deriveId } from '../../primitives/ids.ts'
import { formatMicros, MICROS_PER_DAY, type Micros } from '../../primitives/instants.ts'
import type { Row } from '../../warehouse/schema.ts'
import type { TableName } from '../../warehouse/tables.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'

const HOUR = MICROS_PER_DAY / 24
const FIRST = { revision: 1, supersedes_id: null, correction_reason: null }

/** Rules that the rubric gives every point. */
export const CLEAR_RULES = {
  rules_version: '1',
  resolution_question: 'Will the number be above 3?',
  resolution_sources: ['https://www.bls.gov/cpi'],
  resolution_criteria:
    'If the Bureau of Labor Statistics reports a number above 3, the market resolves to Yes. It closes at 8:30 am ET. If the release is unavailable, a secondary source is used. If it is postponed, the market remains open.',
  dispute_policy_uri: 'https://example.com/disputes',
  timezone: 'America/New_York',
}

export type RatedMarket = {
  readonly market_id: string
  readonly venue_id: string
  readonly asset: string
  readonly rules: Row | null
  /** Price levels, best first. */
  readonly bids: readonly (readonly [price: string, quantity: string])[]
  readonly asks: readonly (readonly [price: string, quantity: string])[]
  /** null: the venue states none. */
  readonly volume: string | null
}

/** The world that E22 measures: C = 272.00, spread 0.02. */
export const E22_MARKET: RatedMarket = {
  market_id: 'mkt_e22',
  venue_id: 'kalshi',
  asset: 'usd',
  rules: CLEAR_RULES,
  bids: [
    ['0.62', '400'],
    ['0.60', '300'],
  ],
  asks: [
    ['0.64', '300'],
    ['0.66', '500'],
    ['0.69', '1000'],
  ],
  volume: '250000',
}

let steps = 0
async function append(warehouse: Warehouse, table: TableName, rows: readonly Row[], at: Micros): Promise<void> {
  steps += 1
  if (rows.length === 0) return
  const stamp = { kind: 'recorded', at } as const
  await warehouse.append(table, rows, { app_id: `world ${steps}`, app_sequence: 1, stamp, operation: 'TEST' })
}

/** Writes a day of markets that ends at `at`: states, quotes and books every `every` hours, the venue's volume, and its health. */
export async function writeRatedDay(
  warehouse: Warehouse,
  markets: readonly RatedMarket[],
  at: Micros,
  { every = 6, health_days = 40, is_first = true } = {},
): Promise<void> {
  const moments: Micros[] = []
  for (let hour = 0; hour < 24; hour += every) moments.push(at - MICROS_PER_DAY + hour * HOUR)
  const each = (work: (market: RatedMarket, moment: Micros) => Row) =>
    markets.flatMap((market) => moments.map((moment) => work(market, moment)))
  if (is_first)
    await append(
      warehouse,
      'market',
      markets.map((one) => marketRow(one, at - 20 * MICROS_PER_DAY)),
      at,
    )
  await append(warehouse, 'market_quote', each(quoteRow), at)
  await append(warehouse, 'order_book', each(bookRow), at)
  const stated = markets.filter(({ volume }) => volume !== null)
  await append(
    warehouse,
    'market_metric',
    stated.map((one) => metricRow(one, at - HOUR)),
    at,
  )
  const venues = [...new Set(markets.map(({ venue_id }) => venue_id))]
  if (!is_first || health_days === 0) return
  const days = [health_days, 1]
  await append(
    warehouse,
    'ingest_health',
    venues.flatMap((venue_id) => days.map((back) => healthRow(venue_id, at, back))),
    at,
  )
  await append(
    warehouse,
    'market_resolution',
    venues.map((venue_id) => resolutionRow(venue_id, at)),
    at,
  )
  await append(
    warehouse,
    'market',
    venues.map((venue_id) => decidedRow(venue_id, at)),
    at + 1000,
  )
}

function marketRow({ market_id, venue_id, asset, rules }: RatedMarket, received: Micros): Row {
  const at = formatMicros(received)
  return {
    market_id,
    ...FIRST,
    event_id: `evt_${market_id}`,
    title: market_id,
    status: 'open',
    outcome_type: 'binary',
    rules,
    venue_mapping: { venue_id, source_market_id: market_id, source_outcome_ids: [] },
    trading_parameters: { settlement_asset_id: asset },
    source_at: at,
    received_at: at,
  }
}

const base = ({ market_id, venue_id }: RatedMarket, moment: Micros) => ({
  ...FIRST,
  venue_id,
  source_series_id: null,
  source_market_id: market_id,
  market_id,
  outcome_id: `out_${market_id}`,
  source_at: formatMicros(moment),
  received_at: formatMicros(moment + 800_000),
})

function quoteRow(market: RatedMarket, moment: Micros): Row {
  const [bid, ask] = [market.bids[0]?.[0] ?? null, market.asks[0]?.[0] ?? null]
  return { record_id: deriveId('obs', market.market_id, moment), ...base(market, moment), bid, ask }
}

function bookRow(market: RatedMarket, moment: Micros): Row {
  const levels = (side: RatedMarket['bids']) => side.map(([price, quantity]) => ({ price, quantity }))
  const sides = { bids: levels(market.bids), asks: levels(market.asks) }
  const order_book_id = deriveId('obk', market.market_id, moment)
  return { order_book_id, ...base(market, moment), price_unit: 'probability', ...sides, asks_derived: false }
}

function metricRow(market: RatedMarket, moment: Micros): Row {
  const { outcome_id: _o, source_series_id: _s, ...rest } = base(market, moment)
  return { metric_id: deriveId('mtc', market.market_id, moment), ...rest, volume_24h: market.volume }
}

/** 40 days ago: ok; 1 day ago: ok, with 1,000 records and 2 gaps since. */
function healthRow(venue_id: string, at: Micros, back: number): Row {
  const source_at = formatMicros(at - back * MICROS_PER_DAY)
  const counts = back === 1 ? { gaps: 2, records_new: 1000 } : { gaps: 0, records_new: 0 }
  const health_id = deriveId('hlt', venue_id, source_at)
  return { health_id, venue_id, state: 'ok', ...counts, quarantined: 0, sessions: 1, source_at }
}

/** A market of the venue that was decided 18 hours after its close. */
function decidedRow(venue_id: string, at: Micros): Row {
  const market_id = `mkt_decided_${venue_id}`
  const row = marketRow({ ...E22_MARKET, market_id, venue_id }, at - 10 * MICROS_PER_DAY)
  return { ...row, status: 'resolved', schedule: { closes_at: formatMicros(at - 5 * MICROS_PER_DAY) } }
}

function resolutionRow(venue_id: string, at: Micros): Row {
  const market_id = `mkt_decided_${venue_id}`
  const resolved = formatMicros(at - 5 * MICROS_PER_DAY + 18 * HOUR)
  return {
    resolution_id: deriveId('res', market_id),
    ...FIRST,
    market_id,
    venue_id,
    source_market_id: market_id,
    resolved_at: resolved,
    finality: 'final',
    source_at: resolved,
    received_at: resolved,
  }
}

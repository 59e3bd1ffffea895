import { marketIdOf, outcomeIdOf } from '../../pipelines/revisions/identity.ts'
import { formatMicros, MICROS_PER_DAY, type Micros, toMicros } from '../../primitives/instants.ts'
import type { Row } from '../../warehouse/schema.ts'
import type { TableName } from '../../warehouse/tables.ts'
import { openWarehouse, type Warehouse } from '../../warehouse/warehouse.ts'

const FIRST = { revision: 1, supersedes_id: null, correction_reason: null }

/** Warehouse with a clock that the test sets. */
export async function clockedWarehouse(root: string, start: string) {
  let now = toMicros(start)
  const warehouse = await openWarehouse({
    root,
    create: true,
    ports: { now: async () => now, without_clock_guards: true },
  })
  return {
    warehouse,
    at: (text: string) => {
      now = toMicros(text)
    },
  }
}

let steps = 0
async function append(warehouse: Warehouse, table: TableName, rows: readonly Row[]): Promise<void> {
  steps += 1
  const step = { app_id: `selection world ${steps}`, app_sequence: 1, stamp: { kind: 'wall' } } as const
  await warehouse.append(table, rows, { ...step, operation: 'TEST' })
}

/** Id of a market of the world. */
export const marketId = (id: string, venue_id = 'polymarket') => String(marketIdOf(venue_id, id))

type Market = { readonly id: string; readonly venue_id?: string; readonly status?: string; readonly ends?: string }

/** Publishes markets as known now, with the terms of their sources. */
export async function publishMarkets(warehouse: Warehouse, markets: readonly Market[], revision = 1): Promise<void> {
  const received_at = formatMicros(await warehouse.now())
  const rows = markets.map(({ id, venue_id = 'polymarket', status = 'open', ends = '2027-01-01T00:00:00Z' }) => {
    const market_id = marketId(id, venue_id)
    const outcomes = ['YES', 'NO'].map((label) => ({ outcome_id: outcomeIdOf(market_id, label), label }))
    return {
      ...{ market_id, ...FIRST, revision, event_id: `evt_${id}`, title: id, status, outcome_type: 'binary', outcomes },
      schedule: { expected_resolution_at: ends },
      venue_mapping: { venue_id, source_market_id: id, source_outcome_ids: ['YES', 'NO'] },
      ...{ source_at: received_at, received_at },
    }
  })
  await append(warehouse, 'market', rows)
  if (revision > 1) return
  const terms = rows.map(({ market_id }, i) => ({
    ...{ eligibility_id: `elg_${markets[i]!.id}`, ...FIRST, market_id, policy_id: 'pol_source_terms' },
    ...{ status: 'eligible', policy_version: '1', reason_codes: [], evaluated_at: received_at },
  }))
  await append(warehouse, 'market_eligibility', terms)
}

/** Publishes ratings in force from now on. */
export async function publishRatings(warehouse: Warehouse, bands: Readonly<Record<string, string>>): Promise<void> {
  const now = formatMicros(await warehouse.now())
  const rows = Object.entries(bands).map(([id, band]) => ({
    ...{ rating_id: `rat_${id}_${now.slice(0, 10)}`, chain_id: `rch_${id}_${now.slice(0, 10)}`, ...FIRST },
    ...{ market_id: marketId(id), band, score: '80.00', component_scores: { resolution_clarity: '90.00' } },
    ...{ outlook: 'stable', watch_status: 'none', confidence: '0.9000', reason_codes: [], evidence: [] },
    ...{
      methodology_id: 'mth_market_rating',
      methodology_version: '1.0.0',
      issuer: { kind: 'model', issuer_id: 'tidemark' },
    },
    ...{ effective_from: now, effective_to: null, observation_cutoff_at: now, review_state: 'approved' },
  }))
  await append(warehouse, 'market_rating', rows)
}

/** Publishes a trade at 0.50 on each of the 30 whole days before now. */
export async function publishTrades(warehouse: Warehouse, quantities: Readonly<Record<string, string>>): Promise<void> {
  const now = await warehouse.now()
  const day = (back: number): Micros => Math.floor(now / MICROS_PER_DAY) * MICROS_PER_DAY - back * MICROS_PER_DAY
  const rows = Object.entries(quantities).flatMap(([id, quantity]) =>
    Array.from({ length: 30 }, (_, i) => {
      const source_at = formatMicros(day(i + 1) + 3_600_000_000)
      const source_trade_id = `${id} ${source_at} ${quantity}`
      return {
        ...{ trade_id: `trd_${id}_${source_at.slice(0, 10)}_${quantity}`, ...FIRST, venue_id: 'polymarket' },
        ...{ source_market_id: id, market_id: marketId(id), outcome_id: outcomeIdOf(marketId(id), 'YES') },
        ...{ price: '0.50', quantity, source_trade_id, source_at, received_at: source_at },
      }
    }),
  )
  await append(warehouse, 'public_trade', rows)
}

/** An index whose constituents a rule selects each month. */
export const RULE_DEFINITION = `
index: { index_id: idx_rule, slug: rule, symbol: RULE, name: Rule, base_date: 2026-05-01T00:00:00Z }
methodology: { methodology_id: mth_rule, version: "1", name: Rule, parameters: { mode: chain_linked } }
versions:
  - version: "1"
    effective_from: 2026-05-06T14:00:00Z
    calculation_frequency: P1D
    weighting: { rule: sqrt_volume, rating_multiplier: true }
    caps: { single: "0.50" }
    selection:
      universe: { venue_ids: [polymarket, predictit] }
      eligibility_policy: { policy_id: pol_core, version: 1 }
      ranking: { fact: median_daily_volume }
      count: 3
      buffer: 1
    rebalance: { schedule: monthly }
`

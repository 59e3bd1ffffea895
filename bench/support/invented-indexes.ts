import type { DefinitionFile } from '../../pipelines/index/definition-schema.ts'
import { eventIdOf, marketIdOf, outcomeIdOf, quoteIdOf } from '../../pipelines/revisions/identity.ts'
import { formatMicros, type Micros } from '../../primitives/instants.ts'
import type { Row } from '../../warehouse/schema.ts'
import { MINUTE, seeded } from './synthetic-books.ts'

export const VENUE = 'bench'
const OUTCOMES = ['YES', 'NO'] as const

/** Constituents per index, and number of markets that they are chosen from. */
export type InventedSize = { readonly constituents: number; readonly markets: number }

/** Returns index number `i`: chain-linked, one level a minute from its base date on, with its own choice of markets. */
export function inventedIndex(i: number, { constituents, markets }: InventedSize, base_date: Micros): DefinitionFile {
  const names = { slug: `bench-${i}`, symbol: `BENCH${i}`, name: `Bench ${i}` }
  const from = formatMicros(base_date)
  return {
    index: { index_id: inventedIndexId(i), ...names, base_value: '1000', base_date: from },
    methodology: { methodology_id: 'mth_bench', version: '1', name: 'Bench', parameters: { mode: 'chain_linked' } },
    versions: [
      {
        version: '1',
        effective_from: from,
        calculation_frequency: 'PT1M',
        constituents: Array.from({ length: constituents }, (_, n) => ({
          constituent_id: `con_${String(n).padStart(3, '0')}`,
          venue_id: VENUE,
          source_market_id: `m${(i * 131 + n * 17) % markets}`,
          outcome: 'YES',
          target_weight: (1 / constituents).toFixed(10),
          normalization: n % 5 === 4 ? 'inverse' : 'probability_0_1',
        })),
      },
    ],
  }
}

export function inventedIndexId(i: number): string {
  return `idx_bench_${i}`
}

/** Returns `count` rows of table `market`, received shortly before an instant. */
export function inventedMarkets(markets: number, start: Micros): Row[] {
  return Array.from({ length: markets }, (_, market) => marketRow(market, start - 3 * MINUTE))
}

/** Returns books of both outcomes of every market around an instant; each call continues a random walk of the midpoints. */
export function inventedBooks(markets: number): (at: Micros) => Row[] {
  const mids = Array.from({ length: markets }, (_, market) => 200_000 + ((market * 7919) % 600_000))
  const random = seeded(11)
  return (at) =>
    mids.flatMap((mid, market) => {
      mids[market] = Math.min(950_000, Math.max(50_000, mid + Math.floor(random() * 2001) - 1000))
      return quoteRows(market, mids[market]!, at - Math.floor(random() * 20_000) * 1000)
    })
}

function marketRow(market: number, known_at: Micros): Row {
  const source_market_id = `m${market}`
  const market_id = marketIdOf(VENUE, source_market_id)
  const at = formatMicros(known_at)
  return {
    market_id,
    revision: 1,
    event_id: eventIdOf(VENUE, source_market_id),
    title: source_market_id,
    status: 'open',
    outcome_type: 'binary',
    outcomes: OUTCOMES.map((label) => ({ outcome_id: outcomeIdOf(market_id, label), label })),
    source_at: at,
    received_at: at,
  }
}

function quoteRows(market: number, mid: number, source_at: Micros): Row[] {
  const source_market_id = `m${market}`
  const market_id = marketIdOf(VENUE, source_market_id)
  const at = formatMicros(source_at)
  return OUTCOMES.map((outcome) => {
    const middle = outcome === 'YES' ? mid : 1_000_000 - mid
    const instrument = { venue_id: VENUE, source_series_id: null, source_market_id, outcome }
    return {
      record_id: quoteIdOf(instrument, at, at),
      revision: 1,
      venue_id: VENUE,
      source_market_id,
      market_id,
      outcome_id: outcomeIdOf(market_id, outcome),
      bid: `0.${String(middle - 4_000).padStart(6, '0')}000`,
      ask: `0.${String(middle + 4_000).padStart(6, '0')}000`,
      bid_depth: '120.000000',
      ask_depth: '80.000000',
      source_at: at,
      received_at: at,
    }
  })
}

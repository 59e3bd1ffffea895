import { versionTerms } from '../../pipelines/index/version-legs.ts'
import type { ReadSession } from '../../warehouse/read/session.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'

/** Facts of a market that a leg reads. */
type LegFacts = { readonly title: string | null; readonly market_status: string | null; readonly band: string | null }
type LegMarket = LegFacts & {
  readonly outcomes: readonly { readonly outcome_id: string; readonly label: string }[] | null
}

/** One market outcome that a constituent reads; `pool_weight` null: it has no pool. */
export type FactsheetLeg = LegFacts & {
  readonly market_id: string
  readonly outcome_id: string
  /** Label of the outcome; null: the market is not described. */
  readonly outcome: string | null
  readonly venue_id: string
  readonly pool_weight: string | null
}

const UNKNOWN: LegMarket = { title: null, market_status: null, band: null, outcomes: null }

/** Returns the legs of each constituent of a stored definition, with what is known of their markets. */
export function factsheetLegs(
  definition: string,
  markets: ReadonlyMap<string, LegMarket>,
): ReadonlyMap<string, readonly FactsheetLeg[]> {
  const terms = [...versionTerms(definition)]
  return new Map(
    terms.map(([constituent_id, { legs }]) => [
      constituent_id,
      legs.map(({ market_id, outcome_id, venue_id, pool_weight }) => {
        const { title, market_status, band, outcomes } = markets.get(market_id) ?? UNKNOWN
        const outcome = outcomes?.find((one) => one.outcome_id === outcome_id)?.label ?? null
        return { market_id, outcome_id, outcome, venue_id, pool_weight, title, market_status, band }
      }),
    ]),
  )
}

/** Reads what is known of the markets that a stored definition reads. */
export async function readLegMarkets(session: ReadSession, definition: string): Promise<Map<string, LegMarket>> {
  const legs = [...versionTerms(definition).values()].flatMap((terms) => terms.legs)
  const market_ids = [...new Set(legs.map(({ market_id }) => market_id))].join(',')
  const rows = await session.query(readSql(import.meta.url, 'sql/factsheet_markets.sql'), { market_ids })
  return new Map(rows.map((row) => [String(row.market_id), row as never as LegMarket]))
}

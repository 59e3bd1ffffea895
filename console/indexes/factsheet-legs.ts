import type { Constituent } from '../../protocol/resources/constituent.ts'
import type { Market } from '../../protocol/resources/market.ts'
import { type Api, getAll } from '../data/api-client.ts'
import { trimZeros } from '../data/decimal-text.ts'
import { outcomeLabel } from '../data/outcome-label.ts'

/** Greatest page of markets with their ratings (protocol/limits.ts, which is not part of the page). */
const EXPANDED_PAGE_MAX = 100

/** Reads the markets that the version in force reads, with their ratings. */
export function listLegMarkets(api: Api, index_id: string, signal: AbortSignal): Promise<readonly Market[]> {
  return getAll(api, '/markets', { index_id, expand: 'rating', limit: EXPANDED_PAGE_MAX }, signal)
}

/** Returns a row for each market that a constituent reads: one, or those of its pool, set or roll. */
export function legRows(constituents: readonly Constituent[], markets: readonly Market[]) {
  const known = new Map(markets.map((market) => [market.market_id, market]))
  return constituents.flatMap(({ constituent_id, legs }) =>
    legs.map(({ market_id, outcome_id, venue_id, pool_weight }) => {
      const market = known.get(market_id)
      const { title = market_id, rating, status = 'unknown' } = market ?? {}
      const outcome = market === undefined ? outcome_id : outcomeLabel(market, outcome_id)
      const weight = pool_weight === null ? 'none' : trimZeros(pool_weight)
      const key = `${constituent_id} ${market_id} ${outcome_id}`
      return { key, cells: [title, outcome, constituent_id, venue_id, weight, rating?.band ?? 'none', status] }
    }),
  )
}

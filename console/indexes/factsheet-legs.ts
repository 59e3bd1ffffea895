import type { Constituent } from '../../protocol/resources/constituent.ts'
import type { Market } from '../../protocol/resources/market.ts'
import { type Api, getAll } from '../data/api-client.ts'
import { trimZeros } from '../data/decimal-text.ts'
import { html } from '../html.ts'
import { outcomeLabel } from '../parts/market-link.ts'

/** Greatest page of markets with their ratings (protocol/limits.ts, which is not part of the page). */
const EXPANDED_PAGE_MAX = 100

/** Reads the markets that the version in force reads, with their ratings. */
export function listLegMarkets(api: Api, index_id: string, signal: AbortSignal): Promise<readonly Market[]> {
  return getAll(api, '/markets', { index_id, expand: 'rating', limit: EXPANDED_PAGE_MAX }, signal)
}

/** Names of the normalizations, as what a constituent reads of its outcome. */
const READS: Readonly<Record<string, string>> = {
  probability_0_1: 'probability',
  inverse: '1 − probability',
  logodds_pool: 'pool of log-odds',
  multi_outcome_sum_to_one: 'share of all outcomes',
  constant_maturity: 'constant maturity',
}

/** Returns a row for a constituent: what it reads, and with which weight. */
export function constituentRow(one: Constituent, markets: readonly Market[]) {
  const { constituent_id, market, venue, market_mapping, target_weight, weight_cap, eligibility_status } = one
  const none = html`<span class="none">none</span>`
  const known = market ?? markets.find(({ market_id }) => market_id === one.market_id)
  const outcome = known && one.outcome_id !== null ? outcomeLabel(known, one.outcome_id) : (one.outcome_id ?? none)
  const place = venue?.name ?? market_mapping?.venue_id ?? none
  const cap = weight_cap === null ? none : trimZeros(weight_cap)
  const reads = READS[one.normalization] ?? one.normalization
  const cells = [known?.title ?? constituent_id, outcome, reads, place, trimZeros(target_weight), cap]
  return { key: constituent_id, cells: [...cells, eligibility_status ?? none] }
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

import type { MarketObservation } from '../../protocol/resources/market-price.ts'
import type { PublicApi } from '../http/public-api.ts'

/** Caches observations by id while they are in use: neighboring levels share many. */
export type QuoteCache = { observation(market_id: string, observation_id: string): Promise<MarketObservation | null> }

const KEPT_MAX = 20_000

/** Creates a cache of observations, each asked for once. */
export function createQuoteCache(api: PublicApi): QuoteCache {
  const kept = new Map<string, Promise<MarketObservation | null>>()
  return {
    observation(market_id, observation_id) {
      const known = kept.get(observation_id)
      if (known !== undefined) return known
      const asked = api.find<MarketObservation>(`/markets/${market_id}/prices/${observation_id}`)
      kept.set(observation_id, asked)
      if (kept.size > KEPT_MAX) kept.delete(kept.keys().next().value!)
      return asked
    },
  }
}

import type { Market } from '../../protocol/resources/market.ts'
import type { PublicApi } from '../http/public-api.ts'

/** Outcomes of markets. */
export type OutcomeCache = {
  /** Returns the ids of a market's outcomes; none if the market is not public. */
  outcomes(market_id: string): Promise<readonly string[]>
}

/** Creates a cache of outcomes; each market is asked for once. */
export function createOutcomeCache(api: PublicApi): OutcomeCache {
  const kept = new Map<string, Promise<readonly string[]>>()
  const read = async (market_id: string) => {
    const market = await api.find<Market>(`/markets/${market_id}`)
    return market?.market_id !== market_id ? [] : market.outcomes.map(({ outcome_id }) => outcome_id)
  }
  return {
    outcomes(market_id) {
      const asked = kept.get(market_id) ?? read(market_id)
      kept.set(market_id, asked)
      return asked
    },
  }
}

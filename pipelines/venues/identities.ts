import type { MarketId, OutcomeId } from '../../primitives/ids.ts'
import { marketIdOf, outcomeIdOf } from './identity.ts'

/** marketIdOf and outcomeIdOf that hash each market once: an archive names the same market on a thousand rows. */
export type Identities = {
  marketId(venue_id: string, source_market_id: string): MarketId
  outcomeId(market_id: MarketId, label: string): OutcomeId
}

/** An empty memory of ids, for one import. */
export function createIdentities(): Identities {
  const markets = new Map<string, MarketId>()
  const outcomes = new Map<string, OutcomeId>()
  return {
    marketId: (venue_id, source_market_id) =>
      remember(markets, `${venue_id}\u001f${source_market_id}`, () => marketIdOf(venue_id, source_market_id)),
    outcomeId: (market_id, label) =>
      remember(outcomes, `${market_id}\u001f${label}`, () => outcomeIdOf(market_id, label)),
  }
}

function remember<V>(memory: Map<string, V>, key: string, make: () => V): V {
  const found = memory.get(key)
  if (found !== undefined) return found
  const made = make()
  memory.set(key, made)
  return made
}

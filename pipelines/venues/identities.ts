import type { MarketId, OutcomeId } from '../../primitives/ids.ts'
import { marketIdOf, outcomeIdOf } from './identity.ts'

/** marketIdOf and outcomeIdOf that hash each market once: an archive names the same market on a thousand rows. */
export type Identities = {
  marketId(venue_id: string, source_market_id: string): MarketId
  outcomeId(market_id: MarketId, label: string): OutcomeId
}

/** An empty memory of ids, for one import. */
export function createIdentities(): Identities {
  const markets = new Map<string, Map<string, MarketId>>()
  const outcomes = new Map<MarketId, Map<string, OutcomeId>>()
  return {
    marketId: (venue_id, source_market_id) => remember(markets, venue_id, source_market_id, marketIdOf),
    outcomeId: (market_id, label) => remember(outcomes, market_id, label, outcomeIdOf),
  }
}

/** Two maps, one in the other: no key is put together for a look-up. */
function remember<A extends string, V>(
  memory: Map<A, Map<string, V>>,
  whole: A,
  part: string,
  make: (whole: A, part: string) => V,
): V {
  let parts = memory.get(whole)
  if (parts === undefined) {
    parts = new Map()
    memory.set(whole, parts)
  }
  const found = parts.get(part)
  if (found !== undefined) return found
  const made = make(whole, part)
  parts.set(part, made)
  return made
}

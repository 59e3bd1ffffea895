import type { MarketId, OutcomeId } from '../../primitives/ids.ts'
import { marketIdOf, outcomeIdOf } from './identity.ts'

/** marketIdOf and outcomeIdOf that hash each market once: an archive names one market on a thousand rows. */
export type Identities = {
  marketId(venue_id: string, source_market_id: string): MarketId
  outcomeId(market_id: MarketId, label: string): OutcomeId
}

/** Creates an empty memory of ids, for one import. */
export function createIdentities(): Identities {
  const markets = new Map<string, Map<string, MarketId>>()
  const outcomes = new Map<MarketId, Map<string, OutcomeId>>()
  // A market's records come together, and so do those of its outcomes.
  let [venue, market, id] = ['', '', '' as MarketId]
  let [of, ids] = ['' as MarketId, new Map<string, OutcomeId>()]
  return {
    marketId(venue_id, source_market_id) {
      if (source_market_id === market && venue_id === venue) return id
      id = remember(partsOf(markets, venue_id), venue_id, source_market_id, marketIdOf)
      venue = venue_id
      market = source_market_id
      return id
    },
    outcomeId(market_id, label) {
      if (market_id !== of) ids = partsOf(outcomes, market_id)
      of = market_id
      return remember(ids, market_id, label, outcomeIdOf)
    },
  }
}

/** Two nested maps need no joined key for a look-up. */
function partsOf<A, V>(memory: Map<A, Map<string, V>>, whole: A): Map<string, V> {
  const known = memory.get(whole)
  if (known !== undefined) return known
  const parts = new Map<string, V>()
  memory.set(whole, parts)
  return parts
}

function remember<A extends string, V>(
  parts: Map<string, V>,
  whole: A,
  part: string,
  make: (whole: A, part: string) => V,
): V {
  const found = parts.get(part)
  if (found !== undefined) return found
  const made = make(whole, part)
  parts.set(part, made)
  return made
}

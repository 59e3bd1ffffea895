import type { Reader } from '../../../warehouse/reader/reader.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { missing, sourceNotPublic } from '../../missing-resource.ts'
import { rowOrNull, rowsOf } from '../../resources/pick.ts'
import { outcomeOf } from '../../routes/child-of.ts'

/**
 * Returns a market, if its venue's terms permit to publish `what`.
 * @throws {ServiceError} MARKET_NOT_FOUND, SOURCE_NOT_PUBLIC
 */
export function requirePublicMarket(
  { catalog }: Pick<Reader, 'catalog'>,
  market_id: string,
  is_public: (venue_id: string) => boolean,
  what: string,
): Row {
  const market = catalog(null).market(market_id)
  if (market === null) throw missing('market', market_id)
  const venue_id = venueOfMarket(market)
  if (is_public(venue_id)) return market
  throw sourceNotPublic(venue_id, what)
}

/** Returns the venue whose terms apply to a market. */
export function venueOfMarket(market: Row): string {
  return String(rowOrNull(market.venue_mapping)?.venue_id)
}

/** Checks that the market has the outcome. @throws {ServiceError} MARKET_OUTCOME_NOT_FOUND */
export function requireOutcome(market: Row, outcome_id: string): void {
  outcomeOf(rowsOf(market.outcomes), outcome_id)
}

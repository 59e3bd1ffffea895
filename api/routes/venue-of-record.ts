import type { Row } from '../../warehouse/schema.ts'
import { rowOrNull } from '../resources/pick.ts'
import type { RouteRequest } from '../server/handler.ts'

/** Returns the venue of a record's market; that of the record where the catalogue does not know the market. */
export function venueOfRecord({ reader, as_of }: RouteRequest, { market_id, venue_id = null }: Row): string {
  const market = reader.catalog(as_of).market(String(market_id))
  return String(market === null ? venue_id : rowOrNull(market.venue_mapping)?.venue_id)
}

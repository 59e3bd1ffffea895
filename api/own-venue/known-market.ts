import type { Row } from '../../warehouse/schema.ts'
import { missing } from '../missing-resource.ts'
import { requiredText } from '../routes/parameters.ts'
import type { RouteAnswer, RouteRequest } from '../server/handler.ts'
import { ownMarketOf } from './own-market-of.ts'
import { ownMarketAheadRow } from './own-records.ts'
import { withOwnStates } from './own-states.ts'

type Answer = RouteAnswer | Promise<RouteAnswer>

/**
 * Answers with a market as it is known at the instant of a request: one that is stored, or one listed here from its listing on. A
 * current answer about one that was listed after the instant of the warehouse's memory is of its own last change.
 * @throws {ServiceError} MARKET_NOT_FOUND, SERVICE_UNAVAILABLE
 */
export function withMarket(request: RouteRequest, answer: (market: Row) => Answer): Answer {
  const { reader, as_of, own_venue = null } = request
  const market_id = requiredText(request, 'market_id')
  const catalog = reader.catalog(as_of)
  const stored = catalog.market(market_id)
  if (stored !== null) return answer(stored)
  const listed = ownMarketOf({ own_venue, catalog: reader.catalog }, market_id)
  const listing = own_venue?.listing(market_id) ?? null
  if (listed === null || listing === null) throw missing('market', market_id)
  return withOwnStates(request, async (own) => {
    const known = own.market(catalog, market_id)
    if (known !== null) return await answer(known)
    if (as_of !== null || request.cursor !== null) throw missing('market', market_id)
    const { revised_at } = listed
    return { published_at: revised_at, ...(await answer(ownMarketAheadRow(listing, listed, catalog))) }
  })
}

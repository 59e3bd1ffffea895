import { ServiceError } from '../../../primitives/errors.ts'
import type { Reader } from '../../../warehouse/reader/reader.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { rowOrNull, rowsOf } from '../../resources/pick.ts'

/**
 * A market whose venue's terms let something out.
 * @throws {ServiceError} MARKET_NOT_FOUND, SOURCE_NOT_PUBLIC
 */
export function requirePublicMarket(
  { catalog }: Pick<Reader, 'catalog'>,
  market_id: string,
  is_public: (venue_id: string) => boolean,
  what: string,
): Row {
  const market = catalog(null).market(market_id)
  if (market === null) {
    const message = `market_id is ${JSON.stringify(market_id)}; allowed: a market of GET /v1/markets`
    throw new ServiceError('MARKET_NOT_FOUND', message, { field: 'market_id', value: market_id })
  }
  const venue_id = venueOfMarket(market)
  if (is_public(venue_id)) return market
  const message = `market_id is of venue ${venue_id}; allowed: a market whose venue's terms let ${what} out`
  throw new ServiceError('SOURCE_NOT_PUBLIC', message, { venue_id })
}

/** The venue whose terms rule a market. */
export function venueOfMarket(market: Row): string {
  return String(rowOrNull(market.venue_mapping)?.venue_id)
}

/** @throws {ServiceError} MARKET_OUTCOME_NOT_FOUND */
export function requireOutcome(market: Row, outcome_id: string): void {
  const outcomes = rowsOf(market.outcomes).map((outcome) => String(outcome.outcome_id))
  if (outcomes.includes(outcome_id)) return
  const message = `outcome_id is ${JSON.stringify(outcome_id)}; allowed: ${outcomes.join(', ')}`
  throw new ServiceError('MARKET_OUTCOME_NOT_FOUND', message, { field: 'outcome_id', value: outcome_id })
}

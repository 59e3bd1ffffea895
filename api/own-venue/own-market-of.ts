import { ServiceError } from '../../primitives/errors.ts'
import type { PublicMarket } from '../../trading/public-market/public-market.ts'
import { OWN_VENUE } from '../../vocabulary/venue.ts'
import type { Reader } from '../../warehouse/reader/reader.ts'
import { rowOrNull } from '../resources/pick.ts'
import type { OwnVenue } from './own-venue.ts'

/** The venue whose markets are listed here, where this process follows its engine, and the catalogue of all markets. */
export type MarketOrigins = {
  readonly own_venue: OwnVenue | null
  readonly catalog: Reader['catalog']
}

/**
 * Decides where current data of a market comes from: the market in memory, or null for the warehouse, which has all other markets,
 * and ours too if this process follows no engine.
 * @throws {ServiceError} SERVICE_UNAVAILABLE: it is ours, or may be, and the trading database was not read yet
 */
export function ownMarketOf({ own_venue, catalog }: MarketOrigins, market_id: string): PublicMarket | null {
  if (own_venue === null) return null
  const market = own_venue.market(market_id)
  if (market !== null || own_venue.phase() === 'ready') return market
  const row = catalog(null).market(market_id)
  if (row !== null && rowOrNull(row.venue_mapping)?.venue_id !== OWN_VENUE) return null
  const message = 'the books of the markets listed here are being read; ask again'
  throw new ServiceError('SERVICE_UNAVAILABLE', message, { phase: 'trading' })
}

import type { PublicMarketRead } from '../../trading/store/read/public-reads.ts'
import type { OwnListing } from './own-market.ts'

/** Converts a market's row to its listing. */
export function listingOf({ market_id, status, terms, created_at, outcomes }: PublicMarketRead): OwnListing {
  const { price_scale, quantity_scale } = terms
  return { market_id, status, price_scale, quantity_scale, outcomes, created_at }
}

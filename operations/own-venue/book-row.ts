import { FIRST_REVISION } from '../../primitives/append-only.ts'
import type { DecimalString } from '../../primitives/decimal.ts'
import { deriveId } from '../../primitives/ids.ts'
import type { Micros } from '../../primitives/instants.ts'
import { priceText } from '../../trading/public-market/amounts.ts'
import type { PublicLevel, PublicOutcome, PublicScales } from '../../trading/public-market/public-market.ts'
import { OWN_VENUE } from '../../vocabulary/venue.ts'
import type { Row } from '../../warehouse/schema.ts'
import { storedQuantity } from './stored-amounts.ts'

/** Returns the row of `order_book` for the whole book of an outcome. */
export function bookRow({ outcome_id, market, book }: PublicOutcome, received_at: Micros): Row {
  const { market_id, terms } = market
  return {
    order_book_id: deriveId('obk', OWN_VENUE, outcome_id, book.sequence),
    ...FIRST_REVISION,
    venue_id: OWN_VENUE,
    source_series_id: null,
    source_market_id: market_id,
    market_id,
    outcome_id,
    price_unit: 'probability',
    bids: levelRows(book.bids, terms),
    asks: levelRows(book.asks, terms),
    asks_derived: false,
    bid_derived_quantities: derivedQuantities(book.bids, terms),
    ask_derived_quantities: derivedQuantities(book.asks, terms),
    overround: null,
    source_sequence: book.sequence,
    quality_state: 'valid',
    source_at: book.at,
    received_at: Math.max(received_at, book.at),
  }
}

function levelRows(levels: readonly PublicLevel[], scales: PublicScales): Row[] {
  return levels.map(({ price, quantity }) => {
    return { price: priceText(scales, price), quantity: storedQuantity(scales, quantity) }
  })
}

/** Returns what rests as orders of the other outcome, by price level; null where there can be none. */
function derivedQuantities(levels: readonly PublicLevel[], scales: PublicScales): DecimalString[] | null {
  if (levels.every(({ derived_quantity }) => derived_quantity === undefined)) return null
  return levels.map(({ derived_quantity = 0 }) => storedQuantity(scales, derived_quantity))
}

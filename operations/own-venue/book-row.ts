import { FIRST_REVISION } from '../../primitives/append-only.ts'
import { deriveId } from '../../primitives/ids.ts'
import type { Micros } from '../../primitives/instants.ts'
import type { MarketTerms } from '../../trading/market/market-terms.ts'
import { OWN_VENUE } from '../../vocabulary/venue.ts'
import type { Row } from '../../warehouse/schema.ts'
import { priceText, quantityText } from './amounts.ts'
import type { OutcomeState } from './venue-state.ts'

type Scales = Pick<MarketTerms, 'price_scale' | 'quantity_scale'>

/** The whole book of an outcome as its last change left it: a row of `order_book`. */
export function bookRow(outcome: OutcomeState, scales: Scales, received_at: Micros): Row {
  const { market_id, outcome_id, bids, asks, book_sequence, book_at } = outcome
  return {
    order_book_id: deriveId('obk', OWN_VENUE, outcome_id, book_sequence),
    ...FIRST_REVISION,
    venue_id: OWN_VENUE,
    source_series_id: null,
    source_market_id: market_id,
    market_id,
    outcome_id,
    price_unit: 'probability',
    bids: levelsOf(bids, (a, b) => b - a, scales),
    asks: levelsOf(asks, (a, b) => a - b, scales),
    asks_derived: false,
    overround: null,
    source_sequence: book_sequence,
    quality_state: 'valid',
    source_at: book_at,
    received_at: Math.max(received_at, book_at),
  }
}

function levelsOf(side: ReadonlyMap<number, number>, order: (a: number, b: number) => number, scales: Scales): Row[] {
  const prices = [...side.keys()].sort(order)
  return prices.map((price) => ({
    price: priceText(price, scales.price_scale),
    quantity: quantityText(side.get(price)!, scales.quantity_scale),
  }))
}

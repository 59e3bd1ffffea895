import type { Side } from '../../vocabulary/order.ts'
import type { BookEvent } from '../engine/events.ts'
import type { PublicBook, PublicLevel } from './public-market.ts'
import { setLevel } from './set-level.ts'

/** A price level as a checkpoint stores it: side, price, quantity and number of orders; then those of them that are derived, if any can be. */
export type StoredLevel = readonly [
  side: Side,
  price: number,
  quantity: number,
  order_count: number,
  derived_quantity?: number,
  derived_order_count?: number,
]

/** New total of a price level, by a book event. */
export type LevelEvent = Pick<
  BookEvent,
  'side' | 'price' | 'quantity' | 'order_count' | 'derived_quantity' | 'derived_order_count'
>

/** A price level as it is read: null is left out. */
export type ReadLevel = Pick<PublicLevel, 'price' | 'quantity' | 'order_count'> & {
  readonly derived_quantity?: number | null
  readonly derived_order_count?: number | null
}

/** Returns the price level that a book event, or a row, states. */
export function levelOf({ price, quantity, order_count, ...derived }: ReadLevel): PublicLevel {
  const { derived_quantity, derived_order_count } = derived
  if (derived_quantity == null || derived_order_count == null) return { price, quantity, order_count }
  return { price, quantity, order_count, derived_quantity, derived_order_count }
}

/** Returns the side and the price level that a checkpoint states. */
export function restoredLevel([side, price, quantity, order_count, ...derived]: StoredLevel) {
  const [derived_quantity = null, derived_order_count = null] = derived
  return { side, ...levelOf({ price, quantity, order_count, derived_quantity, derived_order_count }) }
}

/** Returns the price levels after book events, in their order, that follow a checkpoint: bids best first, then asks best first. */
export function foldBook(checkpoint: readonly StoredLevel[], events: readonly LevelEvent[]): StoredLevel[] {
  const book: Pick<PublicBook, 'bids' | 'asks'> = { bids: [], asks: [] }
  for (const event of [...checkpoint.map(restoredLevel), ...events]) setLevel(book, event.side, levelOf(event))
  const stored = (side: Side, levels: PublicBook['bids']) => levels.map((level) => storedLevel(side, level))
  return [...stored('BUY', book.bids), ...stored('SELL', book.asks)]
}

function storedLevel(side: Side, { price, quantity, order_count, ...derived }: PublicLevel): StoredLevel {
  const { derived_quantity, derived_order_count } = derived
  if (derived_quantity === undefined || derived_order_count === undefined) return [side, price, quantity, order_count]
  return [side, price, quantity, order_count, derived_quantity, derived_order_count]
}

import type { Side } from '../../vocabulary/order.ts'
import type { BookEvent } from '../engine/events.ts'
import type { PublicBook } from './public-market.ts'
import { setLevel } from './set-level.ts'

/** A price level as a checkpoint stores it: side, price, quantity and number of orders. */
export type StoredLevel = readonly [side: Side, price: number, quantity: number, order_count: number]

/** New total of a price level, by a book event. */
export type LevelEvent = Pick<BookEvent, 'side' | 'price' | 'quantity' | 'order_count'>

/** Returns the price levels after book events, in their order, that follow a checkpoint: bids best first, then asks best first. */
export function foldBook(checkpoint: readonly StoredLevel[], events: readonly LevelEvent[]): StoredLevel[] {
  const book: Pick<PublicBook, 'bids' | 'asks'> = { bids: [], asks: [] }
  for (const [side, price, quantity, order_count] of checkpoint) setLevel(book, side, { price, quantity, order_count })
  for (const { side, price, quantity, order_count } of events) setLevel(book, side, { price, quantity, order_count })
  const stored = (side: Side, levels: PublicBook['bids']) =>
    levels.map(({ price, quantity, order_count }): StoredLevel => [side, price, quantity, order_count])
  return [...stored('BUY', book.bids), ...stored('SELL', book.asks)]
}

import type { OrderBook } from '../contract/types.ts'
import { compareDecimals } from '../decimals.ts'
import type { PublicChange } from './followed-public-topic.ts'

type Levels = OrderBook['bids']

/**
 * Returns the whole book of an outcome after a change of `market.orderbook`: the best price levels first, as REST gives it.
 * @param book  result of the call before; null: there was none, or messages were lost
 * @returns null: messages were lost; the next change brings a whole book
 */
export function applyBookChange(book: OrderBook | null, change: PublicChange<'market.orderbook'>): OrderBook | null {
  if (change.type === 'gap') return null
  const { data } = change
  if (change.type === 'snapshot' || change.kind === 'snapshot') return data
  if (book === null) return null
  return { ...data, bids: changedLevels(book.bids, data.bids, -1), asks: changedLevels(book.asks, data.asks, 1) }
}

/** @param order  1: lowest price first; -1: highest price first */
function changedLevels(levels: Levels, changed: Levels, order: 1 | -1): Levels {
  const prices = new Set(changed.map(({ price }) => price))
  const kept = levels.filter(({ price }) => !prices.has(price))
  const placed = changed.filter(({ quantity }) => quantity !== '0')
  return [...kept, ...placed].sort((a, b) => order * compareDecimals(a.price, b.price))
}

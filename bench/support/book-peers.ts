import { OrderBook as HftBook, Side as HftSide } from 'hft-limit-order-book'
import { OrderBook as NodeBook, Side as NodeSide } from 'nodejs-order-book'
import { invariant } from '../../primitives/errors.ts'
import type { Operation } from './order-flow.ts'

/** Order books of the npm registry: prices, sizes and ids, without accounts or rules. Both have one author and one interface. */
export const BOOK_PEERS = {
  nodejs_order_book: () => new NodeBook() as PeerBook,
  hft_limit_order_book: () => new HftBook() as PeerBook,
}

const SIDES = { BUY: NodeSide.BUY, SELL: NodeSide.SELL }
invariant(`${HftSide.BUY}${HftSide.SELL}` === `${NodeSide.BUY}${NodeSide.SELL}`, 'both libraries name sides alike')

type Done = { readonly id: string }
type PeerBook = {
  limit(order: { id: string; side: NodeSide; size: number; price: number }): { readonly done: readonly Done[] }
  cancel(id: string): unknown
  depth(): [[number, number][], [number, number][]]
}

/** @param gone receives the ids of filled resting orders, in order */
export function playPeer(book: PeerBook, flow: readonly Operation[], gone: string[] | null = null): PeerBook {
  for (const { id, side, price, quantity } of flow) {
    if (price === null) book.cancel(id)
    else {
      const { done } = book.limit({ id, side: SIDES[side], size: quantity, price })
      if (gone !== null) for (const one of done) if (one.id !== id) gone.push(one.id)
    }
  }
  return book
}

/** Returns price and size of each price level, asks then bids, best first. */
export function peerDepth(book: PeerBook): [number, number][][] {
  const byPrice = (levels: [number, number][], sign: number) => levels.sort((a, b) => sign * (a[0] - b[0]))
  const [asks, bids] = book.depth()
  return [byPrice(asks, 1), byPrice(bids, -1)]
}

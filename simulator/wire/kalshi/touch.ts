import { PRICE_ONE, priceOfNo } from '../../world/grid.ts'
import type { Level } from '../../world/ladder.ts'
import type { BookMarket } from '../../world/market-state.ts'
import { fixedPrice, fixedSize } from '../decimal-text.ts'

/** Returns best prices as the venue states them: "no quote" looks like a price, 0 for a side of YES and so 1 for NO's. */
export function touchFields({ ladder }: BookMarket) {
  const bid = ladder.bids[0]?.price ?? 0
  const ask = ladder.asks[0]?.price ?? 0
  return {
    yes_bid_dollars: fixedPrice(bid),
    yes_ask_dollars: fixedPrice(ask),
    no_bid_dollars: fixedPrice(PRICE_ONE - ask),
    no_ask_dollars: fixedPrice(PRICE_ONE - bid),
    yes_bid_size_fp: fixedSize(ladder.bids[0]?.size ?? 0),
    yes_ask_size_fp: fixedSize(ladder.asks[0]?.size ?? 0),
  }
}

/** Returns bids for YES and for NO, worst first: an offer of YES is a bid for NO at one minus the price. */
export function bidLists({ ladder }: BookMarket): { readonly yes: string; readonly no: string } {
  const list = (levels: readonly Level[], priceOf: (price: number) => number) =>
    `[${levels
      .map(({ price, size }) => `["${fixedPrice(priceOf(price))}","${fixedSize(size)}"]`)
      .reverse()
      .join(',')}]`
  return { yes: list(ladder.bids, (price) => price), no: list(ladder.asks, priceOfNo) }
}

/** Returns the body of `GET /markets/{ticker}/orderbook`. */
export function orderBookBody(market: BookMarket): string {
  const { yes, no } = bidLists(market)
  return `{"orderbook_fp":{"yes_dollars":${yes},"no_dollars":${no}}}`
}

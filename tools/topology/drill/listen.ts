import type { RequestKey } from '../../../client/signing/sign-request.ts'
import { followOrders, followPublic, type Listener, type Proxied } from '../proxied.ts'
import type { QuotedMarket } from './load.ts'

/** Loopback addresses of listeners: by them nginx spreads the streams over both replicas. */
const ADDRESSES = ['127.0.41.1', '127.0.41.2', '127.0.41.3', '127.0.41.4'] as const

export type Listeners = {
  readonly orders: readonly Listener[]
  readonly levels: readonly Listener[]
  readonly books: readonly Listener[]
  readonly tickers: readonly Listener[]
  readonly all: readonly Listener[]
}

/** Follows levels, markets, books and the orders of an account, each from several addresses. */
export function listen(proxy: Proxied, key: RequestKey, { market_id, outcomes }: QuotedMarket): Listeners {
  const [outcome_id] = outcomes
  const orders = ADDRESSES.map((address) => followOrders(proxy, address, key))
  const levels = ADDRESSES.map((address) => followPublic(proxy, address, 'index.price', {}))
  const books = ADDRESSES.map((address) => followPublic(proxy, address, 'market.orderbook', { market_id, outcome_id }))
  const tickers = ADDRESSES.map((address) => followPublic(proxy, address, 'market.ticker', { market_id }))
  return { orders, levels, books, tickers, all: [...orders, ...levels, ...books, ...tickers] }
}

/**
 * Addresses of each venue's services. A simulator replaces a venue by other addresses alone. A websocket's address has no path
 * after it: subscriptions follow the connection.
 */
export const POLYMARKET_ADDRESSES = {
  gamma: 'https://gamma-api.polymarket.com',
  clob: 'https://clob.polymarket.com',
  data: 'https://data-api.polymarket.com',
  stream: 'wss://ws-subscriptions-clob.polymarket.com/ws/market',
} as const
export type PolymarketAddresses = { readonly [service in keyof typeof POLYMARKET_ADDRESSES]: string }

export const KALSHI_ADDRESSES = {
  rest: 'https://api.elections.kalshi.com/trade-api/v2',
  stream: 'wss://api.elections.kalshi.com/trade-api/ws/v2',
} as const
export type KalshiAddresses = { readonly [service in keyof typeof KALSHI_ADDRESSES]: string }

export const MANIFOLD_ADDRESSES = {
  rest: 'https://api.manifold.markets',
  stream: 'wss://api.manifold.markets/ws',
} as const
export type ManifoldAddresses = { readonly [service in keyof typeof MANIFOLD_ADDRESSES]: string }

export const USGS_ADDRESS = 'https://earthquake.usgs.gov'
export const GDACS_ADDRESS = 'https://www.gdacs.org'

/** Endpoints of Manifold's API v0, as its documentation names them. */
export const MANIFOLD_ENDPOINTS = {
  markets: 'GET /v0/markets',
  market: 'GET /v0/market/{id}',
  market_by_slug: 'GET /v0/slug/{slug}',
  bets: 'GET /v0/bets',
  prob: 'GET /v0/market/{id}/prob',
  probs: 'GET /v0/market-probs',
  ws_global_bets: 'ws global/new-bet',
  ws_market_bets: 'ws contract/{id}/new-bet',
} as const

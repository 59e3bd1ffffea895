export const VENUE_ID = 'polymarket'

/**
 * Endpoints of this reader, as the venue names them. Gamma and CLOB share `/markets`: the CLOB one is requested by condition
 * id.
 */
export const ENDPOINTS = {
  gamma_markets: 'GET /markets',
  gamma_market: 'GET /markets/{id}',
  gamma_events: 'GET /events',
  gamma_event: 'GET /events/{id}',
  clob_book: 'GET /book',
  clob_books: 'POST /books',
  clob_market: 'GET /markets/{condition_id}',
  prices_history: 'GET /prices-history',
  data_trades: 'GET /trades',
  ws_market: 'ws market',
} as const

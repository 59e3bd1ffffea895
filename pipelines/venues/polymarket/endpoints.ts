export const VENUE_ID = 'polymarket'

/** What this reader reads, as the venue names it. Gamma and CLOB share `/markets`: the CLOB one is asked for by its condition id. */
export const ENDPOINTS = {
  gamma_markets: 'GET /markets',
  gamma_events: 'GET /events',
  clob_book: 'GET /book',
  clob_books: 'POST /books',
  clob_market: 'GET /markets/{condition_id}',
  prices_history: 'GET /prices-history',
  data_trades: 'GET /trades',
  ws_market: 'ws market',
} as const

/** Endpoints of PredictIt's market data. */
export const PREDICTIT_ENDPOINTS = {
  market: 'GET /api/marketdata/markets/{id}',
  all: 'GET /api/marketdata/all/',
} as const

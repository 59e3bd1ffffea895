import type { LOOKUP_ENDPOINTS } from '../endpoints/lookup-endpoints.ts'
import type { MARKET_ENDPOINTS } from '../endpoints/market-endpoints.ts'
import type { MARKET_PRICE_ENDPOINTS } from '../endpoints/market-price-endpoints.ts'
import type { Example } from './example.ts'

const market_id = { from: 'list_markets', at: 'data.0.market_id' }
const event_id = { from: 'list_events', at: 'data.0.event_id' }
/** Market of the sample week that is resolved: who won the regatta. */
const RESOLVED = { market_id: 'mkt_3fd46927fcde225cd7d6499560b4d669' }
const winner = { from: 'get_market_resolution', at: 'data.payouts.0.outcome_id' }
/** Market of the sandbox, which always has makers. */
const TRADED = { market_id: 'mkt_sandbox_harbor' }
const DAY = { start_time: '2025-12-05T00:00:00Z', end_time: '2025-12-06T00:00:00Z' }
const quote_id = { from: 'list_market_prices', at: 'data.0.observation_id' }

export const MARKET_EXAMPLES = {
  list_events: { query: { venue_id: 'kalshi', limit: '2' } },
  get_event: { path: { event_id } },
  list_markets: { query: { venue_id: 'kalshi', status: 'open', limit: '2' } },
  get_market: { path: { market_id } },
  get_market_resolution: { path: RESOLVED },
  list_market_resolutions: { path: RESOLVED },
  get_market_price: { path: { market_id } },
  list_market_prices: { path: { market_id }, query: { field: 'bid', limit: '2' } },
  get_market_observation: { path: { market_id, observation_id: quote_id } },
  list_market_candles: {
    path: RESOLVED,
    query: { ...DAY, interval: 'PT1H', outcome_id: winner, field: 'mark', limit: '2' },
  },
  get_order_book: { path: TRADED, query: { outcome_id: 'out_sandbox_harbor_yes', depth: '2' } },
  list_trades: { path: TRADED, query: { limit: '2' } },
  list_methodologies: { query: { limit: '2' } },
  list_rating_methodologies: {},
  list_severity_methodologies: {},
  get_rating: { path: { rating_id: { from: 'list_ratings', at: 'data.0.rating_id' } } },
  get_severity_assessment: {
    path: { assessment_id: { from: 'list_severity_assessments', at: 'data.0.assessment_id' } },
  },
  get_severity_index: { path: { severity_index_id: 'svi_world_hazards' } },
  get_observation: { path: { observation_id: { from: 'get_index_price', at: 'data.observation_id' } } },
  get_observation_payloads: { path: { observation_id: quote_id } },
  list_latest_prices: { query: { market_ids: market_id } },
} as const satisfies Record<
  keyof typeof MARKET_ENDPOINTS | keyof typeof MARKET_PRICE_ENDPOINTS | keyof typeof LOOKUP_ENDPOINTS,
  Example
>

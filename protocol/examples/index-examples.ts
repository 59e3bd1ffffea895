import type { INDEX_ENDPOINTS } from '../endpoints/index-endpoints.ts'
import type { INDEX_PRICE_ENDPOINTS } from '../endpoints/index-price-endpoints.ts'
import type { ROBUSTNESS_ENDPOINTS } from '../endpoints/robustness-endpoints.ts'
import type { Example } from './example.ts'

/** Index of the sample week whose level was corrected. */
const index_id = 'idx_sample_lowport'
const path = { index_id }
const version_id = { from: 'list_index_versions', at: 'data.0.index_version_id' }
const observation_id = { from: 'get_index_price', at: 'data.observation_id' }
const DAY = { start_time: '2025-12-05T00:00:00Z', end_time: '2025-12-06T00:00:00Z' }

export const INDEX_EXAMPLES = {
  list_indexes: { query: { family: 'sample', limit: '5' } },
  get_index: { path },
  list_index_versions: { path },
  get_index_version: { path: { index_id, version_id } },
  list_constituents: { path: { index_id, version_id }, query: { expand: 'market' } },
  get_methodology: { path: { methodology_id: 'mth_sample_chain', version: '1.1.0' } },
  get_index_price: { path, query: { as_of: '2025-12-05T09:30:00Z' } },
  list_index_prices: { path, query: { ...DAY, limit: '2' } },
  get_index_observation: { path: { index_id, observation_id }, query: { expand: 'inputs' } },
  list_index_candles: { path, query: { ...DAY, interval: 'PT1H', limit: '2' } },
  get_index_robustness: { path },
  get_executable_band: { path: { index_id: 'idx_live_current' }, query: { notional: '1000' } },
  list_knowledge_changes: {
    path,
    query: { from_as_of: '2025-12-05T09:30:00Z', to_as_of: '2025-12-05T12:00:00Z' },
  },
  list_index_previews: { path: { market_id: { from: 'list_markets', at: 'data.0.market_id' } } },
} as const satisfies Record<
  keyof typeof INDEX_ENDPOINTS | keyof typeof INDEX_PRICE_ENDPOINTS | keyof typeof ROBUSTNESS_ENDPOINTS,
  Example
>

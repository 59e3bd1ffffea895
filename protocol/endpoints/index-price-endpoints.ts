import { EXPANDED_LEVELS } from '../limits.ts'
import { Candle } from '../resources/candle.ts'
import { IndexObservation } from '../resources/index-observation.ts'
import { idOf } from '../scalars.ts'
import type { Endpoint } from './endpoint.ts'
import { CANDLE_RANGE, HISTORY } from './history.ts'
import { INDEX_ID } from './index-endpoints.ts'
import { listOf, RECEIPT } from './parameter.ts'

const shared = { tag: 'Index prices', limit_class: 'market_data' } as const
const path_parameters = { index_id: INDEX_ID }

export const INDEX_PRICE_ENDPOINTS = {
  get_index_price: {
    ...shared,
    operation_id: 'get_index_price',
    path: '/indexes/{index_id}/price',
    summary: 'Latest level of an index',
    description:
      'The current record of the greatest tick_at known at as_of. This is not always the last record published.',
    path_parameters,
    query: RECEIPT,
    data: IndexObservation,
    envelope: 'single',
    cache: 'current',
    cost: 1,
    errors: ['INDEX_NOT_FOUND', 'OBSERVATION_NOT_FOUND'],
  },
  list_index_prices: {
    ...shared,
    operation_id: 'list_index_prices',
    is_history: true,
    path: '/indexes/{index_id}/prices',
    summary: 'Levels of an index',
    description:
      'Published levels; sorted by (published_at, place in the commit), or by the requested time domain, then so. expand=inputs adds the inputs of each, expand=quotes the quotes that they rest on.',
    path_parameters,
    query: {
      ...HISTORY,
      expand: listOf(
        ['inputs', 'quotes'],
        `embed what each constituent brought, and the quotes behind it; with at most ${EXPANDED_LEVELS.page_max} levels a page`,
      ),
      ...RECEIPT,
    },
    data: IndexObservation,
    envelope: 'collection',
    expanded: EXPANDED_LEVELS,
    cache: 'current',
    cost: 5,
    errors: ['INDEX_NOT_FOUND'],
  },
  get_index_observation: {
    ...shared,
    operation_id: 'get_index_observation',
    path: '/indexes/{index_id}/prices/{observation_id}',
    summary: 'One level and how it was made',
    description:
      'One published level; meta.correction_chain lists every revision of its tick. expand=inputs adds its inputs.',
    path_parameters: { ...path_parameters, observation_id: idOf('iob', 'observation_id') },
    query: { expand: listOf(['inputs'], 'embed what each constituent brought'), ...RECEIPT },
    data: IndexObservation,
    envelope: 'single',
    cache: 'record',
    cost: 2,
    errors: ['INDEX_NOT_FOUND', 'OBSERVATION_NOT_FOUND'],
  },
  list_index_candles: {
    ...shared,
    operation_id: 'list_index_candles',
    is_history: true,
    path: '/indexes/{index_id}/candles',
    summary: 'Candles of an index',
    description: 'Open, high, low and close of the current levels in each half-open bucket; sorted by bucket_start.',
    path_parameters,
    query: CANDLE_RANGE,
    data: Candle,
    envelope: 'collection',
    cache: 'current',
    cost: 5,
    errors: ['INDEX_NOT_FOUND', 'VALIDATION_RANGE_INVALID'],
  },
} as const satisfies Record<string, Endpoint>

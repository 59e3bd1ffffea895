import Type from 'typebox'
import { NOTIONAL_PATTERN, ROBUSTNESS } from '../limits.ts'
import { KnowledgeChange } from '../resources/knowledge-change.ts'
import { ExecutableBand, IndexPreview, LevelRobustness } from '../resources/robustness.ts'
import { idOf } from '../scalars.ts'
import type { Endpoint } from './endpoint.ts'
import { INDEX_ID } from './index-endpoints.ts'
import { MARKET_ID } from './market-endpoints.ts'
import { AS_OF, instant, integer, PAGING, required, text } from './parameter.ts'

const shared = {
  tag: 'Index prices',
  limit_class: 'market_data',
  path_parameters: { index_id: INDEX_ID },
  envelope: 'single',
  cache: 'current',
  cost: 5,
  errors: ['INDEX_NOT_FOUND', 'OBSERVATION_NOT_FOUND'],
} as const

const OF_LEVEL = {
  observation_id: text(idOf('iob', 'observation_id'), 'level of the index; default: the latest one at as_of'),
  ...AS_OF,
} as const

const Notional = Type.String({
  pattern: NOTIONAL_PATTERN,
  description: `decimal from 0 to below ${10 ** ROBUSTNESS.notional_digits_max}, at most 6 decimals`,
  examples: ['1000'],
})

/** Reads of what could be done to a level, and with it. */
export const ROBUSTNESS_ENDPOINTS = {
  get_index_robustness: {
    ...shared,
    operation_id: 'get_index_robustness',
    path: '/indexes/{index_id}/robustness',
    summary: 'Missing-input bound and manipulation cost of a level',
    description:
      'How far the level would move if each input were missing, and the notional that would move it. Computed from published records only.',
    query: {
      ...OF_LEVEL,
      basis_points: integer(1, ROBUSTNESS.basis_points_max, ROBUSTNESS.basis_points_default, 'move that is priced'),
    },
    data: LevelRobustness,
  },
  get_executable_band: {
    ...shared,
    operation_id: 'get_executable_band',
    path: '/indexes/{index_id}/executable-band',
    summary: 'Levels at which a notional could be traded',
    description:
      'The level of the average prices at which the basket could be sold and bought, from the books stored at the tick. A side without depth is null.',
    query: {
      ...OF_LEVEL,
      notional: required(text(Notional, 'value of the basket at the level, in what one contract pays; 0: best prices')),
    },
    data: ExecutableBand,
  },
  list_knowledge_changes: {
    ...shared,
    operation_id: 'list_knowledge_changes',
    path: '/indexes/{index_id}/knowledge-diff',
    summary: 'Difference between two states of knowledge',
    description:
      'What is known of an index at to_as_of and was unknown, or known otherwise, at from_as_of: definition, versions, composition in force and ratings first, then levels by publication. Applied to the answers at from_as_of it gives those at to_as_of.',
    query: {
      from_as_of: required(instant('earlier instant of knowledge')),
      to_as_of: required(instant('later instant of knowledge')),
      start_time: instant('only levels of ticks at or after this instant'),
      end_time: instant('only levels of ticks before this instant'),
      ...PAGING,
    },
    data: KnowledgeChange,
    envelope: 'collection',
    errors: [
      'INDEX_NOT_FOUND',
      'VALIDATION_RANGE_INVALID',
      'VALIDATION_AS_OF_IN_FUTURE',
      'VALIDATION_AS_OF_UNAVAILABLE',
    ],
  },
  list_index_previews: {
    ...shared,
    operation_id: 'list_index_previews',
    path: '/markets/{market_id}/index-previews',
    summary: 'Indexes under each outcome of a market, or its void',
    description:
      'The latest level of each index that reads the market, computed as if each outcome in turn had won, or the market were void, and all else stood; sorted by index_id.',
    path_parameters: { market_id: MARKET_ID },
    query: { ...AS_OF, ...PAGING },
    data: IndexPreview,
    envelope: 'collection',
    errors: ['MARKET_NOT_FOUND'],
  },
} as const satisfies Record<string, Endpoint>

import Type from 'typebox'
import { INDEX_STATUSES } from '../../vocabulary/index-level.ts'
import { EXPANDED_INDEXES } from '../limits.ts'
import { Constituent } from '../resources/constituent.ts'
import { Index } from '../resources/index-resource.ts'
import { IndexVersion } from '../resources/index-version.ts'
import { Methodology } from '../resources/methodology.ts'
import { idOf } from '../scalars.ts'
import type { Endpoint } from './endpoint.ts'
import { AS_OF, listOf, oneOf, PAGING, RECEIPT, text } from './parameter.ts'

export const INDEX_ID = idOf('idx', 'index_id')
const VERSION_ID = idOf('idv', 'index_version_id')
const INDEX_VERSION_PATH = { index_id: INDEX_ID, version_id: VERSION_ID }
const shared = { tag: 'Indexes', limit_class: 'market_data', cost: 1 } as const

const EXPAND_INDEX = {
  expand: listOf(
    ['latest', 'day'],
    `embed the latest level, and the change and line of the 24 hours up to it; with at most ${EXPANDED_INDEXES.page_max} indexes a page`,
  ),
} as const

export const INDEX_ENDPOINTS = {
  list_indexes: {
    ...shared,
    operation_id: 'list_indexes',
    path: '/indexes',
    summary: 'List indexes',
    description: 'Every index with its version in force at as_of; sorted by index_id.',
    path_parameters: {},
    query: {
      family: text(Type.String({ minLength: 1, maxLength: 200 }), 'only indexes of this family'),
      status: oneOf(INDEX_STATUSES, 'only indexes with this status'),
      tag: text(Type.String({ minLength: 1, maxLength: 200 }), 'only with this tag'),
      constituent_market_id: text(
        idOf('mkt', 'market_id'),
        'only indexes whose version in force reads this market, as a leg included',
      ),
      ...EXPAND_INDEX,
      ...RECEIPT,
      ...PAGING,
    },
    data: Index,
    envelope: 'collection',
    expanded: EXPANDED_INDEXES,
    cache: 'current',
    errors: [],
  },
  get_index: {
    ...shared,
    operation_id: 'get_index',
    path: '/indexes/{index_id}',
    summary: 'Get an index',
    description: 'The definition of an index and the version in force at as_of.',
    path_parameters: { index_id: INDEX_ID },
    query: { ...EXPAND_INDEX, ...AS_OF },
    data: Index,
    envelope: 'single',
    cache: 'current',
    errors: ['INDEX_NOT_FOUND'],
  },
  list_index_versions: {
    ...shared,
    operation_id: 'list_index_versions',
    path: '/indexes/{index_id}/versions',
    summary: 'List versions of an index',
    description: 'Every version published at as_of; sorted by effective_from, then index_version_id.',
    path_parameters: { index_id: INDEX_ID },
    query: { ...RECEIPT, ...PAGING },
    data: IndexVersion,
    envelope: 'collection',
    cache: 'current',
    errors: ['INDEX_NOT_FOUND'],
  },
  get_index_version: {
    ...shared,
    operation_id: 'get_index_version',
    path: '/indexes/{index_id}/versions/{version_id}',
    summary: 'Get a version of an index',
    description: 'One version, with its effective_to as known at as_of.',
    path_parameters: INDEX_VERSION_PATH,
    query: RECEIPT,
    data: IndexVersion,
    envelope: 'single',
    cache: 'version',
    errors: ['INDEX_NOT_FOUND', 'INDEX_VERSION_NOT_FOUND'],
  },
  list_constituents: {
    ...shared,
    operation_id: 'list_constituents',
    path: '/indexes/{index_id}/versions/{version_id}/constituents',
    summary: 'List constituents of a version',
    description: 'The constituents of the version, fixed when it was published; sorted by constituent_id.',
    path_parameters: INDEX_VERSION_PATH,
    query: {
      expand: listOf(['market', 'outcomes', 'venue'], 'embed the records that the ids refer to, as known at as_of'),
      ...RECEIPT,
      ...PAGING,
    },
    data: Constituent,
    envelope: 'collection',
    cache: 'immutable',
    errors: ['INDEX_NOT_FOUND', 'INDEX_VERSION_NOT_FOUND'],
  },
  get_methodology: {
    ...shared,
    operation_id: 'get_methodology',
    path: '/methodologies/{methodology_id}/versions/{version}',
    summary: 'Get a version of a methodology',
    description: 'Every parameter of the calculation, the normative text, and the hash of both.',
    path_parameters: {
      methodology_id: idOf('mth', 'methodology_id'),
      version: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9_.:-]{0,127}$' }),
    },
    query: RECEIPT,
    data: Methodology,
    envelope: 'single',
    cache: 'immutable',
    errors: ['METHODOLOGY_NOT_FOUND'],
  },
} as const satisfies Record<string, Endpoint>

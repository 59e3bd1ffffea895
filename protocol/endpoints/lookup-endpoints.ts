import Type from 'typebox'
import { FoundObservation, MarketPriceResult } from '../resources/found-observation.ts'
import { MarketRating, RatingMethodology } from '../resources/market-rating.ts'
import { Methodology } from '../resources/methodology.ts'
import { ObservationPayloads } from '../resources/observation-payloads.ts'
import { SeverityAssessment, SeverityMethodology } from '../resources/severity.ts'
import { SeverityIndex } from '../resources/severity-index.ts'
import { idOf } from '../scalars.ts'
import { EXPAND_MEASURED, METHODOLOGY_FILTER } from './assessment-shared.ts'
import type { Endpoint } from './endpoint.ts'
import { MARKET_ID } from './market-endpoints.ts'
import { AS_OF, PAGING, RECEIPT, required, text } from './parameter.ts'
import { SEVERITY_INDEX_ID } from './severity-endpoints.ts'

const shared = { limit_class: 'market_data', path_parameters: {}, cache: 'current' } as const

/** Most markets in one request for prices. */
const PRICES_MAX = 100

/** Properties of a list of methodologies. */
const METHODOLOGIES = {
  ...shared,
  query: { ...METHODOLOGY_FILTER, ...RECEIPT, ...PAGING },
  envelope: 'collection',
  cost: 1,
  errors: [],
} as const
const BY_PUBLICATION = 'sorted by (methodology_id, published_at, version)'

/** Look-ups by an id alone, of several records at once, and lists of what other records name. */
export const LOOKUP_ENDPOINTS = {
  list_methodologies: {
    ...METHODOLOGIES,
    tag: 'Indexes',
    operation_id: 'list_methodologies',
    path: '/methodologies',
    summary: 'List index methodologies',
    description: `Every version of every methodology of indexes and marks; ${BY_PUBLICATION}.`,
    data: Methodology,
  },
  list_rating_methodologies: {
    ...METHODOLOGIES,
    tag: 'Market ratings',
    operation_id: 'list_rating_methodologies',
    path: '/rating-methodologies',
    aliases: ['/market-rating-methodologies'],
    summary: 'List rating methodologies',
    description: `Every version of every rating methodology; ${BY_PUBLICATION}.`,
    data: RatingMethodology,
  },
  list_severity_methodologies: {
    ...METHODOLOGIES,
    tag: 'Severity',
    operation_id: 'list_severity_methodologies',
    path: '/severity-methodologies',
    summary: 'List severity methodologies',
    description: `Every version of every severity methodology; ${BY_PUBLICATION}.`,
    data: SeverityMethodology,
  },
  get_rating: {
    ...shared,
    tag: 'Market ratings',
    operation_id: 'get_rating',
    path: '/ratings/{rating_id}',
    summary: 'Get a rating by its id',
    description: 'One rating of any market, in any state; meta.correction_chain lists every revision of it.',
    path_parameters: { rating_id: idOf('rat', 'rating_id') },
    query: { ...EXPAND_MEASURED, ...RECEIPT },
    data: MarketRating,
    envelope: 'single',
    cache: 'record',
    cost: 2,
    errors: ['RATING_NOT_FOUND'],
  },
  get_severity_assessment: {
    ...shared,
    tag: 'Severity',
    operation_id: 'get_severity_assessment',
    path: '/severity-assessments/{assessment_id}',
    summary: 'Get a severity assessment by its id',
    description: 'One assessment of any event, in any state; meta.correction_chain lists every revision of it.',
    path_parameters: { assessment_id: idOf('asm', 'assessment_id') },
    query: { ...EXPAND_MEASURED, ...RECEIPT },
    data: SeverityAssessment,
    envelope: 'single',
    cache: 'record',
    cost: 2,
    errors: ['ASSESSMENT_NOT_FOUND'],
  },
  get_severity_index: {
    ...shared,
    tag: 'Severity',
    operation_id: 'get_severity_index',
    path: '/severity-indexes/{severity_index_id}',
    summary: 'Get a severity index',
    description: 'One severity index with its version in effect at as_of.',
    path_parameters: { severity_index_id: SEVERITY_INDEX_ID },
    query: AS_OF,
    data: SeverityIndex,
    envelope: 'single',
    cost: 1,
    errors: ['SEVERITY_INDEX_NOT_FOUND'],
  },
  get_observation: {
    ...shared,
    tag: 'Market data',
    operation_id: 'get_observation',
    path: '/observations/{observation_id}',
    summary: 'Get a record that another one derives from',
    description:
      'Resolves every id in source_observation_ids, window_observation_ids and input_observation_ids, and every observation_id, value_id, trade_id, resolution_id and evidence_id of a resolution. record is in the form of its own endpoint; meta.correction_chain lists every revision of it.',
    path_parameters: {
      observation_id: idOf(
        '(obs|mrk|iob|trd|res|evd|svl)',
        'observation_id, or the id of another record in such a list',
      ),
    },
    query: AS_OF,
    data: FoundObservation,
    envelope: 'single',
    cache: 'record',
    cost: 2,
    errors: ['OBSERVATION_NOT_FOUND', 'SOURCE_NOT_PUBLIC'],
  },
  get_observation_payloads: {
    ...shared,
    tag: 'Market data',
    operation_id: 'get_observation_payloads',
    path: '/observations/{observation_id}/payloads',
    summary: 'Payloads that a quote or trade was read from',
    description:
      'What the venue sent, as it was received, by its hash; of venues whose terms permit prices and single trades. With content_hash: that payload with its text.',
    path_parameters: { observation_id: idOf('(obs|trd)', 'observation_id of a quote, or trade_id') },
    query: {
      content_hash: text(
        Type.String({ pattern: '^[0-9a-f]{64}$', examples: ['0'.repeat(64)] }),
        'only the payload with this hash, and its text',
      ),
    },
    data: ObservationPayloads,
    envelope: 'single',
    cache: 'record',
    cost: 5,
    errors: ['OBSERVATION_NOT_FOUND', 'SOURCE_NOT_PUBLIC'],
  },
  list_latest_prices: {
    ...shared,
    tag: 'Market data',
    operation_id: 'list_latest_prices',
    path: '/market-prices',
    summary: 'Newest quotes and marks of several markets',
    description: `The price of each market as /markets/{market_id}/price answers it, or its error; at most ${PRICES_MAX} markets, sorted by market_id.`,
    query: {
      market_ids: required({
        kind: 'list',
        schema: Type.Array(MARKET_ID, { minItems: 1, maxItems: PRICES_MAX, uniqueItems: true }),
        description: `comma-separated market ids, at most ${PRICES_MAX}`,
      }),
      ...AS_OF,
    },
    data: MarketPriceResult,
    envelope: 'collection',
    cost: 10,
    errors: [],
  },
} as const satisfies Record<string, Endpoint>

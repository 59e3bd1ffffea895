import { RATING_BANDS } from '../../vocabulary/rating.ts'
import { ASSESSMENT_KINDS } from '../../vocabulary/review.ts'
import { MarketRating, RatingMethodology } from '../resources/market-rating.ts'
import { EXPAND_MEASURED, METHODOLOGY_FILTER, METHODOLOGY_PATH, RECORD_HISTORY } from './assessment-shared.ts'
import type { Endpoint } from './endpoint.ts'
import { MARKET_ID } from './market-endpoints.ts'
import { AS_OF, oneOf, RECEIPT } from './parameter.ts'

const shared = { tag: 'Market ratings', limit_class: 'market_data' } as const
const path_parameters = { market_id: MARKET_ID }

export const RATING_ENDPOINTS = {
  get_market_rating: {
    ...shared,
    operation_id: 'get_market_rating',
    path: '/markets/{market_id}/rating',
    summary: 'Rating of a market',
    description:
      'The record in force at as_of, as known then. Precedence: override, committee, analyst, model. If there is none, band is NR with the reason NO_APPROVED_RATING, and rating_id is null.',
    path_parameters,
    query: {
      ...METHODOLOGY_FILTER,
      assessment_kind: oneOf(ASSESSMENT_KINDS, 'only records by issuers of this kind; default: by precedence'),
      ...EXPAND_MEASURED,
      ...RECEIPT,
    },
    data: MarketRating,
    envelope: 'single',
    cache: 'current',
    cost: 1,
    errors: ['MARKET_NOT_FOUND'],
  },
  list_market_ratings: {
    ...shared,
    operation_id: 'list_market_ratings',
    is_history: true,
    path: '/markets/{market_id}/ratings',
    summary: 'List ratings of a market',
    description:
      'The newest revision of each rating in the states approved, disputed and superseded, other states on request; sorted by (effective_from, published_at, rating_id).',
    path_parameters,
    query: { ...RECORD_HISTORY, band: oneOf(RATING_BANDS, 'only ratings with this band') },
    data: MarketRating,
    envelope: 'collection',
    cache: 'current',
    cost: 5,
    errors: ['MARKET_NOT_FOUND'],
  },
  list_ratings: {
    ...shared,
    operation_id: 'list_ratings',
    is_history: true,
    path: '/ratings',
    summary: 'List ratings of all markets',
    description:
      'The newest revision of each rating of every market in the states approved, disputed and superseded, other states on request, such as those that wait for a decision; sorted by (effective_from, published_at, rating_id).',
    path_parameters: {},
    query: { ...RECORD_HISTORY, band: oneOf(RATING_BANDS, 'only ratings with this band') },
    data: MarketRating,
    envelope: 'collection',
    cache: 'current',
    cost: 5,
    errors: [],
  },
  get_rating_methodology: {
    ...shared,
    operation_id: 'get_rating_methodology',
    path: '/market-rating-methodologies/{methodology_id}/versions/{version}',
    summary: 'Get a version of a rating methodology',
    description:
      'Scale, components, thresholds and missing-evidence policy, every parameter, the normative text, and the hash of both.',
    path_parameters: METHODOLOGY_PATH,
    query: AS_OF,
    data: RatingMethodology,
    envelope: 'single',
    cache: 'immutable',
    cost: 1,
    errors: ['METHODOLOGY_NOT_FOUND'],
  },
} as const satisfies Record<string, Endpoint>

import Type from 'typebox'
import { ELIGIBILITIES, EVENT_STATUSES, MARKET_SORTS, MARKET_STATUSES, OUTCOME_TYPES } from '../../vocabulary/market.ts'
import { RATING_BANDS } from '../../vocabulary/rating.ts'
import { BANDED_MARKETS_MAX, EXPANDED_MARKETS } from '../limits.ts'
import { Event } from '../resources/event.ts'
import { Market } from '../resources/market.ts'
import { Resolution } from '../resources/resolution.ts'
import { Id, idOf } from '../scalars.ts'
import type { Endpoint } from './endpoint.ts'
import { INDEX_ID } from './index-endpoints.ts'
import { AS_OF, instant, listOf, oneOf, PAGING, RECEIPT, text } from './parameter.ts'

export const EVENT_ID = idOf('evt', 'event_id')
export const MARKET_ID = idOf('mkt', 'market_id')
const Word = Type.String({ minLength: 1, maxLength: 200 })
/** Words of a title: at least 3 characters, without white space at either end. */
const Words = Type.String({ minLength: 3, maxLength: 100, pattern: '^\\S(.|\\s)*\\S$' })
const TITLE = { q: text(Words, 'only those whose title has every one of these words, in any case and order') } as const
const shared = { tag: 'Events and markets', limit_class: 'market_data', cost: 1, cache: 'current' } as const

export const MARKET_ENDPOINTS = {
  list_events: {
    ...shared,
    operation_id: 'list_events',
    path: '/events',
    summary: 'List events',
    description: 'Events with and without markets; sorted by last update, newest first, then event_id.',
    path_parameters: {},
    query: {
      status: oneOf(EVENT_STATUSES, 'only events with this status'),
      category: text(Word, 'only events of this category'),
      region: text(Word, 'only with this region'),
      venue_id: text(Word, 'only events that this venue or feed lists'),
      source_event_id: text(Word, 'only the event with this id at its venue or feed; with venue_id: at that one'),
      ...TITLE,
      starts_after: instant('only events whose event_start is after this instant'),
      ends_before: instant('only events whose event_end is before this instant'),
      ...AS_OF,
      ...PAGING,
    },
    data: Event,
    envelope: 'collection',
    errors: [],
  },
  get_event: {
    ...shared,
    operation_id: 'get_event',
    path: '/events/{event_id}',
    summary: 'Get an event',
    description: 'One event, with its ids at venues and feeds.',
    path_parameters: { event_id: EVENT_ID },
    query: AS_OF,
    data: Event,
    envelope: 'single',
    errors: ['EVENT_NOT_FOUND'],
  },
  list_markets: {
    ...shared,
    operation_id: 'list_markets',
    path: '/markets',
    summary: 'List markets',
    description:
      'Markets; sorted by last update, newest first, unless `sort` says otherwise, then by market_id. What `expand` adds is of the instant of each page.',
    path_parameters: {},
    query: {
      event_id: text(EVENT_ID, 'only markets of this event'),
      venue_id: text(Word, 'only markets of this venue'),
      source_market_id: text(Word, 'only the market with this id at its venue'),
      ...TITLE,
      status: oneOf(MARKET_STATUSES, 'only markets with this status'),
      category: text(Word, 'only markets of events of this category'),
      outcome_type: oneOf(OUTCOME_TYPES, 'only markets of this outcome type'),
      index_id: text(INDEX_ID, 'only markets that the version in force of this index reads, legs included'),
      eligibility_status: oneOf(ELIGIBILITIES, 'only markets with this eligibility'),
      resolution_after: instant('only markets expected to resolve after this instant'),
      rating_band: oneOf(
        RATING_BANDS,
        `only markets whose rating in force has this band; NR: those without one too. With as_of, at most ${BANDED_MARKETS_MAX} markets may be left by the other filters`,
      ),
      sort: oneOf(
        MARKET_SORTS,
        'updated: last update, newest first; title: in alphabetical order; closes: earliest closes_at first; volume: greatest volume_24h first, whatever its unit. A market without the value is last. Default: updated',
      ),
      expand: listOf(
        ['price', 'day', 'rating'],
        `embed the newest price, the closes of the last 24 hours, the rating in force; with at most ${EXPANDED_MARKETS.page_max} markets a page`,
      ),
      ...RECEIPT,
      ...PAGING,
    },
    data: Market,
    envelope: 'collection',
    expanded: EXPANDED_MARKETS,
    errors: ['VALIDATION_QUERY_LIMIT'],
  },
  get_market: {
    ...shared,
    operation_id: 'get_market',
    path: '/markets/{market_id}',
    summary: 'Get a market',
    description: 'One market with its rules, schedule, trading parameters, venue ids, eligibility and metrics.',
    path_parameters: { market_id: MARKET_ID },
    query: AS_OF,
    data: Market,
    envelope: 'single',
    errors: ['MARKET_NOT_FOUND'],
  },
  get_market_resolution: {
    ...shared,
    operation_id: 'get_market_resolution',
    path: '/markets/{market_id}/resolution',
    summary: 'Get the resolution of a market',
    description:
      'The current resolution; meta.correction_chain lists every revision of the market, withdrawn ones too. With evidence_id: the resolution that a level refers to.',
    path_parameters: { market_id: MARKET_ID },
    query: { evidence_id: text(Id, 'the newest revision based on this evidence, or with this id'), ...AS_OF },
    data: Resolution,
    envelope: 'single',
    errors: ['MARKET_NOT_FOUND', 'RESOLUTION_NOT_FOUND'],
  },
  list_market_resolutions: {
    ...shared,
    operation_id: 'list_market_resolutions',
    path: '/markets/{market_id}/resolution/history',
    summary: 'List the revisions of a resolution',
    description:
      'Every statement about the resolution in the order of publication, withdrawn ones too; empty before the first.',
    path_parameters: { market_id: MARKET_ID },
    query: { ...AS_OF, ...PAGING },
    data: Resolution,
    envelope: 'collection',
    errors: ['MARKET_NOT_FOUND'],
  },
} as const satisfies Record<string, Endpoint>

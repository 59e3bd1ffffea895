import { formatMicros } from '../../../primitives/instants.ts'
import type { OperationId } from '../../../protocol/endpoints/endpoints.ts'
import { MINUTE, marketOf, outcomeOf, START } from './harbor-rows.ts'

const MARKET_A = marketOf('v', 'A')
const OUTCOME_A = outcomeOf('v', 'A')
const at = (minute: number) => formatMicros(START + minute * MINUTE)

/** Path of a collection, the id of its items, filters, and the SELECT that says which items and in which order. */
export type Filtered = readonly [operation: OperationId, path: string, id: string, query: string, select: string]

const VERSION_2 = `(select index_version_id from index_version where index_id = 'idx_harbor' and version = '2')`
const LEVELS = "select observation_id from index_observation where index_id = 'idx_harbor'"
const BY_PUBLICATION = 'order by published_at, row_ordinal, observation_id'
const OBSERVED = (of: string) =>
  `(select observation_id, published_at, row_ordinal, source_at, field, outcome_id, quality_state from market_observation${of} where market_id = '${MARKET_A}'
    union all select mark_id || '.' || f, published_at, row_ordinal, source_at, f, outcome_id, quality_state from market_mark${of}, (select unnest(['mark', 'midpoint']) as f)
    where market_id = '${MARKET_A}' and if(f = 'mark', mark is not null, midpoint is not null))`

export const FILTERS: readonly Filtered[] = [
  ['list_indexes', '/indexes', 'index_id', '', 'select index_id from index_definition order by 1'],
  [
    'list_indexes',
    '/indexes',
    'index_id',
    'family=pier',
    "select index_id from index_definition where family = 'pier'",
  ],
  [
    'list_indexes',
    '/indexes',
    'index_id',
    'tag=linked',
    "select index_id from index_definition where list_contains(tags, 'linked')",
  ],
  [
    'list_indexes',
    '/indexes',
    'index_id',
    'status=active',
    "select index_id from index_definition where status = 'active' order by 1",
  ],
  [
    'list_indexes',
    '/indexes',
    'index_id',
    'status=archived',
    "select index_id from index_definition where status = 'archived'",
  ],
  [
    'list_indexes',
    '/indexes',
    'index_id',
    `constituent_market_id=${marketOf('v', 'D')}`,
    `select v.index_id from constituent as c join index_version as v using (index_version_id) where c.market_id = '${marketOf('v', 'D')}' and v.effective_to is null`,
  ],
  [
    'list_index_versions',
    '/indexes/idx_harbor/versions',
    'index_version_id',
    '',
    "select index_version_id from index_version where index_id = 'idx_harbor' order by effective_from",
  ],
  [
    'list_events',
    '/events',
    'event_id',
    '',
    'select event_id from event order by coalesce(updated_at, published_at) desc, event_id',
  ],
  ['list_events', '/events', 'event_id', 'status=ended', "select event_id from event where status = 'ended'"],
  [
    'list_events',
    '/events',
    'event_id',
    'category=race',
    "select event_id from event where category = 'race' order by 1",
  ],
  [
    'list_events',
    '/events',
    'event_id',
    'region=north',
    "select event_id from event where list_contains(regions, 'north') order by 1",
  ],
  [
    'list_events',
    '/events',
    'event_id',
    'venue_id=w',
    "select event_id from event where list_contains(list_transform(source_mappings, m -> m.venue_id), 'w')",
  ],
  [
    'list_events',
    '/events',
    'event_id',
    `starts_after=${at(-121)}`,
    `select event_id from event where event_start > '${at(-121)}' order by 1`,
  ],
  [
    'list_events',
    '/events',
    'event_id',
    `starts_after=${at(-120)}`,
    `select event_id from event where event_start > '${at(-120)}' order by 1`,
  ],
  [
    'list_events',
    '/events',
    'event_id',
    `ends_before=${at(721)}`,
    `select event_id from event where event_end < '${at(721)}' order by 1`,
  ],
  [
    'list_markets',
    '/markets',
    'market_id',
    '',
    'select market_id from market order by coalesce(updated_at, published_at) desc, market_id',
  ],
  [
    'list_markets',
    '/markets',
    'market_id',
    'venue_id=w',
    "select market_id from market where venue_mapping.venue_id = 'w'",
  ],
  [
    'list_markets',
    '/markets',
    'market_id',
    'status=resolved',
    "select market_id from market where status = 'resolved'",
  ],
  [
    'list_markets',
    '/markets',
    'market_id',
    'category=wind',
    "select market_id from market join event using (event_id) where category = 'wind' order by 1",
  ],
  [
    'list_markets',
    '/markets',
    'market_id',
    'outcome_type=categorical',
    "select market_id from market where outcome_type = 'categorical'",
  ],
  [
    'list_markets',
    '/markets',
    'market_id',
    'index_id=idx_harbor',
    `select market_id from constituent where index_version_id = ${VERSION_2} union select '${marketOf('w', 'C')}' order by 1`,
  ],
  ['list_markets', '/markets', 'market_id', 'eligibility_status=ineligible', `select '${marketOf('v', 'C')}'`],
  [
    'list_markets',
    '/markets',
    'market_id',
    `resolution_after=${at(30 * 1440)}`,
    `select market_id from market where schedule.expected_resolution_at > '${at(30 * 1440)}' order by 1`,
  ],
  ['list_index_prices', '/indexes/idx_harbor/prices', 'observation_id', '', `${LEVELS} ${BY_PUBLICATION}`],
  [
    'list_index_prices',
    '/indexes/idx_harbor/prices',
    'observation_id',
    'include_corrections=true',
    `${LEVELS.replace('index_observation', 'index_observation_history')} ${BY_PUBLICATION}`,
  ],
  [
    'list_index_prices',
    '/indexes/idx_harbor/prices',
    'observation_id',
    'quality_state=degraded',
    `${LEVELS} and quality_state = 'degraded' ${BY_PUBLICATION}`,
  ],
  [
    'list_index_prices',
    '/indexes/idx_harbor/prices',
    'observation_id',
    `time_domain=source&start_time=${at(120)}&end_time=${at(300)}`,
    `${LEVELS} and source_cutoff_at >= '${at(120)}' and source_cutoff_at < '${at(300)}' order by source_cutoff_at, published_at, row_ordinal, observation_id`,
  ],
  [
    'list_index_prices',
    '/indexes/idx_harbor/prices',
    'observation_id',
    `time_domain=calculated&start_time=${at(301)}`,
    `${LEVELS} and calculated_at >= '${at(301)}' order by calculated_at, published_at, row_ordinal, observation_id`,
  ],
  [
    'list_index_prices',
    '/indexes/idx_harbor/prices',
    'observation_id',
    `end_time=${at(241)}`,
    `${LEVELS} and published_at < '${at(241)}' ${BY_PUBLICATION}`,
  ],
  [
    'list_market_prices',
    `/markets/${MARKET_A}/prices`,
    'observation_id',
    '',
    `select observation_id from ${OBSERVED('')} where field <> 'last_trade' ${BY_PUBLICATION}`,
  ],
  [
    'list_market_prices',
    `/markets/${MARKET_A}/prices`,
    'observation_id',
    'include_quoted_trades=true',
    `select observation_id from ${OBSERVED('')} ${BY_PUBLICATION}`,
  ],
  [
    'list_market_prices',
    `/markets/${MARKET_A}/prices`,
    'observation_id',
    'include_corrections=true&include_quoted_trades=true',
    `select observation_id from ${OBSERVED('_history')} ${BY_PUBLICATION}`,
  ],
  [
    'list_market_prices',
    `/markets/${MARKET_A}/prices`,
    'observation_id',
    'field=bid',
    `select observation_id from ${OBSERVED('')} where field = 'bid' ${BY_PUBLICATION}`,
  ],
  [
    'list_market_prices',
    `/markets/${MARKET_A}/prices`,
    'observation_id',
    'field=mark',
    `select observation_id from ${OBSERVED('')} where field = 'mark' ${BY_PUBLICATION}`,
  ],
  [
    'list_market_prices',
    `/markets/${MARKET_A}/prices`,
    'observation_id',
    `include_quoted_trades=true&outcome_id=${OUTCOME_A}`,
    `select observation_id from ${OBSERVED('')} where outcome_id = '${OUTCOME_A}' ${BY_PUBLICATION}`,
  ],
  [
    'list_market_prices',
    `/markets/${MARKET_A}/prices`,
    'observation_id',
    `include_quoted_trades=true&time_domain=source&start_time=${at(15)}&end_time=${at(75)}`,
    `select observation_id from ${OBSERVED('')} where source_at >= '${at(15)}' and source_at < '${at(75)}' order by source_at, published_at, row_ordinal, observation_id`,
  ],
  [
    'list_trades',
    `/markets/${marketOf('v', 'F')}/trades`,
    'trade_id',
    '',
    'select trade_id from public_trade_history order by published_at, row_ordinal, trade_id',
  ],
  [
    'list_trades',
    `/markets/${marketOf('v', 'F')}/trades`,
    'trade_id',
    `start_time=${at(341)}&end_time=${at(349)}`,
    `select trade_id from public_trade_history where published_at >= '${at(341)}' and published_at < '${at(349)}' order by published_at, row_ordinal, trade_id`,
  ],
  [
    'list_trades',
    `/markets/${marketOf('v', 'F')}/trades`,
    'trade_id',
    `outcome_id=${outcomeOf('v', 'F', 'NO')}`,
    `select trade_id from public_trade_history where outcome_id = '${outcomeOf('v', 'F', 'NO')}'`,
  ],
]

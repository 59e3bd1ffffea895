import { formatMicros, toMicros } from '../../primitives/instants.ts'
import { ENDPOINTS } from '../../protocol/endpoints/endpoints.ts'
import type { Parameters } from '../../protocol/endpoints/parameter.ts'
import { PRIVATE_ENDPOINTS } from '../../protocol/endpoints/trading-endpoints.ts'
import { SCHEMA_VERSION } from '../../protocol/envelope.ts'
import { LIMITS } from '../../protocol/limit-table.ts'
import {
  accountBucket,
  BODY_BYTES_MAX,
  BOOK_DEPTH,
  CANDLE_BUCKETS_MAX,
  COST_BYTES,
  COST_ROWS,
  JSON_DEPTH_MAX,
  keyBucket,
  OPEN_ORDERS,
  PAGE_SIZE,
  PRIVATE_STREAM,
  RATE_TIER_NAMES,
  SIGNED_REQUESTS,
  STREAM,
  USUAL_RATE_TIER,
} from '../../protocol/limits.ts'
import type { Capabilities } from '../../protocol/resources/capabilities.ts'
import type { ServiceTime } from '../../protocol/resources/service-time.ts'
import { REQUEST_SIGNATURE_VERSION } from '../../protocol/signing/canonical-request.ts'
import { PRIVATE_TOPIC_NAMES, privateTopicOf } from '../../protocol/stream/private-topics.ts'
import { EVENT_SCHEMA_VERSION, TOPIC_NAMES, topicOf } from '../../protocol/stream/topics.ts'
import { KEY_ALGORITHMS } from '../../vocabulary/api-key.ts'
import { CANDLE_INTERVALS } from '../../vocabulary/market.ts'
import type { Catalog } from '../../warehouse/reader/reader.ts'
import { VENUE_TERMS } from '../../warehouse/reader/terms.ts'
import type { RateLimits, RouteAnswer, RouteHandlers, RouteRequest } from '../server/handler.ts'

/** Handlers of operations about the service itself. */
export const SERVICE_ROUTES = {
  get_time: getTime,
  get_capabilities: getCapabilities,
} as const satisfies Pick<RouteHandlers, 'get_time' | 'get_capabilities'>

/** Answers with the warehouse's clock, which as_of is compared with. */
async function getTime({ reader }: RouteRequest): Promise<RouteAnswer> {
  const now = await reader.now()
  const data: ServiceTime = { server_time: formatMicros(now), server_time_ms: Math.floor(now / 1000) }
  return { data }
}

function getCapabilities({ reader, service }: RouteRequest): RouteAnswer {
  const data: Capabilities = {
    api_version: 'v1',
    schema_version: SCHEMA_VERSION,
    environment: service.environment,
    page_size: PAGE_SIZE,
    order_book_depth: BOOK_DEPTH,
    candle_intervals: [...CANDLE_INTERVALS],
    candle_buckets_max: CANDLE_BUCKETS_MAX,
    body_bytes_max: BODY_BYTES_MAX,
    json_depth_max: JSON_DEPTH_MAX,
    ...OPEN_ORDERS[USUAL_RATE_TIER],
    open_order_limits: RATE_TIER_NAMES.map((limit_tier) => ({ limit_tier, ...OPEN_ORDERS[limit_tier] })),
    limit_classes: limitClasses(service.rate_limits),
    costs: costs(),
    limits: LIMITS.map(({ enforced_in: _, ...shown }) => ({
      ...shown,
      value: service.limits_in_force[shown.name] ?? shown.value,
    })),
    topics: topics(),
    signed_requests: {
      ...SIGNED_REQUESTS,
      signature_version: REQUEST_SIGNATURE_VERSION,
      algorithms: [...KEY_ALGORITHMS],
      available: service.trading,
    },
    stream: streamBounds(),
    venues: VENUE_TERMS.map(({ venue_id, public_prices, public_trades, index_eligible }) => ({
      venue_id,
      prices_public: public_prices,
      trades_public: public_trades,
      index_eligible,
      simulated: reader.simulatedVenues().has(venue_id),
    })),
    first_published_at: firstPublishedAt(reader.catalog(null)),
  }
  return { data }
}

function limitClasses(rate_limits: RateLimits): Capabilities['limit_classes'] {
  return Object.entries(rate_limits).map(([limit_class, { keyed, anonymous }]) => ({
    limit_class,
    keyed,
    account: accountBucket(keyed),
    anonymous,
    tiers: RATE_TIER_NAMES.map((limit_tier) => {
      const of_key = keyBucket(keyed, limit_tier)
      return { limit_tier, keyed: of_key, account: accountBucket(of_key) }
    }),
  }))
}

function costs(): Capabilities['costs'] {
  const rowsEach = (query: Parameters) => ('limit' in query ? COST_ROWS : null)
  const of_public = Object.values(ENDPOINTS).map(({ path, limit_class, cost, query }) => ({
    method: 'GET',
    path: `/v1${path}`,
    limit_class,
    cost,
    cost_each: null,
    rows_each: rowsEach(query),
    bytes_each: COST_BYTES,
    scope: null,
  }))
  const of_private = Object.values(PRIVATE_ENDPOINTS).map((endpoint) => ({
    method: endpoint.method,
    path: `/v1${endpoint.path}`,
    limit_class: endpoint.limit_class,
    cost: endpoint.cost,
    cost_each: endpoint.cost_each,
    rows_each: rowsEach(endpoint.query),
    bytes_each: endpoint.method === 'GET' ? COST_BYTES : null,
    scope: endpoint.scope,
  }))
  return [...of_public, ...of_private]
}

function topics(): Capabilities['topics'] {
  const of_public = TOPIC_NAMES.map(topicOf).map(({ topic, filters, kinds, snapshot, conflated, known_gaps }) => ({
    topic,
    scope: null,
    filters: Object.keys(filters),
    kinds: [...new Set([...(snapshot ? ['snapshot'] : []), ...kinds])],
    event_schema_version: EVENT_SCHEMA_VERSION,
    resume_retention_ms: STREAM.resume_retention_ms,
    conflated,
    known_gaps: [...known_gaps],
  }))
  const of_private = PRIVATE_TOPIC_NAMES.map(privateTopicOf).map(({ topic, scope, filters, kinds, known_gaps }) => ({
    topic,
    scope,
    filters: Object.keys(filters),
    kinds: ['snapshot', ...kinds],
    event_schema_version: EVENT_SCHEMA_VERSION,
    resume_retention_ms: PRIVATE_STREAM.resume_retention_ms,
    conflated: false,
    known_gaps: [...known_gaps],
  }))
  return [...of_public, ...of_private]
}

function streamBounds(): Capabilities['stream'] {
  const { heartbeat_ms, subscriptions_max, message_bytes_max, buffered_bytes_max, messages } = STREAM
  const { connections_per_address_max, anonymous_per_address_max, subscriptions_per_address_max } = STREAM
  const of_address = { connections_per_address_max, anonymous_per_address_max, subscriptions_per_address_max }
  const { request_bytes_max, requests_in_flight_max } = STREAM
  const { connections_max, subscribes, snapshot_max, snapshot_fills_max } = PRIVATE_STREAM
  const of_public = { heartbeat_ms, subscriptions_max, message_bytes_max, buffered_bytes_max, messages }
  const of_private = { connections_per_account_max: connections_max, subscribes_per_key: subscribes }
  return {
    ...of_public,
    request_bytes_max,
    requests_in_flight_max,
    ...of_address,
    snapshot_bytes: STREAM.snapshot_bytes,
    ...of_private,
    snapshot_max,
    snapshot_fills_max,
  }
}

/** Returns the publication of the oldest index version, before which there are no levels; null: none is published. */
function firstPublishedAt(catalog: Catalog): string | null {
  const published = catalog
    .indexes()
    .flatMap((index) => catalog.versions(index.index_id as string))
    .map((version) => toMicros(version.published_at, 'published_at'))
  return published.length === 0 ? null : formatMicros(Math.min(...published))
}

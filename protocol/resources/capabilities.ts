import Type, { type Static } from 'typebox'
import { RATE_TIER_NAMES } from '../limits.ts'
import { Count, closed, Duration, Instant, orNull, Text, texts } from '../scalars.ts'

const Rate = Type.Object({ rate: Count, burst: Count }, closed)

const LimitTier = Type.Object(
  { limit_tier: texts(RATE_TIER_NAMES), keyed: Rate, account: Rate },
  {
    ...closed,
    title: 'LimitTier',
    description: 'rate limits of accounts of one tier (limit_tier of GET /v1/account/policy)',
  },
)
const LimitClass = Type.Object(
  { limit_class: Text, keyed: Rate, account: Rate, anonymous: orNull(Rate), tiers: Type.Array(LimitTier) },
  {
    ...closed,
    title: 'LimitClass',
    description:
      'token buckets that refill by rate tokens a second, up to burst: of a key and of all keys of an account, both in the standard tier; and of an address without a key (null: a key is required)',
  },
)
const EndpointCost = Type.Object(
  {
    ...{ method: Text, path: Text, limit_class: Text, cost: Count, cost_each: orNull(Text) },
    ...{ rows_each: orNull(Count), bytes_each: orNull(Count), scope: orNull(Text) },
  },
  {
    ...closed,
    title: 'EndpointCost',
    description:
      'cost_each: name of the list in the body whose items each cost `cost`; rows_each: number of rows that `cost` covers, each further part of `limit` costs as much again, null: rows cost nothing; bytes_each: bytes of the answer that one token covers, where that is more than its cost, null: bytes cost nothing; scope: scope that the key needs, null: no key is needed',
  },
)
const LimitShown = Type.Object(
  { name: Text, value: Count, per: Text, code: orNull(Text), effect: Text, metric: orNull(Text) },
  {
    ...closed,
    title: 'Limit',
    description:
      'a limit and its value in this version; per: what it is counted for; code: error beyond it, null: effect says what happens; metric: metric of the process that shows it',
  },
)
const Topic = Type.Object(
  {
    topic: Text,
    scope: orNull(Text),
    filters: Type.Array(Text),
    kinds: Type.Array(Text),
    event_schema_version: Text,
    resume_retention_ms: Count,
    conflated: Type.Boolean({ description: 'a slow reader receives only the latest message of each key' }),
    known_gaps: Type.Array(Text, { description: 'limitations of the topic, in sentences' }),
  },
  { ...closed, title: 'TopicCapability' },
)

/** Limits of requests and streams, and known gaps. */
export const Capabilities = Type.Object(
  {
    api_version: Text,
    schema_version: Text,
    environment: Text,
    page_size: Type.Object({ default: Count, max: Count }, closed),
    order_book_depth: Type.Object({ default: Count, max: Count }, closed),
    candle_intervals: Type.Array(Duration),
    candle_buckets_max: Count,
    body_bytes_max: Count,
    json_depth_max: Count,
    max_open_orders: Type.Integer({ minimum: 0, description: 'most open orders of an account of the tier standard' }),
    max_open_orders_per_market: Type.Integer({ minimum: 0, description: 'the same in one market' }),
    open_order_limits: Type.Array(
      Type.Object(
        { limit_tier: texts(RATE_TIER_NAMES), max_open_orders: Count, max_open_orders_per_market: Count },
        { ...closed, title: 'OpenOrderLimits' },
      ),
    ),
    limit_classes: Type.Array(LimitClass),
    costs: Type.Array(EndpointCost),
    limits: Type.Array(LimitShown),
    topics: Type.Array(Topic),
    signed_requests: Type.Object(
      {
        signature_version: Text,
        algorithms: Type.Array(Text),
        timestamp_behind_ms: Count,
        timestamp_ahead_ms: Count,
        nonce_retention_ms: Count,
        idempotency_retention_ms: Count,
        client_order_id_retention_ms: Count,
        batch_orders_max: Count,
        mass_quote_orders_max: Count,
        key_overlap_max_s: Count,
        cancel_after_ms: Type.Object({ min: Count, max: Count }, closed),
        available: Type.Boolean({
          description: 'false: this process has no trading engine, and private endpoints answer 503',
        }),
      },
      { ...closed, title: 'SignedRequests' },
    ),
    stream: Type.Object(
      {
        heartbeat_ms: Count,
        subscriptions_max: Count,
        connections_per_address_max: Count,
        anonymous_per_address_max: Count,
        subscriptions_per_address_max: Count,
        snapshot_bytes: Rate,
        message_bytes_max: Count,
        request_bytes_max: Count,
        requests_in_flight_max: Count,
        buffered_bytes_max: Count,
        messages: Rate,
        connections_per_account_max: Count,
        subscribes_per_key: Rate,
        snapshot_max: Count,
        snapshot_fills_max: Count,
      },
      closed,
    ),
    venues: Type.Array(
      Type.Object(
        {
          venue_id: Text,
          prices_public: Type.Boolean(),
          trades_public: Type.Boolean(),
          index_eligible: Type.Boolean(),
          simulated: Type.Boolean({
            description: 'true: its data in this warehouse is invented; no real market is behind it',
          }),
        },
        closed,
      ),
    ),
    first_published_at: orNull(Instant),
  },
  { ...closed, title: 'Capabilities' },
)
export type Capabilities = Static<typeof Capabilities>

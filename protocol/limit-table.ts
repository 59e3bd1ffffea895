import { ANSWERS, bucket, closed, type Limit, one, rejected } from './limit-rows.ts'
import {
  ACCOUNT_READS,
  accountBucket,
  BODY_BYTES_MAX,
  BOOK_DEPTH,
  CANDLE_BUCKETS_MAX,
  COMPLAINTS,
  CONNECTIONS,
  CURSOR_LENGTH_MAX,
  EXPORTS,
  FAULTS_MAX,
  FEEDS,
  HISTORY_READS,
  JSON_DEPTH_MAX,
  KNOWLEDGE_DIFF,
  LOG,
  LOGGED_REFUSALS,
  ORDER_PREVIEW,
  PAGE_BYTES_MAX,
  PAGE_SIZE,
  PAGES,
  PRIVATE_STREAM,
  RATE_CLASSES,
  RESTATEMENTS,
  ROBUSTNESS,
  SIGNED_REQUESTS,
  STREAM,
  UNSENT_BYTES,
  UNVERIFIED,
  UNVERIFIED_CANCEL_ALL,
  URL_BYTES_MAX,
  WOULD_FILL,
} from './limits.ts'
import { OF_PAGES } from './page-limits.ts'
import { OF_TRADING } from './trading-limits.ts'
import { OF_WEBHOOKS } from './webhook-limits.ts'

const FETCH = 'api/server/read-bytes.ts'
const SERVER = 'api/server/create-api-server.ts'
const SESSION = 'api/stream/session.ts'
const SHARES = 'api/stream/address-shares.ts'
const ACCOUNTS = 'api/stream/private/private-stream.ts'
const REFUSED_READS = 'tidemark_history_reads_refused_total'
const REFUSED_CONNECTIONS = 'tidemark_http_connections_refused_total'
const TIMED_OUT = 'tidemark_http_connections_timed_out_total'
const STREAM_REFUSED = 'tidemark_stream_refused_total'
const DROPPED = 'tidemark_stream_dropped_messages_total'
const STREAM_ENDED = 'tidemark_stream_ended_total'
const TOKENS = 'api/server/class-limiters.ts'

const OF_PARAMETER = rejected('request', 'VALIDATION_PARAMETER_INVALID', 'api/server/read-parameters.ts')

const REQUESTS: readonly Limit[] = [
  one('url_bytes_max', URL_BYTES_MAX, rejected('request', 'VALIDATION_BODY_TOO_LARGE', 'api/server/raw-query-of.ts')),
  one('body_bytes_max', BODY_BYTES_MAX, rejected('request', 'VALIDATION_BODY_TOO_LARGE', FETCH)),
  one(
    'json_depth_max',
    JSON_DEPTH_MAX,
    rejected('request', 'VALIDATION_BODY_INVALID', 'api/server/parse-strict-json.ts'),
  ),
  one(
    'faults_max',
    FAULTS_MAX,
    closed('request', 'further faults are not looked for', 'api/server/body-faults.ts', ANSWERS),
  ),
  one('page_size.max', PAGE_SIZE.max, OF_PARAMETER),
  one(
    'log.entry_bytes_max',
    LOG.entry_bytes_max,
    closed('process', 'the log has a longer record by its hash', 'pipelines/transparency/log-entry.ts'),
  ),
  one(
    'log.witness_body_bytes_max',
    LOG.witness_body_bytes_max,
    closed('request', 'a witness answers with 413', 'service/transparency/serve-witness.ts'),
  ),
  ...OF_PAGES,
  one(
    'page_bytes_max',
    PAGE_BYTES_MAX,
    closed(
      'request',
      'the page ends early, `has_more` is true',
      'api/private/routes/bounded-texts.ts',
      'tidemark_account_pages_cut_total',
    ),
  ),
  one('order_book_depth.max', BOOK_DEPTH.max, OF_PARAMETER),
  one(
    'candle_buckets_max',
    CANDLE_BUCKETS_MAX,
    rejected('request', 'VALIDATION_RANGE_INVALID', 'api/server/check-relations.ts'),
  ),
  one(
    'knowledge_diff.page_max',
    KNOWLEDGE_DIFF.page_max,
    closed('request', 'a page has at most this many changes', 'api/routes/knowledge-diff.ts'),
  ),
  one('robustness.basis_points_max', ROBUSTNESS.basis_points_max, OF_PARAMETER),
  one('robustness.notional_digits_max', ROBUSTNESS.notional_digits_max, OF_PARAMETER),
  one('cursor_length_max', CURSOR_LENGTH_MAX, OF_PARAMETER),
  one(
    'batch_orders_max',
    SIGNED_REQUESTS.batch_orders_max,
    rejected('request', 'VALIDATION_BODY_INVALID', 'api/server/body-faults.ts'),
  ),
  one(
    'mass_quote_orders_max',
    SIGNED_REQUESTS.mass_quote_orders_max,
    rejected('request', 'VALIDATION_BODY_INVALID', 'api/server/body-faults.ts'),
  ),
]

const TOKEN_BUCKETS: readonly Limit[] = [
  ...bucket(
    'logged_refusals',
    LOGGED_REFUSALS,
    closed('process', 'further log lines of refused orders are of level debug', 'service/api-logger.ts'),
  ),
  ...Object.entries(RATE_CLASSES).flatMap(([name, { keyed, anonymous }]) => [
    ...bucket(name, keyed, rejected('key', 'RATE_LIMIT_EXCEEDED', TOKENS)),
    ...bucket(`${name}.account`, accountBucket(keyed), rejected('account', 'RATE_LIMIT_EXCEEDED', TOKENS)),
    ...(anonymous === null
      ? []
      : bucket(`${name}.anonymous`, anonymous, rejected('address', 'RATE_LIMIT_EXCEEDED', TOKENS))),
  ]),
  ...bucket('unverified', UNVERIFIED, rejected('address', 'RATE_LIMIT_EXCEEDED', 'api/server/charge-unverified.ts')),
  ...bucket(
    'unverified_cancel_all',
    UNVERIFIED_CANCEL_ALL,
    rejected('address', 'RATE_LIMIT_EXCEEDED', 'api/server/charge-unverified.ts'),
  ),
  ...bucket('pages', PAGES, rejected('address', 'RATE_LIMIT_EXCEEDED', 'api/server/public-file.ts')),
]

const COMPLAINT = 'api/notices/file-complaint.ts'
const FEED = 'api/notices/serve-feeds.ts'
const FORM = 'pipelines/governance/restatement.ts'
const OF_NOTICES: readonly Limit[] = [
  ...bucket('complaints', COMPLAINTS, rejected('address', 'RATE_LIMIT_EXCEEDED', COMPLAINT)),
  one('complaints.cost', COMPLAINTS.cost, closed('address', 'tokens of the bucket that a complaint takes', COMPLAINT)),
  one(
    'complaints.text_length_max',
    COMPLAINTS.text_length_max,
    rejected('request', 'VALIDATION_BODY_INVALID', 'api/server/body-faults.ts'),
  ),
  one(
    'complaints.waiting_max',
    COMPLAINTS.waiting_max,
    rejected('process', 'SERVICE_UNAVAILABLE', 'operations/notices/complaint-box.ts'),
  ),
  one('restatements.ticks_max', RESTATEMENTS.ticks_max, rejected('request', 'VALIDATION_DEFINITION_INVALID', FORM)),
  one('feeds.notices_max', FEEDS.notices_max, closed('request', 'the newest notices are in the feed', FEED)),
  one('feeds.entries_max', FEEDS.entries_max, closed('request', 'the first entries are in the calendar file', FEED)),
  one(
    'feeds.calendar_days_max',
    FEEDS.calendar_days_max,
    rejected('request', 'VALIDATION_RANGE_INVALID', 'pipelines/notices/calendar.ts'),
  ),
]

const POOL = 'warehouse/reader/history/query-pool.ts'
const TURNS = 'api/private/read-turns.ts'
const READS_WAITING = 'tidemark_account_reads_waiting'
const TURNS_REFUSED = 'tidemark_account_reads_refused_total'
const EXPORT = 'api/export/stream-history.ts'
const PAST_PREVIEW = 'api/private/routes/preview-order.ts'
const WALK = 'trading/store/read/walk-past.ts'
const READS: readonly Limit[] = [
  one('history_reads.time_ms', HISTORY_READS.time_ms, rejected('request', 'QUERY_TIMEOUT', POOL, REFUSED_READS)),
  one(
    'history_reads.waiting_of_caller_max',
    HISTORY_READS.waiting_of_caller_max,
    rejected('address', 'RATE_LIMIT_EXCEEDED', POOL, REFUSED_READS),
  ),
  one(
    'history_reads.waiting_max',
    HISTORY_READS.waiting_max,
    rejected('process', 'SERVICE_UNAVAILABLE', POOL, REFUSED_READS),
  ),
  one(
    'account_reads.of_account_at_once_max',
    ACCOUNT_READS.of_account_at_once_max,
    closed('account', 'a further read waits for its turn', TURNS, READS_WAITING),
  ),
  one(
    'account_reads.at_once_max',
    ACCOUNT_READS.at_once_max,
    closed('process', 'a further read waits for its turn', TURNS, READS_WAITING),
  ),
  one(
    'account_reads.waiting_of_account_max',
    ACCOUNT_READS.waiting_of_account_max,
    rejected('account', 'RATE_LIMIT_EXCEEDED', TURNS, TURNS_REFUSED),
  ),
  one(
    'account_reads.waiting_max',
    ACCOUNT_READS.waiting_max,
    rejected('process', 'SERVICE_UNAVAILABLE', TURNS, TURNS_REFUSED),
  ),
  one('account_reads.wait_ms', ACCOUNT_READS.wait_ms, rejected('request', 'SERVICE_UNAVAILABLE', TURNS, TURNS_REFUSED)),
  one('exports.of_caller_max', EXPORTS.of_caller_max, rejected('address', 'RATE_LIMIT_EXCEEDED', EXPORT)),
  one('exports.at_once_max', EXPORTS.at_once_max, rejected('process', 'SERVICE_UNAVAILABLE', EXPORT)),
  one(
    'order_preview.own_orders_listed_max',
    ORDER_PREVIEW.own_orders_listed_max,
    closed('request', 'further own orders are counted in `own_orders_omitted`', 'trading/engine/preview-matches.ts'),
  ),
  one(
    'would_fill.range_ms_max',
    WOULD_FILL.range_ms_max,
    rejected('request', 'VALIDATION_RANGE_INVALID', PAST_PREVIEW),
  ),
  one('would_fill.events_max', WOULD_FILL.events_max, rejected('request', 'VALIDATION_RANGE_INVALID', WALK)),
  one(
    'would_fill.fills_listed_max',
    WOULD_FILL.fills_listed_max,
    closed('request', 'further fills are counted in `fills_omitted`', 'trading/would-fill/would-fill.ts'),
  ),
  one(
    'would_fill.book_depth',
    WOULD_FILL.book_depth,
    closed('request', 'further price levels are not shown', 'trading/would-fill/would-fill.ts'),
  ),
  one('would_fill.of_account_max', WOULD_FILL.of_account_max, rejected('account', 'RATE_LIMIT_EXCEEDED', PAST_PREVIEW)),
  one('would_fill.at_once_max', WOULD_FILL.at_once_max, rejected('process', 'SERVICE_UNAVAILABLE', PAST_PREVIEW)),
]

const UNSENT = 'api/server/unsent-bytes.ts'
const UNSENT_MET = 'tidemark_http_unsent_limited_total'
const OF_CONNECTIONS: readonly Limit[] = [
  one(
    'connections.max',
    CONNECTIONS.max,
    closed('process', 'a further connection is closed', SERVER, REFUSED_CONNECTIONS),
  ),
  one(
    'connections.per_address_max',
    CONNECTIONS.per_address_max,
    closed(
      'address',
      'a further connection is closed; trusted proxies are not counted',
      'api/server/connection-limit.ts',
      REFUSED_CONNECTIONS,
    ),
  ),
  one(
    'connections.headers_ms',
    CONNECTIONS.headers_ms,
    rejected('connection', 'VALIDATION_REQUEST_MALFORMED', SERVER, TIMED_OUT),
  ),
  one(
    'connections.request_ms',
    CONNECTIONS.request_ms,
    rejected('connection', 'VALIDATION_REQUEST_MALFORMED', SERVER, TIMED_OUT),
  ),
  one(
    'connections.stalled_ms',
    CONNECTIONS.stalled_ms,
    closed('connection', 'closed without a byte in either direction', SERVER, TIMED_OUT),
  ),
  one(
    'connections.idle_ms',
    CONNECTIONS.idle_ms,
    closed('connection', 'closed between two requests', SERVER, TIMED_OUT),
  ),
  one(
    'unsent_bytes.per_address_max',
    UNSENT_BYTES.per_address_max,
    rejected('address', 'RATE_LIMIT_EXCEEDED', UNSENT, UNSENT_MET),
  ),
  one(
    'unsent_bytes.max',
    UNSENT_BYTES.max,
    closed('process', 'connections with the oldest unsent answers are closed', UNSENT, UNSENT_MET),
  ),
]

const STREAMS: readonly Limit[] = [
  one(
    'stream.connections_max',
    STREAM.connections_max,
    rejected('process', 'SERVICE_UNAVAILABLE', 'api/stream/attach-stream.ts', STREAM_REFUSED),
  ),
  one(
    'stream.connections_per_address_max',
    STREAM.connections_per_address_max,
    rejected('address', 'RATE_LIMIT_EXCEEDED', SHARES, STREAM_REFUSED),
  ),
  one(
    'stream.anonymous_per_address_max',
    STREAM.anonymous_per_address_max,
    rejected('address', 'RATE_LIMIT_EXCEEDED', SHARES, STREAM_REFUSED),
  ),
  ...bucket('stream.connects', STREAM.connects, rejected('address', 'RATE_LIMIT_EXCEEDED', SHARES, STREAM_REFUSED)),
  one(
    'stream.subscriptions_max',
    STREAM.subscriptions_max,
    rejected('connection', 'VALIDATION_MESSAGE_INVALID', SESSION, STREAM_REFUSED),
  ),
  one(
    'stream.subscriptions_per_address_max',
    STREAM.subscriptions_per_address_max,
    rejected('address', 'RATE_LIMIT_EXCEEDED', SESSION, STREAM_REFUSED),
  ),
  ...bucket(
    'stream.snapshot_bytes',
    STREAM.snapshot_bytes,
    rejected('address', 'RATE_LIMIT_EXCEEDED', SHARES, STREAM_REFUSED),
  ),
  ...bucket('stream.messages', STREAM.messages, rejected('connection', 'RATE_LIMIT_EXCEEDED', SESSION, STREAM_REFUSED)),
  one(
    'stream.message_bytes_max',
    STREAM.message_bytes_max,
    closed('connection', 'closed (1009)', 'api/stream/attach-stream.ts', STREAM_ENDED),
  ),
  one(
    'stream.request_bytes_max',
    STREAM.request_bytes_max,
    closed('connection', 'closed (1009); each 16 KiB beyond the first cost a message', SESSION, STREAM_ENDED),
  ),
  one(
    'stream.requests_in_flight_max',
    STREAM.requests_in_flight_max,
    rejected('connection', 'RATE_LIMIT_EXCEEDED', SESSION, STREAM_REFUSED),
  ),
  one(
    'stream.buffered_bytes_max',
    STREAM.buffered_bytes_max,
    closed('connection', 'messages are dropped, a gap and a snapshot follow', 'api/stream/outbox.ts', DROPPED),
  ),
  one('stream.stalled_ms', STREAM.stalled_ms, closed('connection', 'closed (1013)', SESSION, STREAM_ENDED)),
  one(
    'stream.first_message_ms',
    STREAM.first_message_ms,
    closed('connection', 'closed (1008) without a subscription', SESSION, STREAM_ENDED),
  ),
  one(
    'private_stream.connections_max',
    PRIVATE_STREAM.connections_max,
    rejected('account', 'RATE_LIMIT_EXCEEDED', ACCOUNTS, STREAM_REFUSED),
  ),
  ...bucket(
    'private_stream.subscribes',
    PRIVATE_STREAM.subscribes,
    rejected('key', 'RATE_LIMIT_EXCEEDED', ACCOUNTS, STREAM_REFUSED),
  ),
  ...bucket(
    'private_stream.snapshot_bytes',
    STREAM.snapshot_bytes,
    rejected('key', 'RATE_LIMIT_EXCEEDED', ACCOUNTS, STREAM_REFUSED),
  ),
  one(
    'private_stream.refused_auths_max',
    PRIVATE_STREAM.refused_auths_max,
    closed('connection', 'closed (1008)', SESSION, STREAM_ENDED),
  ),
  one(
    'private_stream.snapshot_max',
    PRIVATE_STREAM.snapshot_max,
    closed('request', 'the newest are sent, `complete` is false', 'api/stream/private/join-subscription.ts'),
  ),
]

/** Every limit of the API with its default; GET /v1/capabilities and docs/limits.md show it. */
export const LIMITS: readonly Limit[] = [
  ...REQUESTS,
  ...TOKEN_BUCKETS,
  ...OF_NOTICES,
  ...READS,
  ...OF_CONNECTIONS,
  ...STREAMS,
  ...OF_TRADING,
  ...OF_WEBHOOKS,
]

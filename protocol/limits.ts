import { RESTATED_TICKS_MAX } from '../vocabulary/governance.ts'
import { CALENDAR_DAYS_MAX, COMPLAINT_TEXT_MAX } from '../vocabulary/notices.ts'

/** Limits of requests; GET /v1/capabilities publishes them. */
export const PAGE_SIZE = { default: 100, max: 1000 } as const
/** Longest `data` of a page of a private list, in bytes of its JSON; such a page ends early, with at least one record. */
export const PAGE_BYTES_MAX = 1024 * 1024
export const BOOK_DEPTH = { default: 100, max: 1000 } as const
export const CANDLE_BUCKETS_MAX = 5000
/** Move that a manipulation cost prices, and whole digits of the notional of an executable band. */
export const ROBUSTNESS = { basis_points_default: 100, basis_points_max: 10_000, notional_digits_max: 9 } as const
/** Greatest page of a diff of knowledge: each revised level of it has two records with their inputs. */
export const KNOWLEDGE_DIFF = { page_max: 100 } as const
/** Notional of an executable band, at most 6 decimals. */
export const NOTIONAL_PATTERN = `^(0|[1-9]\\d{0,${ROBUSTNESS.notional_digits_max - 1}})(\\.\\d{1,6})?$`
export const BODY_BYTES_MAX = 256 * 1024
export const JSON_DEPTH_MAX = 20
export const CURSOR_LENGTH_MAX = 1024
export const URL_BYTES_MAX = 8192
/** Most faults reported for one request. */
export const FAULTS_MAX = 32

/**
 * Token bucket: refills by `rate` tokens a second, up to `burst`. Callers without a key are counted by address, others by
 * key; all keys of an account together may spend ACCOUNT_BUCKETS times as much. null: the class requires a key.
 */
export type RateClass = { readonly rate: number; readonly burst: number }
export const RATE_CLASSES = {
  market_data: { keyed: { rate: 100, burst: 200 }, anonymous: { rate: 20, burst: 200 } },
  account_read: { keyed: { rate: 20, burst: 40 }, anonymous: null },
  order_write: { keyed: { rate: 50, burst: 100 }, anonymous: null },
  cancel: { keyed: { rate: 100, burst: 200 }, anonymous: null },
} as const satisfies Record<string, { keyed: RateClass; anonymous: RateClass | null }>
export type RateClassName = keyof typeof RATE_CLASSES
const ACCOUNT_BUCKETS = 4

/**
 * Token buckets of an address for signed requests, until their signature is verified; then the tokens are returned and the key is
 * charged. A request costs a token, and one more for each further `bytes_each` of its body. cancel-all has a bucket of its own,
 * so that nothing else can use up what the kill switch needs.
 */
export const UNVERIFIED = { rate: 20, burst: 400, bytes_each: 16 * 1024 } as const
export const UNVERIFIED_CANCEL_ALL = { rate: 100, burst: 400 } as const

/** Token bucket of an address for the pages of /docs, whose reading costs no market data. Most of a page's cost is its compression. */
export const PAGES = { rate: 20, burst: 400, cost: 2 } as const

/** Longest entry of the log and longest request to a witness, in bytes. */
export const LOG = { entry_bytes_max: 65_535, witness_body_bytes_max: 32_768 } as const

/** Receipts of lists: most records of a page, and records that a further token covers. */
export const RECEIPTS = { records_max: 100, records_per_token: 4 } as const

/** Greatest page of levels with their inputs or quotes. */
export const EXPANDED_LEVELS = { page_max: 200 } as const

/** Greatest page of markets with price, day or rating, and markets that a further token covers. */
export const EXPANDED_MARKETS = { page_max: 100, per_token: 2 } as const
/** Markets that are searched for a rating band as of an instant, after every other filter. */
export const BANDED_MARKETS_MAX = 500

/** Greatest page of indexes with their latest levels or days. */
export const EXPANDED_INDEXES = { page_max: 200 } as const

/** Payloads of one record that an answer names. */
export const PAYLOADS = { listed_max: 100 } as const

/** Rows that the cost of a list covers; each further part of as many rows asked for costs as much again. */
export const COST_ROWS = 500

/** Returns the tokens of a request that asks for so many rows. */
export function costOfRows(cost: number, rows: number): number {
  return cost * Math.max(1, Math.ceil(rows / COST_ROWS))
}

/** Bytes of an answer that a token covers. */
export const COST_BYTES = 128 * 1024

/** Returns the tokens of an answer of so many bytes. */
export function costOfBytes(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / COST_BYTES))
}

/** Tiers of accounts: factor by which rate and burst of RATE_CLASSES are multiplied. An operator assigns the tier. */
const RATE_TIERS = { standard: 1, advanced: 4, market_maker: 20 } as const
export type RateTierName = keyof typeof RATE_TIERS
export const RATE_TIER_NAMES = Object.keys(RATE_TIERS) as readonly RateTierName[]
/** Tier of an account that was assigned none. */
export const USUAL_RATE_TIER: RateTierName = 'standard'

/** Most open orders of an account, and of an account in one market, by tier. */
export type OpenOrderLimits = { readonly max_open_orders: number; readonly max_open_orders_per_market: number }
export const OPEN_ORDERS: Readonly<Record<RateTierName, OpenOrderLimits>> = {
  standard: { max_open_orders: 10_000, max_open_orders_per_market: 2_000 },
  advanced: { max_open_orders: 20_000, max_open_orders_per_market: 5_000 },
  market_maker: { max_open_orders: 50_000, max_open_orders_per_market: 10_000 },
}
/** Most orders that the answer to a cancel-all lists. */
export const CANCELED_LISTED_MAX = 1000
export const ENGINE = {
  /**
   * Orders that the clock, mass cancels and pauses change in one batch, and positions that a resolution pays: with their rows less than
   * 20 ms, which is as long as other submissions may wait.
   */
  slice_max: 100,
  /** Submissions that wait. */
  queue_max: 20_000,
  /** Longest message between engine and API; a batch of 50 signed orders is far below it. */
  message_bytes_max: 4 * 1024 * 1024,
} as const

/** Limits of the deposits and withdrawals that an account asks for; a day is the last 24 hours. */
export const TRANSFERS = {
  /** Most transfers that wait for the rail. */
  open_max: 20,
  /** Most transfers requested within a day, canceled ones included. */
  of_day_max: 100,
  /** Most of an asset that is deposited, and that is withdrawn, within a day: open and confirmed ones, in whole units. */
  amount_of_day_max: 100_000,
} as const

/** Limits of the API keys of an account; a day is the last 24 hours. What operators add is not refused, but counts. */
export const API_KEYS = {
  /** Most keys that are neither revoked nor over. */
  active_max: 50,
  /** Most keys created within a day, revoked ones included. */
  of_day_max: 200,
} as const

/**
 * Budget of an account for rejected orders, each of which is recorded for ever: a token bucket. `blocked_cost`: tokens that one costs a
 * blocked account.
 */
export const REJECTED_ORDERS = { rate: 2, burst: 500, blocked_cost: 10 } as const

/** Greatest limits of a market maker's protection in one market. */
export const PROTECTIONS = { fill_count_max: 1000, window_ms: 86_400_000, frozen_ms: 86_400_000 } as const
/** Limits of webhooks and their deliveries. */
export const WEBHOOKS = {
  of_account_max: 5,
  /** Tests and replays of one webhook that wait. */
  waiting_max: 20,
  /** Deliveries that one replay names. */
  redeliveries_max: 100,
  url_length_max: 2048,
  /** Greatest time in which the previous secret signs, too, in seconds. */
  overlap_max_s: 86_400,
  /** Wait after the first failed attempt, and the longest one. */
  retry: { first_ms: 5_000, max_ms: 43_200_000 },
  /** Time after its first attempt in which a delivery is tried again. */
  give_up_ms: 86_400_000,
  /** Time without an accepted delivery after which a failing webhook is disabled. */
  disable_after_ms: 259_200_000,
  connect_ms: 5_000,
  /** Time for an attempt as a whole. */
  attempt_ms: 15_000,
  /** Bytes of an answer that are read, and that the log of deliveries keeps. */
  answer_bytes_max: 16_384,
  answer_kept_bytes: 1_024,
  /** Attempts at the same time; of one webhook there is one. */
  in_flight_max: 256,
  deliveries_retention_ms: 2_592_000_000,
  /** Events of the engine that one page of events is looked for in. */
  scanned_max: 5_000,
  /** Difference between clocks that a receiver accepts, in seconds. */
  tolerance_s: 300,
} as const

/** Returns the bucket of a key whose account has the tier. */
export function keyBucket({ rate, burst }: RateClass, tier: RateTierName): RateClass {
  const times = RATE_TIERS[tier]
  return { rate: rate * times, burst: burst * times }
}

/** Returns the bucket that all keys of an account share, from the bucket of one key. */
export function accountBucket({ rate, burst }: RateClass): RateClass {
  return { rate: rate * ACCOUNT_BUCKETS, burst: burst * ACCOUNT_BUCKETS }
}

/** Limits of signed requests. */
export const SIGNED_REQUESTS = {
  timestamp_behind_ms: 30_000,
  timestamp_ahead_ms: 5_000,
  /** Least time that the store of all processes keeps a nonce; far longer than its timestamp is accepted. */
  nonce_retention_ms: 300_000,
  idempotency_retention_ms: 86_400_000,
  client_order_id_retention_ms: 604_800_000,
  batch_orders_max: 50,
  /** Most orders of a ladder, which one mass quote replaces. */
  mass_quote_orders_max: 100,
  key_overlap_max_s: 600,
  cancel_after_ms: { min: 5_000, max: 300_000 },
} as const

/** Limits of connections, streams included, of one process. */
export const CONNECTIONS = {
  /** Most connections; fewer where the process may not open as many files. */
  max: 20_000,
  /** Most connections of one address, unless it is a trusted proxy. */
  per_address_max: 4_000,
  /** Files that the process keeps for everything but connections. */
  files_reserved: 512,
  /** Time for the headers of a request, and for all of it. */
  headers_ms: 10_000,
  request_ms: 30_000,
  /** Time without a byte in either direction, such as a client that does not read its answer. */
  stalled_ms: 30_000,
  /** Time between two requests. */
  idle_ms: 72_000,
} as const

/** Limits of reads of history in one process; `waiting`: queries that wait for a process that runs them. */
export const HISTORY_READS = { time_ms: 5000, waiting_max: 256, waiting_of_caller_max: 48 } as const

/** Limits of private reads in one process; together they leave database connections to writes. */
export const ACCOUNT_READS = {
  at_once_max: 6,
  of_account_at_once_max: 2,
  waiting_max: 512,
  waiting_of_account_max: 64,
  /** Longest wait for a turn. */
  wait_ms: 5000,
} as const

/** Bytes of answers that were handed to connections and are not sent yet. */
export const UNSENT_BYTES = {
  /** Bytes of one address from which its further requests are refused, unless it is a trusted proxy. */
  per_address_max: 16 * 1024 * 1024,
  /** Bytes of the process beyond which the connections with the oldest unsent answers are closed. */
  max: 128 * 1024 * 1024,
} as const

/** Limits of histories that are answered as CSV or Parquet. Each page costs what as many rows of JSON cost. */
export const EXPORTS = {
  page_rows: 2000,
  /** Tables that one process writes at the same time, for all callers and for one. */
  at_once_max: 8,
  of_caller_max: 2,
} as const

/**
 * Limits of complaints. Anybody may file one, so an address has a token bucket: a complaint costs `cost` tokens. Those that no
 * moderator has read yet are files of the home.
 */
export const COMPLAINTS = {
  rate: 1,
  burst: 3000,
  cost: 600,
  text_length_max: COMPLAINT_TEXT_MAX,
  waiting_max: 1000,
} as const

/** Most levels of one late restatement. */
export const RESTATEMENTS = { ticks_max: RESTATED_TICKS_MAX } as const

/** Limits of the feeds of notices and of the calendar. */
export const FEEDS = { notices_max: 100, entries_max: 1000, calendar_days_max: CALENDAR_DAYS_MAX } as const

/** Log lines of refused orders of one process, as a token bucket; further ones are of level debug. */
export const LOGGED_REFUSALS = { rate: 20, burst: 200 } as const

/** Limits of previews of orders. */
export const ORDER_PREVIEW = {
  /** Most own orders in the way that a preview lists. */
  own_orders_listed_max: 100,
} as const

/** Limits of previews as of a past instant: each walks the public record of a market from there on. */
export const WOULD_FILL = {
  /** Time after as_of that is walked, unless the request says otherwise. */
  range_ms_default: 86_400_000,
  range_ms_max: 604_800_000,
  /** Most public events of the market that one walk reads. */
  events_max: 100_000,
  /** Most fills that a bound lists. */
  fills_listed_max: 1000,
  /** Price levels of each side of the past book that an answer shows. */
  book_depth: 20,
  /** Walks that one process runs at the same time, for all accounts and for one. */
  at_once_max: 4,
  of_account_max: 1,
} as const

/** Age in milliseconds from which a current value is stale; for an index it is 2 x calculation_frequency + grace. */
export const MARKET_PRICE_MAX_AGE_MS = 60_000
export const SEVERITY_VALUE_MAX_AGE_MS = 86_400_000

/** Limits of private streams. */
export const PRIVATE_STREAM = {
  resume_retention_ms: 86_400_000,
  /** Connections of all keys of one account, per server. */
  connections_max: 50,
  /** Subscriptions of one key, as a token bucket: each reads the current state. */
  subscribes: { rate: 20, burst: 40 },
  /** Rejected `auth` messages after which a connection is closed. */
  refused_auths_max: 5,
  /** Most resources in a snapshot. */
  snapshot_max: 1000,
  snapshot_fills_max: 100,
} as const

/** Limits of public streams. */
export const STREAM = {
  heartbeat_ms: 15_000,
  first_message_ms: 10_000,
  resume_retention_ms: 600_000,
  subscriptions_max: 500,
  message_bytes_max: 16 * 1024,
  /** Longest message with a request, of an authenticated connection: a body and the escapes of its text. */
  request_bytes_max: 512 * 1024,
  /** Requests of one connection that are not answered yet. */
  requests_in_flight_max: 256,
  buffered_bytes_max: 4 * 1024 * 1024,
  connections_max: 10_000,
  /** Connections of one address that have not authenticated, and subscriptions of all of its connections. */
  connections_per_address_max: 100,
  /** Those of them that may subscribe without auth; the others authenticate, or end after first_message_ms. */
  anonymous_per_address_max: 80,
  /** New connections of one address, as a token bucket: one of the 20 that are about to authenticate has a second before it gives way. */
  connects: { rate: 20, burst: 400 },
  subscriptions_per_address_max: 5000,
  /** Bytes of snapshots and missed messages for one address, and for one key, as a token bucket; spent on credit. */
  snapshot_bytes: { rate: 1024 * 1024, burst: 16 * 1024 * 1024 },
  /** Messages of one client, as a token bucket. */
  messages: { rate: 100, burst: 1000 },
  /** Time without any progress after which a socket is closed. */
  stalled_ms: 30_000,
  /** Time between `closing` and the end of the connection. */
  closing_ms: 5_000,
} as const

import type { Candle } from '../../pipelines/market/candles.ts'
import type { Instant, Micros } from '../../primitives/instants.ts'
import type { TimeDomain } from '../../vocabulary/history.ts'
import type { CandleInterval } from '../../vocabulary/market.ts'
import type { Row } from '../schema.ts'
import type { TableName } from '../tables.ts'
import type { AssessmentTableName } from './followed-tables.ts'
import type { LineAsked, PayloadsAsked, QuotesAsked } from './history/asked.ts'
import type { QueryStats } from './history/query-pool.ts'

/**
 * Reads of a serving process: the catalogue and the newest records from memory, kept fresh by the tails of the table logs, and
 * history from DuckDB off the event loop. It computes nothing that is published and writes nothing.
 *
 * Until a table is loaded, reads of it fail with SERVICE_UNAVAILABLE: an empty answer would be wrong.
 *
 * `as_of` null is now: unpinned, from memory. An instant is an inclusive bound of published_at; within `asOf` of this instant the
 * answer never changes.
 */
export type Reader = {
  readonly status: () => ReaderStatus
  /** Queue of the reads of history, for metrics. */
  readonly historyReads: () => QueryStats
  /** Reads the warehouse's clock. */
  now(): Promise<Micros>
  /**
   * Returns the instant of memory: it holds every row published through then, and no other, so that a current answer equals the one
   * as of this instant. null: memory is of no instant, because a table is not loaded or cannot be read.
   */
  instant(): Micros | null
  /**
   * Answers as of an instant. `read` gets the reads to use; the tables that it has used are sealed once it has returned, and it is
   * called again if one of them got a row meanwhile. If it throws, nothing is sealed.
   * @throws {ServiceError} VALIDATION_AS_OF_IN_FUTURE; VALIDATION_AS_OF_UNAVAILABLE: no writer sealed it in time; those of `read`
   */
  asOf<T>(as_of: Micros, read: (reader: Reader) => T | Promise<T>): Promise<T>
  /** Stamp of the last row of a table in memory: later rows are stamped after it, so it can bound an unpinned page of history. */
  horizon(table: TableName): Micros
  /** Returns the reference records known at an instant, from memory. */
  catalog(as_of: Micros | null): Catalog
  /** Returns one index as known at any instant, also outside of `asOf`. */
  indexAsOf(index_id: string, as_of: Micros): Row | null
  /**
   * Returns the catalogue of an earlier state again, for the further pages of a list.
   * @throws {ServiceError} SERVICE_UNAVAILABLE: this process has not read all of it yet
   */
  catalogOf(state: CatalogState): Promise<Catalog>
  /** Venues whose data in this warehouse is invented. */
  simulatedVenues(): ReadonlySet<string>
  readonly latest: Latest
  readonly history: History
  readonly operations: Operations
  readonly assessments: Assessments
  readonly feed: Feed
  /** Returns this reader for the requests of one caller: queries of callers take turns. */
  forCaller(caller: string): Reader
  close(): Promise<void>
}

/** `stale`: the warehouse could not be read since `stale_since`; answers are older than that. */
export type ReaderStatus = {
  readonly phase: 'starting' | 'ready' | 'stale' | 'closed'
  readonly stale_since: Instant | null
  /** The failure in one sentence; it names a damaged file. */
  readonly reason: string | null
  /** Tables that were never read: requests that need them fail. */
  readonly unread: readonly TableName[]
  /** Log version in memory, by table. */
  readonly versions: Readonly<Partial<Record<TableName, number>>>
}

/** State of a catalogue: the instant that judges effective intervals, and the stamp of the last row of each of its tables. */
export type CatalogState = { readonly at: Micros; readonly known: readonly Micros[] }

/** known(T) and current(T) of the reference tables (methodology §14). Rows have the columns of the public views. */
export type Catalog = {
  readonly state: CatalogState
  /** Sorted by index_id, with the status and active_version_id at as_of. */
  indexes(): readonly Row[]
  index(index_id: string): Row | null
  /** Sorted by (effective_from, index_version_id), with the effective_to at as_of and `link` (row of index_link or null). */
  versions(index_id: string): readonly Row[]
  version(index_version_id: string): Row | null
  methodology(methodology_id: string, version: string): Row | null
  /** Every version of every index methodology, unordered. */
  methodologies(): readonly Row[]
  events(): readonly Row[]
  event(event_id: string): Row | null
  /** Rows of `market` with the event's `category`, `eligibility` and `metrics` (rows or null). */
  markets(): readonly Row[]
  market(market_id: string): Row | null
  /** The current resolution, with confirmed_at and final_at: newest (source_at, received_at) of its market's chains that are not withdrawn. */
  resolution(market_id: string): Row | null
  /** Every known revision of every chain of the market, unordered: series of one venue may resolve separately. */
  resolutions(market_id: string): readonly Row[]
  /** Every known revision of every resolution, unordered. */
  allResolutions(): readonly Row[]
  /** Every statement about the market's resolution in the order of publication, withdrawn ones too, with confirmed_at and final_at. */
  resolutionHistory(market_id: string): readonly Row[]
  /** Every version of the methodologies of ratings or of severity, unordered. */
  assessmentMethodologies(subject: AssessmentTableName): readonly Row[]
  /** Methodology of ratings or of severity. */
  assessmentMethodology(subject: AssessmentTableName, methodology_id: string, version: string): Row | null
  /** Sorted by severity_index_id, with the `active_version_id` and `active_version` at as_of. */
  severityIndexes(): readonly Row[]
  severityIndex(severity_index_id: string): Row | null
  /** With the effective_to at as_of. @param version its name, or its id */
  severityIndexVersion(severity_index_id: string, version: string): Row | null
  /** Every roster that was put in force, unordered. */
  rosters(): readonly Row[]
  /** Every policy that was put in force, unordered. */
  policies(): readonly Row[]
  /** Newest revision of every proposal, unordered. */
  proposals(): readonly Row[]
  /** Newest revision of one proposal, with `history`: every revision, first to last. */
  proposal(proposal_id: string): Row | null
  /** Recorded acts of governance, unordered. */
  governanceActs(): readonly Row[]
  /** Every notice, unordered. */
  notices(): readonly Row[]
  notice(notice_id: string): Row | null
  /** Newest revision of every complaint that is public, unordered. */
  complaints(): readonly Row[]
  /** Newest revision of one complaint, with `history`: every revision, first to last. */
  complaint(complaint_id: string): Row | null
  /** Every late restatement, unordered. */
  restatements(): readonly Row[]
  restatement(proposal_id: string): Row | null
  /** Every revision of every market as stored, unordered. */
  marketRevisions(): readonly Row[]
  /** Every version of every eligibility policy, unordered; the built-in one has no row. */
  eligibilityPolicies(): readonly Row[]
  /** Decision of a version of a policy about a market; null: it was not evaluated. */
  eligibilityDecision(market_id: string, policy_id: string, policy_version: number): Row | null
  /** Announced compositions of an index, sorted by effective_from. */
  proFormas(index_id: string): readonly Row[]
}

/** A row with its seq in its table: log version x 2^20 + row ordinal, equal in every process. */
export type Placed = { readonly row: Row; readonly seq: number }

/** Newest current rows, from memory. */
export type Latest = {
  /** The level of the greatest tick_at, not the last published one. */
  observation(index_id: string): Placed | null
  /** Current quote of the greatest (source_at, received_at) for each (outcome, source series) of a market. */
  quotes(market_id: string): readonly Placed[]
  /** Newest valid trade of each outcome of a market, of every source series. */
  lastTrades(market_id: string): readonly Row[]
  /** Current mark of the greatest tick_at for each (outcome, source series) of a market. */
  marks(market_id: string): readonly Placed[]
  /** The current book of the greatest (source_at, received_at). */
  book(market_id: string, outcome_id: string): Placed | null
  /** The current value of the greatest source_cutoff_at. */
  severityValue(severity_index_id: string): Placed | null
}

/** Bounds and order of a page of history. `after`: the sort key of the previous page's last record. */
export type HistoryPage = {
  readonly time_domain: TimeDomain
  readonly start: Micros | null
  readonly end: Micros | null
  readonly after: HistoryKey | null
  readonly limit: number
  readonly quality_state: string | null
  /** true: every revision; false: current(as_of), one record a chain. */
  readonly include_corrections: boolean
  readonly as_of: Micros
}
/**
 * Sort key of a record: the instant of the page's time domain, the place of its commit, and its id; records without the instant are
 * sorted last. Without `place`, the key of a cursor issued before records of one instant were listed in the order of their commit: the
 * rest of its list is sorted by (instant, id).
 */
export type HistoryKey = {
  readonly instant: Micros | null
  readonly id: string
  readonly place?: { readonly published_at: Micros; readonly row_ordinal: number }
}

export type SampledRange = { readonly from: Micros; readonly to: Micros; readonly interval: CandleInterval }

/** Bound of what candles are made of, and the instant of the answer: a bucket that ends after it is not final. */
export type CandleInstants = { readonly as_of: Micros; readonly at: Micros }

/**
 * Reads of any past instant, in DuckDB outside the event loop, each bounded in time and memory.
 * @throws {ServiceError} QUERY_TIMEOUT; VALIDATION_QUERY_LIMIT; WAREHOUSE_CORRUPT names a damaged file; SERVICE_UNAVAILABLE: too many queued
 */
/** Request for observations of a market. `trades`: whether its trades may be shown; `quoted_trades`: also those that quotes repeat. */
export type MarketHistoryRequest = {
  readonly market_id: string
  readonly outcome_id: string | null
  readonly field: string | null
  readonly trades: boolean
  readonly quoted_trades?: boolean
}

export type History = {
  /** Rows of the view index_observation, without `inputs`. */
  observations(index_id: string, page: HistoryPage): Promise<readonly Row[]>
  /** Last priced current observation of each bucket. */
  sampledObservations(index_id: string, range: SampledRange, page: HistoryPage): Promise<readonly Row[]>
  /** One observation with its inputs, and the ids of all revisions of its tick known at as_of. */
  observation(observation_id: string, as_of: Micros): Promise<{ row: Row; chain: readonly string[] } | null>
  /** The same observations with their inputs, in the same order. @param rows of `observations` */
  wholeObservations(index_id: string, rows: readonly Row[], as_of: Micros): Promise<readonly Row[]>
  /** Levels with their inputs that were current at as_of at some ticks; a tick without one has no row. */
  observationsAtTicks(index_id: string, ticks: readonly Micros[], as_of: Micros): Promise<readonly Row[]>
  /** Quotes by their ids, each once, in no order; one that is not found has no row. */
  quotesById(asked: QuotesAsked): Promise<readonly Row[]>
  latestObservation(index_id: string, as_of: Micros): Promise<Row | null>
  /** Stored quote or trade of a venue, by its id or that of a value in it; null: it was not known. */
  received(observation_id: string, as_of: Micros): Promise<Row | null>
  /** Payloads as they were received, by (endpoint, request, content_hash), without what only later reads may need. */
  payloads(asked: PayloadsAsked): Promise<readonly Row[]>
  /** The same of several indexes, in no order; an index without a level has no row. */
  latestObservations(index_ids: readonly string[], as_of: Micros): Promise<readonly Row[]>
  /** Last priced level of each bucket of several indexes, as `index_id`, `source_cutoff_at` and `level`, in no order. */
  levelLines(asked: readonly LineAsked[], interval: CandleInterval, as_of: Micros): Promise<readonly Row[]>
  indexCandles(index_id: string, range: SampledRange, instants: CandleInstants): Promise<readonly Candle[]>
  /**
   * Rows of the view market_observation, of trades (`field` last_trade; with `trades`), and of marks and midpoints (`field` mark,
   * midpoint), in one form. A trade is shown once, in its newest revision, and not at all once it is voided.
   */
  marketObservations(request: MarketHistoryRequest, page: HistoryPage): Promise<readonly Row[]>
  sampledMarketObservations(
    request: MarketHistoryRequest,
    range: SampledRange,
    page: HistoryPage,
  ): Promise<readonly Row[]>
  /** `quote`: the stored quote that contains the value; null for a trade, mark or midpoint. */
  marketObservation(
    observation_id: string,
    as_of: Micros,
  ): Promise<{ row: Row; quote: Row | null; chain: readonly string[] } | null>
  marketCandles(
    request: { market_id: string; outcome_id: string; field: string; trades: boolean },
    range: SampledRange,
    instants: CandleInstants,
  ): Promise<readonly Candle[]>
  /** One revision of a public trade, and the ids of all revisions of the trade known at as_of. */
  trade(trade_id: string, as_of: Micros): Promise<{ row: Row; chain: readonly string[] } | null>
  /** Same as Latest.quotes, Latest.lastTrades and Latest.marks, as of an instant. */
  quotes(market_id: string, as_of: Micros): Promise<readonly Row[]>
  lastTrades(market_id: string, as_of: Micros): Promise<readonly Row[]>
  marks(market_id: string, as_of: Micros): Promise<readonly Row[]>
  book(market_id: string, outcome_id: string, as_of: Micros): Promise<Placed | null>
  /** The book of the greatest (source_at, received_at) up to `source_to` known at as_of: the one that stood at an earlier tick. */
  bookAt(
    market_id: string,
    outcome_id: string,
    at: { readonly source_to: Micros; readonly as_of: Micros },
  ): Promise<Row | null>
  /**
   * Trades and their corrections, which are records of their own, in the order of their commit. A trade that several feeds
   * report is one, with the ids of all reports in `source_trade_ids`.
   */
  trades(
    request: { market_id: string; outcome_id: string | null; start: Micros | null; end: Micros | null },
    page: { after: HistoryKey | null; limit: number; as_of: Micros },
  ): Promise<readonly Row[]>
  /** Rows of the view severity_index_value. */
  severityValues(severity_index_id: string, page: HistoryPage): Promise<readonly Row[]>
  severityValue(severity_index_id: string, as_of: Micros): Promise<Row | null>
  /** One value by its id, and the ids of all revisions of its cutoff known at as_of. */
  severityValueById(value_id: string, as_of: Micros): Promise<{ row: Row; chain: readonly string[] } | null>
  /** Refused acts of governance, by (published_at, refusal_id). */
  refusals(page: RefusalPage): Promise<readonly Row[]>
  /** One refused act, of governance or of review. */
  refusal(refusal_id: string, as_of: Micros): Promise<Row | null>
}

/** Page of refused acts. `after`: the sort key of the previous page's last one. */
export type RefusalPage = {
  readonly after: { readonly published_at: Micros; readonly id: string } | null
  readonly limit: number
  readonly as_of: Micros
  /** Proposal or change that they are about; null: any. */
  readonly record_id: string | null
}

/** Subject of a committee's records: a market, or an event and a type. */
export type AssessmentSeries =
  | { readonly table: 'market_rating'; readonly key: { readonly market_id: string } }
  | {
      readonly table: 'severity_assessment'
      readonly key: { readonly event_id: string; readonly assessment_type: string }
    }

/** Restricts which records of a series count; null: no restriction. */
export type AssessmentFilter = { readonly kind: string | null; readonly methodology_id: string | null }

/** Knowledge of one series at an instant. */
export type AssessmentAnswer = {
  /** Record in force; null: none. */
  readonly placed: Placed | null
  /** A record that would be in effect awaits review. */
  readonly waits: boolean
  /** Publication of the series' last record, whatever its state; null: none was published. */
  readonly last_published_at: Micros | null
}

/** Filter of a history of records; null: all. An empty key is every subject. `start` and `end` bound effective_from, half-open. */
export type AssessmentRecords = {
  readonly table: AssessmentTableName
  readonly key: Readonly<Record<string, string>>
  readonly review_states: readonly string[]
  /** Band or level. */
  readonly grade: string | null
  readonly methodology_id: string | null
  readonly start: Micros | null
  readonly end: Micros | null
  /** Exclusive. */
  readonly published_after: Micros | null
  /** Half-open range of effective_to; absent: no restriction. */
  readonly ending?: { readonly from: Micros; readonly to: Micros }
  /** true: every revision; false: the newest of each record. */
  readonly include_corrections: boolean
}
/** effective_from, published_at and id of the previous page's last record. */
export type AssessmentKey = readonly [effective_from: Micros, published_at: Micros, id: string]

/** Reads of a committee's records. Rows from memory have no `measured` in their evidence. */
export type Assessments = {
  /** Record in force now, from memory; null: memory does not hold it, use `inForce`. */
  current(series: AssessmentSeries, asked: AssessmentFilter): AssessmentAnswer | null
  /** Record in force now for every subject of a table that has any record. */
  allCurrent(table: AssessmentTableName): readonly (AssessmentAnswer & { readonly key: Row })[]
  /** Record in force as of an instant; from memory if nothing was published of the series since, unless whole rows are wanted. */
  inForce(
    series: AssessmentSeries,
    asked: AssessmentFilter & { readonly whole: boolean },
    as_of: Micros,
  ): Promise<Pick<AssessmentAnswer, 'waits'> & { readonly row: Row | null }>
  /** Sorted by (effective_from, published_at, id). */
  records(
    asked: AssessmentRecords,
    page: { readonly after: AssessmentKey | null; readonly limit: number; readonly as_of: Micros },
  ): Promise<readonly Row[]>
  /** One record by its id, with its evidence as measured, and the ids of all revisions of its chain known at as_of. */
  record(
    table: AssessmentTableName,
    id: string,
    as_of: Micros,
  ): Promise<{ readonly row: Row; readonly chain: readonly string[] } | null>
  /** True if an assessment of any type was published for the event. */
  isAssessed(event_id: string, as_of: Micros | null): boolean
}

/** Health of the service as its workers reported it. `as_of` null: now, from memory. */
export type Operations = {
  /** Last health report of each venue's ingest, sorted by venue_id. */
  ingest(as_of: Micros | null): Promise<readonly Row[]>
  /** Newest act of a person on each schedule, sorted by schedule_id. */
  scheduleActs(as_of: Micros | null): Promise<readonly Row[]>
  /** Newest progress of each backfill, latest first; at most `limit`. */
  backfills(as_of: Micros | null, limit: number): Promise<readonly Row[]>
}

/** One commit with rows, in the order of its table's log. */
export type FeedCommit = {
  readonly table: TableName
  readonly version: number
  /** Epoch of the table's seqs; it never changes. */
  readonly epoch: string
  readonly rows: readonly FeedRow[]
}

/**
 * A committed row. `previous` is the row that was the newest of its key before (null: none): the latest level of an index, the
 * latest book of an outcome. `prev_seq` is the seq of the last row of the same key before this one; 0 for none.
 */
export type FeedRow = Placed & { readonly prev_seq: number; readonly previous: Placed | null }

/** Commits in log order, published once memory has them: a snapshot is never older than an event before it. */
export type Feed = {
  subscribe(listener: (commit: FeedCommit) => void): () => void
  /** Commits of the last ten minutes, oldest first; used to resume streams. */
  recent(table: TableName): readonly FeedCommit[]
  epoch(table: TableName): string
  /** Seq of the last row in memory. */
  head(table: TableName): number
  /** Seq of the last row with these values of the columns that define `prev_seq`; 0: none. null: these are other columns. */
  last(table: TableName, values: Readonly<Record<string, string>>): number | null
  /** Notifies when the warehouse can no longer be followed, and when it can again. */
  onStatus(listener: (status: ReaderStatus) => void): () => void
}

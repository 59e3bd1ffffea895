import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { invariant } from '../../primitives/errors.ts'
import type { Micros } from '../../primitives/instants.ts'
import { RecentMap } from '../../primitives/recent-map.ts'
import { wallClock } from '../../primitives/wall-clock.ts'
import { readSimulatedVenues } from '../simulated-venues.ts'
import { openStore } from '../store/open-store.ts'
import { resolveRoot } from '../store/root.ts'
import type { Store } from '../store/store.ts'
import type { TableName } from '../tables.ts'
import type { OpenOptions, Warehouse } from '../warehouse.ts'
import { answerAsOf } from './answer-as-of.ts'
import { indexAsOf } from './catalog.ts'
import { createCatalogs } from './catalogs.ts'
import { CommitVersions } from './commit-versions.ts'
import { createAssessments } from './create-assessments.ts'
import { createFeed } from './create-feed.ts'
import { createOperations } from './create-operations.ts'
import { followWarehouse } from './follow-warehouse.ts'
import { FOLLOWED_TABLES, type FollowedTableName, isReference } from './followed-tables.ts'
import { createHistory } from './history/create-history.ts'
import { type HistorySource, historySource } from './history/history-source.ts'
import { QUERY_LIMITS, type QueryLimits } from './history/query-limits.ts'
import { openQueryPool, type Queries } from './history/query-pool.ts'
import { learnAhead } from './history/revised-keys.ts'
import { openIntakeEngine } from './intake-engine.ts'
import type { CatalogState, Latest, Placed, Reader, ReaderStatus } from './reader.ts'
import { ReaderHealth } from './reader-health.ts'
import { RECENT_LIMITS, type RecentLimits } from './recent-commits.ts'
import { Rounds } from './rounds.ts'
import { snapshots } from './snapshots.ts'
import { type Memories, type MemoryOf, newestOf, TableMemory, tradesOf } from './table-memory.ts'
import type { UsedTables } from './used-tables.ts'
import { fileVerifier } from './verified-paths.ts'

export type ReaderOptions = {
  readonly root: string
  /** Pause between the rounds in which memory follows the tables, in milliseconds; default 200, for an object store 1,000. */
  readonly interval_ms?: number
  readonly limits?: QueryLimits
  readonly recent?: RecentLimits
  /** For tests only. */
  readonly ports?: OpenOptions['ports']
}

const INTERVAL_MS = 200
/** Interval for an object store, each read of which costs money. */
const REMOTE_INTERVAL_MS = 1000
/** A reader whose query processes do not start serves what it has in memory. */
const POOL_WAIT_MS = 20_000
/** Callers whose reads are kept: making them takes as long as all else that a latest level needs (bench/latest.bench.ts). */
const CALLERS_KEPT = 256

/**
 * Opens a reader of the warehouse at a root. Resolves once every table was loaded or failed to load. Without a warehouse it
 * resolves at once, in the phase `starting`, and waits for one.
 */
export async function openReader(options: ReaderOptions): Promise<Reader> {
  const root = resolveRoot(options.root)
  const limits = options.recent ?? RECENT_LIMITS
  const ending = new AbortController()
  setMaxListeners(0, ending.signal) // every table waits on it
  const memories = new Map(FOLLOWED_TABLES.map((table) => [table, new TableMemory(table, limits)]))
  /** Cached, because every answer reads it; cleared by every change. */
  let known_status: ReaderStatus | null = null
  const status = (): ReaderStatus => {
    known_status ??= { ...health.current(), unread: unreadTables(memories), versions: versionsOf(memories) }
    return known_status
  }
  const feed = createFeed(memories)
  const health = new ReaderHealth(root, () => {
    known_status = null
    feed.publishStatus(status())
  })
  const engine = await openIntakeEngine()
  const query_limits = options.limits ?? QUERY_LIMITS
  const pool = openQueryPool(query_limits)
  const store = await openStore(root)
  const verify = fileVerifier(store)
  const catalogs = createCatalogs(memories)
  let warehouse: Warehouse | null = null
  let simulated: ReadonlySet<string> = new Set()
  const rounds = roundsOf(store, options.interval_ms ?? intervalOf(store), health, ending.signal)
  const turning = rounds.run()
  const reading = () => warehouse
  const now = async (): Promise<Micros> => (warehouse === null ? store.now() : warehouse.now())
  const started = followWarehouse({
    open: { root, ...(options.ports === undefined ? {} : { ports: options.ports }) },
    ...{ engine, store, verify, limits, rounds, signal: ending.signal },
    onOpened: async (opened) => {
      simulated = await readSimulatedVenues(root).catch(async (error: unknown) => {
        await opened.close()
        throw error
      })
      warehouse = opened
    },
    onLoaded: (table, memory) => {
      memories.set(table, memory)
      known_status = null
      catalogs.changed()
    },
    onCommit: (table, commit) => {
      if (isReference(table) || table === 'market_metric') catalogs.changed()
      known_status = null
      feed.publishCommit(commit)
    },
    onHealth: (part, failure) => {
      health.update(part, failure, wallClock())
      known_status = null
    },
  })
  const snapshot = snapshots(reading)
  const sourceOf = (queries: Queries) => historySource(snapshot, verify, queries, query_limits.small_file_rows)
  const source = sourceOf(pool)
  const book_versions = new CommitVersions('order_book', async (version) => {
    return (await warehouse?.log('order_book').commit(version)) ?? null
  })
  const recordsOf = (memory: MemoryOf, of_source: HistorySource) => recordReads(memory, of_source, book_versions)
  /** Everything that queries of a source answer. */
  const readsOf = (of_source: HistorySource) => ({
    asOf: <T>(as_of: Micros, read: (used: Reader) => T | Promise<T>) => {
      const readerOf = (at: Micros, used: UsedTables) => pastReader(at, used, of_source)
      return answerAsOf({ memories, warehouse: reading, readerOf, hurry: () => rounds.hurry() }, as_of, read)
    },
    catalogOf: (state: CatalogState) => catalogs.ofState(state, of_source),
    ...recordsOf(memories, of_source),
  })
  await Promise.all([untilTried(health), Promise.race([pool.ready(), sleep(POOL_WAIT_MS, undefined, { ref: false })])])
  void learnAhead(source, query_limits.small_file_rows, ending.signal)
  const callers = new RecentMap<string, Reader>(CALLERS_KEPT)
  const reader: Reader = {
    status,
    historyReads: () => pool.stats(),
    now,
    instant: () => (rounds.instant === 0 || status().phase !== 'ready' ? null : rounds.instant),
    ...readsOf(source),
    forCaller(caller) {
      const known = callers.get(caller)
      if (known !== undefined) return known
      const theirs = { ...reader, ...readsOf(sourceOf(pool.of(caller))) }
      callers.set(caller, theirs)
      return theirs
    },
    horizon: (table: TableName) => memories.get(table as FollowedTableName)?.horizon ?? 0,
    catalog(as_of) {
      invariant(as_of === null, 'the catalogue of a past instant is read within asOf')
      return catalogs.now()
    },
    indexAsOf: (index_id, as_of) => indexAsOf(memories, index_id, as_of),
    simulatedVenues: () => simulated,
    feed,
    async close() {
      ending.abort()
      pool.close()
      await Promise.all([started, turning])
      await warehouse?.close()
      engine.close()
      health.close()
    },
  }
  const pastReader = async (as_of: Micros, used: UsedTables, of_source: HistorySource): Promise<Reader> => {
    const catalog = used.notingCatalog(await catalogs.asOf(as_of, of_source))
    return {
      ...reader,
      catalog: (at) => (at === as_of ? catalog : reader.catalog(at)),
      catalogOf: async (state) => used.notingCatalog(await catalogs.ofState(state, of_source)),
      ...recordsOf(used.noting(), used.notingSource(of_source)),
    }
  }
  return reader
}

/** Creates the reads of records; the tables that they use are those that they ask `memory` and `source` for. */
function recordReads(
  memory: MemoryOf,
  source: HistorySource,
  bookVersions: CommitVersions,
): Pick<Reader, 'latest' | 'history' | 'operations' | 'assessments'> {
  return {
    latest: createLatest(memory),
    history: createHistory({
      source,
      newest: (table) => newestOf(memory, table),
      lastTrades: (market_id) => tradesOf(memory).ofMarket(market_id),
      bookVersions,
    }),
    operations: createOperations(memory, source),
    assessments: createAssessments(memory, source),
  }
}

function unreadTables(memories: Memories): ReaderStatus['unread'] {
  return [...memories].flatMap(([table, { loaded }]) => (loaded ? [] : [table]))
}

function roundsOf(store: Store, interval_ms: number, health: ReaderHealth, signal: AbortSignal): Rounds {
  const onFailure = (error: unknown) => health.update('warehouse', error, wallClock())
  return new Rounds({ store, interval_ms, tables: FOLLOWED_TABLES.length, signal, onFailure })
}

function intervalOf({ remote }: Store): number {
  return remote === undefined ? INTERVAL_MS : REMOTE_INTERVAL_MS
}

function versionsOf(memories: Memories): ReaderStatus['versions'] {
  return Object.fromEntries(
    [...memories].flatMap(([table, { version }]) => (version < 0 ? [] : [[table, version] as const])),
  )
}

/** Waits until every table was tried, or there is no warehouse to try. */
async function untilTried(health: ReaderHealth): Promise<void> {
  while (!health.hasTried() && health.current().reason === null) await sleep(5)
}

/** Creates the reads of the newest current rows in memory. */
function createLatest(memories: MemoryOf): Latest {
  const placed = (found: Placed | null): Placed | null => (found === null ? null : { row: found.row, seq: found.seq })
  const group = (table: 'market_quote' | 'market_mark', market_id: string) =>
    newestOf(memories, table)
      .group(market_id)
      .map(({ row, seq }) => ({ row, seq }))
  return {
    observation: (index_id) => placed(newestOf(memories, 'index_observation').get({ index_id })),
    quotes: (market_id) => group('market_quote', market_id),
    lastTrades: (market_id) =>
      tradesOf(memories)
        .ofMarket(market_id)
        .flatMap(({ trade }) => (trade === null ? [] : [trade])),
    marks: (market_id) => group('market_mark', market_id),
    book: (market_id, outcome_id) => placed(newestOf(memories, 'order_book').get({ market_id, outcome_id })),
    severityValue: (severity_index_id) => placed(newestOf(memories, 'severity_index_value').get({ severity_index_id })),
  }
}

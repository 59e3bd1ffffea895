import type { QueryStats } from '../../warehouse/reader/history/query-pool.ts'
import type { ReaderStatus } from '../../warehouse/reader/reader.ts'
import { createMetricSet, type MetricSet } from '../admin/metric-set.ts'
import type { ReadTurnStats } from '../private/read-turns.ts'
import type { ConnectionCounts } from './connection-limit.ts'
import type { AnswerObserver } from './exchange.ts'
import type { UnsentStats } from './unsent-bytes.ts'

/** Upper bounds in seconds: a read of memory takes a tenth of a millisecond, a page of history tens of them. */
const BUCKETS_S = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Gauges of the stream, read on request. */
type StreamGauges = {
  readonly connections: number
  readonly subscriptions: number
  readonly buffered_bytes: number
  readonly failures: number
  readonly refused: Readonly<Record<string, number>>
  readonly ended: Readonly<Record<string, number>>
  readonly dropped: number
}

export type MetricsPorts = {
  /** Number of indexes whose publication cannot continue; absent: not counted. */
  readonly stuck_indexes?: (() => number) | undefined
  readonly status: () => ReaderStatus
  readonly now_ms: () => number
  /** Submissions that the engine refused because they failed alone; null: no engine is configured. */
  readonly poisoned_submissions: (() => number) | null
  /** null: this process serves no streams. */
  readonly stream: (() => StreamGauges) | null
  /** Absent: this process reads no history. */
  readonly history_reads?: (() => QueryStats) | undefined
  /** Open connections and those that were closed because of a limit; absent: not counted. */
  readonly connections?: (() => ConnectionCounts) | undefined
  /** Unsent answers; absent: not counted. */
  readonly unsent?: (() => UnsentStats) | undefined
  /** Private reads; absent: not counted. */
  readonly account_reads?: (() => ReadTurnStats) | undefined
}

/** Metrics of one process: its responses, reader, streams and memory. */
export type Metrics = MetricSet & {
  readonly observe: AnswerObserver
}

/** Creates the metrics of a server; `observe` is its option of the same name. */
export function createMetrics(ports: MetricsPorts): Metrics {
  const set = createMetricSet()
  const answers = set.counter('tidemark_http_answers_total', 'Answers by operation and status.', [
    'operation',
    'status',
  ])
  const seconds = set.histogram(
    'tidemark_http_answer_seconds',
    'Seconds from the request to its answer, by operation.',
    BUCKETS_S,
    ['operation'],
  )
  gaugesOfReader(ports, set)
  const { stuck_indexes, poisoned_submissions, stream, history_reads, connections, unsent, account_reads } = ports
  if (stuck_indexes !== undefined)
    set.gauge('tidemark_publication_stuck_indexes', 'Indexes whose publication cannot continue.', stuck_indexes)
  if (poisoned_submissions !== null) gaugeOfPoisoned(set, poisoned_submissions)
  if (stream !== null) gaugesOfStream(stream, set)
  if (history_reads !== undefined) gaugesOfHistory(history_reads, set)
  if (connections !== undefined) gaugesOfConnections(connections, set)
  if (unsent !== undefined) gaugesOfUnsent(unsent, set)
  if (account_reads !== undefined) gaugesOfAccountReads(account_reads, set)
  return {
    ...set,
    observe: (operation, status, took_s) => {
      answers.inc({ operation, status })
      seconds.observe({ operation }, took_s)
    },
  }
}

/** Adds the gauge that engine and API share. */
export function gaugeOfPoisoned(set: MetricSet, poisoned_submissions: () => number): void {
  set.gauge(
    'tidemark_engine_poisoned_submissions',
    'Submissions that failed alone by a fault of the engine and were refused, since it leads.',
    poisoned_submissions,
  )
}

function gaugesOfReader({ status, now_ms }: MetricsPorts, set: MetricSet): void {
  set.gauge(
    'tidemark_reader_ready',
    '1: the reader follows its warehouse; 0: it is starting, has ended or is behind.',
    () => (status().phase === 'ready' ? 1 : 0),
  )
  set.gauge('tidemark_reader_stale_seconds', 'Seconds since the warehouse could not be followed; 0: it is.', () => {
    const { stale_since } = status()
    return stale_since === null ? 0 : Math.max(0, (now_ms() - Date.parse(stale_since)) / 1000)
  })
  set.labelled(
    'tidemark_reader_log_version',
    "Version of each table's log applied by the reader.",
    'table',
    () => status().versions,
  )
}

function gaugesOfStream(stream: () => StreamGauges, set: MetricSet): void {
  set.gauge('tidemark_stream_connections', 'Open websockets.', () => stream().connections)
  set.gauge('tidemark_stream_subscriptions', 'Subscriptions of all of them.', () => stream().subscriptions)
  set.gauge('tidemark_stream_buffered_bytes', 'Bytes that wait for slow readers.', () => stream().buffered_bytes)
  set.gauge(
    'tidemark_stream_failures',
    'Messages of public topics that could not be built since the start; each ended its subscriptions.',
    () => stream().failures,
  )
  set.totals(
    'tidemark_stream_refused_total',
    'Refused connections and messages of clients, by error code.',
    'code',
    () => stream().refused,
  )
  set.totals(
    'tidemark_stream_ended_total',
    'Connections that the server ended, by close code: 1001 it stops, 1002 and 1007 broken frames, 1008 limits and keys, 1009 message too long, 1011 fault, 1013 slow reader.',
    'close_code',
    () => stream().ended,
  )
  set.totals(
    'tidemark_stream_dropped_messages_total',
    'Messages that slow readers lost; a gap and a snapshot follow each loss.',
    'cause',
    () => ({ slow_consumer: stream().dropped }),
  )
}

function gaugesOfHistory(reads: () => QueryStats, set: MetricSet): void {
  set.gauge('tidemark_history_reads_waiting', 'Reads of history that wait for their turn.', () => reads().waiting)
  set.gauge(
    'tidemark_history_reads_waiting_of_busiest_caller',
    'Waiting reads of the caller that has the most.',
    () => reads().waiting_of_busiest_caller,
  )
  set.gauge('tidemark_history_reads_running', 'Reads of history that run.', () => reads().running)
  set.totals(
    'tidemark_history_reads_refused_total',
    'Refused reads of history: too many of one caller (`caller`) or in all (`queue`), waited too long (`wait`), took too long (`time`), or needed too much memory (`limit`).',
    'cause',
    () => reads().refused,
  )
}

function gaugesOfConnections(connections: () => ConnectionCounts, set: MetricSet): void {
  set.gauge('tidemark_http_connections', 'Open connections, streams included.', () => connections().open)
  set.totals(
    'tidemark_http_connections_refused_total',
    'Connections that were closed at once, by the limit that they exceeded.',
    'limit',
    () => connections().refused,
  )
  set.totals(
    'tidemark_http_connections_timed_out_total',
    'Connections that were closed by the limit they met: request headers or a body too late, no byte moved, or no further request.',
    'limit',
    () => connections().timed_out,
  )
}

function gaugesOfUnsent(unsent: () => UnsentStats, set: MetricSet): void {
  set.gauge('tidemark_http_unsent_bytes', 'Bytes of answers that clients have not taken yet.', () => unsent().bytes)
  set.totals(
    'tidemark_http_unsent_limited_total',
    'Unsent answers beyond a limit: refused requests of an address (`per_address_max`), closed connections (`max`).',
    'limit',
    () => unsent().limited,
  )
}

function gaugesOfAccountReads(reads: () => ReadTurnStats, set: MetricSet): void {
  set.gauge('tidemark_account_reads_waiting', 'Private reads that wait for their turn.', () => reads().waiting)
  set.gauge('tidemark_account_reads_running', 'Private reads that run.', () => reads().running)
  set.totals(
    'tidemark_account_reads_refused_total',
    'Refused private reads: too many of one account (`account`) or in all (`queue`), or waited too long (`wait`).',
    'cause',
    () => reads().refused,
  )
  set.totals(
    'tidemark_account_pages_cut_total',
    'Pages of private lists that ended early, by the limit that they met.',
    'limit',
    () => ({ page_bytes_max: reads().pages_cut }),
  )
}

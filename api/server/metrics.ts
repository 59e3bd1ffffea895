import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { ReaderStatus } from '../../warehouse/reader/reader.ts'
import type { AnswerObserver } from './exchange.ts'

/** Upper bounds in seconds: a read of memory takes a tenth of a millisecond, a page of history tens of them. */
const BUCKETS_S = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Gauges of the stream, read on request. */
type StreamGauges = {
  readonly connections: number
  readonly subscriptions: number
  readonly buffered_bytes: number
  readonly failures: number
}

export type MetricsPorts = {
  readonly status: () => ReaderStatus
  readonly now_ms: () => number
  /** Submissions that the engine refused because they failed alone; null: no engine is configured. */
  readonly poisoned_submissions: (() => number) | null
  /** null: this process serves no streams. */
  readonly stream: (() => StreamGauges) | null
}

/** Metrics of one process: its responses, reader, streams and memory. */
export type Metrics = {
  readonly observe: AnswerObserver
  readonly content_type: string
  readonly text: () => Promise<string>
}

/** Creates the metrics of a server; `observe` is its option of the same name. */
export function createMetrics(ports: MetricsPorts): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const answers = new Counter({
    name: 'tidemark_http_answers_total',
    help: 'Answers by operation and status.',
    labelNames: ['operation', 'status'],
    registers,
  })
  const seconds = new Histogram({
    name: 'tidemark_http_answer_seconds',
    help: 'Seconds from the request to its answer, by operation.',
    labelNames: ['operation'],
    buckets: BUCKETS_S,
    registers,
  })
  gaugesOfReader(ports, registers)
  const { poisoned_submissions } = ports
  if (poisoned_submissions !== null) {
    new Gauge({
      name: 'tidemark_engine_poisoned_submissions',
      help: 'Submissions that failed alone by a fault of the engine and were refused, since it leads.',
      registers,
      collect() {
        this.set(poisoned_submissions())
      },
    })
  }
  if (ports.stream !== null) gaugesOfStream(ports.stream, registers)
  return {
    observe: (operation, status, took_s) => {
      answers.inc({ operation, status })
      seconds.observe({ operation }, took_s)
    },
    content_type: registry.contentType,
    text: () => registry.metrics(),
  }
}

function gaugesOfReader({ status, now_ms }: MetricsPorts, registers: Registry[]): void {
  const gauge = (name: string, help: string, value: (status: ReaderStatus) => number): void => {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(value(status()))
      },
    })
  }
  gauge(
    'tidemark_reader_ready',
    '1: the reader follows its warehouse; 0: it is starting, has ended or is behind.',
    ({ phase }) => (phase === 'ready' ? 1 : 0),
  )
  gauge(
    'tidemark_reader_stale_seconds',
    'Seconds since the warehouse could not be followed; 0: it is.',
    ({ stale_since }) => (stale_since === null ? 0 : Math.max(0, (now_ms() - Date.parse(stale_since)) / 1000)),
  )
  new Gauge({
    name: 'tidemark_reader_log_version',
    help: "Version of each table's log applied by the reader.",
    labelNames: ['table'],
    registers,
    collect() {
      for (const [table, version] of Object.entries(status().versions)) this.set({ table }, version)
    },
  })
}

function gaugesOfStream(stream: () => StreamGauges, registers: Registry[]): void {
  const gauge = (name: string, help: string, value: (stream: StreamGauges) => number): void => {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(value(stream()))
      },
    })
  }
  gauge('tidemark_stream_connections', 'Open websockets.', ({ connections }) => connections)
  gauge('tidemark_stream_subscriptions', 'Subscriptions of all of them.', ({ subscriptions }) => subscriptions)
  gauge('tidemark_stream_buffered_bytes', 'Bytes that wait for slow readers.', ({ buffered_bytes }) => buffered_bytes)
  gauge(
    'tidemark_stream_failures',
    'Messages of public topics that could not be built since the start; each ended its subscriptions.',
    ({ failures }) => failures,
  )
}

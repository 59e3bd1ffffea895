import { isLoopback } from '../primitives/loopback.ts'
import { wallClock } from '../primitives/wall-clock.ts'
import { CONNECTIONS, HISTORY_READS } from '../protocol/limits.ts'
import { QUERY_LIMITS, type QueryLimits } from '../warehouse/reader/history/query-limits.ts'
import { openReader } from '../warehouse/reader/open-reader.ts'
import type { Reader } from '../warehouse/reader/reader.ts'
import { openLogReader } from '../warehouse/transparency/log-reader.ts'
import { listen, listenForMetrics } from './admin/listen.ts'
import type { MetricSet } from './admin/metric-set.ts'
import { feedMetrics } from './internal/feed-metrics.ts'
import { authenticatorOf } from './private/authenticator-of.ts'
import { ROUTE_HANDLERS } from './routes/handlers.ts'
import { connectionCounts, connectionLimit, fileLimit } from './server/connection-limit.ts'
import { createAdminServer } from './server/create-admin-server.ts'
import { type ApiServerOptions, createApiServer, LOAD, type Load } from './server/create-api-server.ts'
import { drainConnections } from './server/drain-connections.ts'
import { createMetrics } from './server/metrics.ts'
import { attachStream } from './stream/attach-stream.ts'
import { PrivateStream } from './stream/private/private-stream.ts'
import { streamProjections } from './stream/projections.ts'
import { streamRequests } from './stream/requests.ts'
import type { TradingFeed } from './trading-feed.ts'
import type { TradingPorts } from './trading-ports.ts'

export type ServeOptions = Pick<
  ApiServerOptions,
  | 'environment'
  | 'rate_limits'
  | 'cursor_secret'
  | 'logger'
  | 'extra'
  | 'trading'
  | 'trusted_proxies'
  | 'file_complaint'
  | 'stuck_indexes'
> & {
  /** Folder of the warehouse; it may be created later. */
  readonly warehouse_root: string
  /** Folder that has the log's; missing: the warehouse. */
  readonly log_place?: string
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  /** Port of the admin address of this process; 0: any free port. Absent: no metrics and no /internal. */
  readonly metrics_port?: number | undefined
  /** Host of the admin address; loopback when left out. */
  readonly metrics_host?: string
  /** Limits of reads of history: QUERY_LIMITS with HISTORY_READS of protocol/limits.ts. Tests take one process, which starts alone. */
  readonly query_limits?: QueryLimits
  /** Longest time in which open connections may still ask when the process ends: DRAIN_MS when left out. */
  readonly drain_ms?: number
  /** Adds metrics of the process beside those of the API. */
  readonly own_metrics?: ((set: MetricSet) => void) | undefined
}

export type ServedApi = {
  readonly base_url: string
  readonly stream_url: string
  /** null: no metrics. */
  readonly metrics_url: string | null
  /** Refuses new connections, notifies streams, answers what open connections ask, then closes. */
  close(): Promise<void>
}

/** Time in which a connection that is open when the process ends may still ask; docs/limits.md states it. */
const DRAIN_MS = 1_000

/**
 * Starts one API process: a reader of the warehouse, the HTTP server and its stream. Several may read one warehouse.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: the address is taken or may not be listened at
 */
export async function serveApi(options: ServeOptions): Promise<ServedApi> {
  const connections_max = connectionsOf(options)
  const limits = options.query_limits ?? { ...QUERY_LIMITS, ...HISTORY_READS }
  const reader = await openReader({ root: options.warehouse_root, limits })
  noteOutages(reader, options)
  const counted = options.metrics_port !== undefined
  const metrics = counted
    ? createMetrics({
        status: reader.status,
        stuck_indexes: options.stuck_indexes && (() => options.stuck_indexes!().length),
        now_ms: Date.now,
        poisoned_submissions: poisonedOf(options.trading ?? null),
        stream: () => stream.stats(),
        history_reads: reader.historyReads,
        connections: () => connectionCounts(app.server),
        unsent: () => app.getDecorator<Load>(LOAD).unsent.stats(),
        account_reads: () => app.getDecorator<Load>(LOAD).turns.stats(),
      })
    : null
  if (metrics !== null) {
    feedMetrics(metrics, () => reader)
    options.own_metrics?.(metrics)
  }
  const observe = metrics === null ? {} : { observe: metrics.observe }
  const onFailure = (error: unknown, where: string) => options.logger?.error({ error, operation: where }, 'stream')
  const feed = options.trading?.openFeed({ onFailure }) ?? null
  const own_venue = feed === null ? null : options.trading!.openOwnVenue(feed, onFailure)
  let is_closing = false
  const app = await createApiServer({
    ...options,
    connections_max,
    ...observe,
    reader,
    own_venue,
    log: openLogReader(options.log_place ?? options.warehouse_root),
    is_closing: () => is_closing,
    handlers: ROUTE_HANDLERS,
  })
  const project = streamProjections(reader)
  const { trusted_proxies = [] } = options
  const accounts = feed === null ? null : accountStreams(options.trading!, feed, options.environment, onFailure)
  const stream = attachStream({
    http_server: app.server,
    reader,
    own_venue,
    accounts,
    requests: options.trading ? streamRequests(app) : null,
    project,
    onFailure,
    trusted_proxies,
  })
  const { metrics_host = '127.0.0.1' } = options
  const admin = metrics === null ? null : createAdminServer(metrics, app, isLoopback(metrics_host))
  const close = async () => {
    is_closing = true
    // New callers and streams that end reach another process, because a connection to this one is refused.
    await Promise.all([drainConnections(app.server, options.drain_ms ?? DRAIN_MS), stream.close()])
    await app.close()
    admin?.close()
    admin?.closeAllConnections()
    await own_venue?.close()
    await feed?.close()
    await reader.close()
  }
  try {
    const { host, port, metrics_port } = options
    const place = await listen(app.server, () => app.listen({ host, port }), { name: 'port', host, port })
    const metrics_url =
      admin === null
        ? null
        : await listenForMetrics(admin, { name: 'metrics-port', host: metrics_host, port: metrics_port ?? 0 })
    return { base_url: `http://${place}`, stream_url: `ws://${place}`, metrics_url, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Writes a line when the warehouse can no longer be followed, and one when it can again. */
function noteOutages(reader: Reader, { logger }: ServeOptions): void {
  let was_stale = false
  reader.feed.onStatus(({ phase, reason }) => {
    if (phase === 'stale' && !was_stale)
      logger?.warn?.({}, `answers are stale, the warehouse cannot be followed: ${reason}`)
    if (phase === 'ready' && was_stale) logger?.warn?.({}, 'the warehouse is followed again')
    if (phase === 'stale' || phase === 'ready') was_stale = phase === 'stale'
  })
}

/** Returns the most connections of this process; a log line says so if they are fewer than usual. */
function connectionsOf({ logger }: ServeOptions): number {
  const files = fileLimit()
  const connections_max = connectionLimit(files)
  const message = `takes at most ${connections_max} connections, because it may open ${files} files (ulimit -n)`
  if (connections_max < CONNECTIONS.max) logger?.warn?.({}, message)
  return connections_max
}

function accountStreams(
  trading: TradingPorts,
  feed: TradingFeed,
  environment: string,
  onFailure: (error: unknown, where: string) => void,
): PrivateStream {
  const authenticate = authenticatorOf(trading, environment, wallClock)
  return new PrivateStream({ trading, authenticate, feed, reads: trading.stream_reads, now: Date.now, onFailure })
}

function poisonedOf(trading: ServeOptions['trading'] | null): (() => number) | null {
  return trading ? () => trading.engine.status().poisoned_submissions : null
}

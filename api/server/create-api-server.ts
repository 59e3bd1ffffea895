import { randomBytes } from 'node:crypto'
import fastify, { type FastifyInstance } from 'fastify'
import { InvariantError, ServiceError } from '../../primitives/errors.ts'
import type { Micros } from '../../primitives/instants.ts'
import { wallClock } from '../../primitives/wall-clock.ts'
import { ENDPOINTS, endpointOf, type OperationId } from '../../protocol/endpoints/endpoints.ts'
import {
  ACCOUNT_READS,
  BODY_BYTES_MAX,
  CONNECTIONS,
  RATE_CLASSES,
  UNSENT_BYTES,
  URL_BYTES_MAX,
} from '../../protocol/limits.ts'
import type { Reader, ReaderStatus } from '../../warehouse/reader/reader.ts'
import type { LogReader } from '../../warehouse/transparency/log-reader.ts'
import { answerIngest } from '../internal/answer-ingest.ts'
import { type FileComplaint, serveComplaints } from '../notices/file-complaint.ts'
import { serveFeeds } from '../notices/serve-feeds.ts'
import type { OwnVenue } from '../own-venue/own-venue.ts'
import { servePages } from '../pages/serve-pages.ts'
import { authenticatorOf } from '../private/authenticator-of.ts'
import type { PrivateContext } from '../private/private-request.ts'
import { createReadTurns, type ReadTurnLimits } from '../private/read-turns.ts'
import { servePrivate } from '../private/serve-private.ts'
import { STREAM_PATH } from '../stream/refuse-upgrade.ts'
import type { TradingPorts } from '../trading-ports.ts'
import { serveLog } from '../transparency/serve-log.ts'
import { answerConnect, answerMalformed } from './answer-malformed.ts'
import { NOT_KEPT } from './cache-control.ts'
import { createClassLimiters } from './class-limiters.ts'
import { colonPath } from './colon-path.ts'
import { limitConnectionsOfCaller } from './connection-limit.ts'
import { createCursors } from './cursors.ts'
import {
  type AnswerObserver,
  type ApiLogger,
  beginExchange,
  type ExchangeContext,
  fail,
  failCharged,
  finish,
} from './exchange.ts'
import type { RateLimits, RouteHandlers } from './handler.ts'
import { limitsInForce } from './limits-in-force.ts'
import { answerUnknown } from './not-found.ts'
import { tooLongUrl } from './raw-query-of.ts'
import { RequestRefusal, violation } from './request-refusal.ts'
import { type EndpointContext, serveEndpoint } from './serve-endpoint.ts'
import { createUnsentBytes, type UnsentLimits } from './unsent-bytes.ts'

export type ApiServerOptions = {
  readonly reader: Reader
  readonly handlers: RouteHandlers
  /** Whether the process is ending: it still answers, and is not ready for more. Missing: never. */
  readonly is_closing?: () => boolean
  /** Indexes whose publication cannot continue; missing: none is known. */
  readonly stuck_indexes?: () => readonly object[]
  /** Name of the deployment, such as sandbox; shown by /v1/capabilities. */
  readonly environment: string
  /** Overrides of RATE_CLASSES of protocol/limits.ts; 'off' admits everything and sends no SVC-RateLimit headers. */
  readonly rate_limits?: Partial<RateLimits> | 'off'
  /** Keys, engine and reads of accounts; null or absent: private routes answer 503. */
  readonly trading?: TradingPorts | null
  /** Markets listed on Tidemark, from the engine's events; null or absent: from the warehouse. */
  readonly own_venue?: OwnVenue | null
  /** Log of published records; null or absent: none is served. */
  readonly log?: LogReader | null
  /** Keeps complaints that were filed; null or absent: they are refused with 503. */
  readonly file_complaint?: FileComplaint | null
  /** The clock, in microseconds. */
  readonly now?: () => Micros
  /** 32 bytes or more that sign cursors; processes that serve one address share it. Default: random, so that cursors end with the process. */
  readonly cursor_secret?: Uint8Array
  /** Logs the causes of failures. Default: none. */
  readonly logger?: ApiLogger
  /** Called for every response; for metrics. */
  readonly observe?: AnswerObserver
  /** Addresses or ranges of reverse proxies whose X-Forwarded-For or Forwarded is trusted. Default: none. */
  readonly trusted_proxies?: readonly string[]
  /** Most concurrent connections, streams included. */
  readonly connections_max?: number
  /** Overrides of CONNECTIONS of protocol/limits.ts. */
  readonly connections?: Partial<
    Record<'per_address_max' | 'headers_ms' | 'request_ms' | 'stalled_ms' | 'idle_ms', number>
  >
  /** Overrides of UNSENT_BYTES of protocol/limits.ts. */
  readonly unsent_bytes?: Partial<UnsentLimits>
  /** Overrides of ACCOUNT_READS of protocol/limits.ts. */
  readonly account_reads?: Partial<ReadTurnLimits>
  /** Adds further routes, such as pages, with the same 404, 405 and 500 responses. */
  readonly extra?: (app: FastifyInstance) => void | Promise<void>
}

/** Interval between checks for requests that are late; docs/limits.md states it. */
const CHECK_MS = 1000

/**
 * Creates the HTTP server of the public API, not yet listening: every endpoint of ENDPOINTS, health, and an error object for
 * everything else. A stream attaches itself to `app.server`.
 */
export async function createApiServer(options: ApiServerOptions): Promise<FastifyInstance> {
  const context = contextOf(options)
  const app = newFastify(options, context)
  app.decorate(LOAD, { unsent: context.unsent, turns: context.turns })
  if (options.is_closing !== undefined) endKeptAlive(app, options.is_closing)
  refuseUnread(app, context)
  answerUnknown(app, context)
  app.setErrorHandler((error, request, reply) =>
    failCharged(context, beginExchange(context, 'unknown', request, reply), error),
  )
  answerHealth(app, context, options)
  answerStreamPath(app, context)
  answerIngest(app, context)
  for (const operation_id of Object.keys(ENDPOINTS) as OperationId[]) {
    const endpoint = endpointOf(operation_id)
    const handler = serveEndpoint(context, endpoint, options.handlers[operation_id])
    for (const path of [endpoint.path, ...(endpoint.aliases ?? [])])
      app.route({ method: ['GET', 'HEAD'], url: `/v1${colonPath(path)}`, handler })
  }
  serveFeeds(app, context)
  serveComplaints(app, { ...context, file_complaint: options.file_complaint ?? null })
  servePrivate(app, context)
  servePages(app, context)
  serveLog(app, context)
  await options.extra?.(app)
  await app.ready()
  return app
}

function contextOf(options: ApiServerOptions): PrivateContext {
  const given = options.rate_limits ?? {}
  const rate_limits = given === 'off' ? RATE_CLASSES : { ...RATE_CLASSES, ...given }
  const now = options.now ?? wallClock
  const { environment, trading = null, own_venue = null, log = null } = options
  return {
    reader: options.reader,
    own_venue,
    log,
    now,
    cursors: createCursors(options.cursor_secret ?? randomBytes(32)),
    service: {
      ...{ environment, rate_limits, trading: trading !== null },
      limits_in_force: limitsInForce(options, rate_limits),
    },
    limiters: given === 'off' ? null : createClassLimiters(rate_limits),
    logger: options.logger ?? null,
    observe: options.observe ?? null,
    trusted_proxies: options.trusted_proxies ?? [],
    unsent: createUnsentBytes({ ...UNSENT_BYTES, ...options.unsent_bytes }, options.trusted_proxies),
    turns: createReadTurns({ ...ACCOUNT_READS, ...options.account_reads }),
    trading,
    authenticate: trading === null ? null : authenticatorOf(trading, environment, now),
  }
}

/** Key of the decorator that holds the counts of a server's answers and private reads, for metrics. */
export const LOAD = Symbol('unsent answers and turns of reads')
export type Load = Pick<PrivateContext, 'unsent' | 'turns'>

/** Refuses every request of an address that leaves too many answers unread, before any work is done for it. */
function refuseUnread(app: FastifyInstance, context: ExchangeContext): void {
  app.addHook('onRequest', (request, reply, done) => {
    try {
      context.unsent.requireRoom(request.raw.socket)
    } catch (error) {
      fail(context, beginExchange(context, 'unknown', request, reply), error)
      return
    }
    done()
  })
}

/** Ends each connection with its next answer once the process is ending. */
function endKeptAlive(app: FastifyInstance, isClosing: () => boolean): void {
  app.addHook('onRequest', (_request, reply, done) => {
    if (isClosing()) reply.raw.setHeader('connection', 'close')
    done()
  })
}

function newFastify(options: ApiServerOptions, context: ExchangeContext): FastifyInstance {
  const now_ms = (): number => Math.floor(context.now() / 1000)
  const limits = { ...CONNECTIONS, ...options.connections }
  const app = fastify({
    logger: false,
    // Routes have no schemas of Fastify's own; its compilers would be loaded all the same.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: limits.request_ms,
    keepAliveTimeout: limits.idle_ms,
    connectionTimeout: limits.stalled_ms,
    // A request that arrives while the server closes is answered normally; then its connection ends.
    return503OnClosing: false,
    trustProxy: options.trusted_proxies === undefined ? false : [...options.trusted_proxies],
    routerOptions: { maxParamLength: URL_BYTES_MAX, querystringParser: () => ({}) },
    http: { headersTimeout: limits.headers_ms, connectionsCheckingInterval: Math.min(CHECK_MS, limits.headers_ms) },
    frameworkErrors: (_error, request, reply) =>
      failCharged(context, beginExchange(context, 'unknown', request, reply), badUrl(request.raw.url!)),
    clientErrorHandler: (error, socket) => answerMalformed(error, socket, now_ms()),
  })
  app.server.maxConnections = options.connections_max ?? CONNECTIONS.max
  limitConnectionsOfCaller(app.server, limits.per_address_max, context.trusted_proxies)
  app.server.on('connect', (request, socket) => answerConnect(request.url ?? '', socket, now_ms()))
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  return app
}

function noSchemas(): never {
  throw new InvariantError('a route has no schema of Fastify: bodyReader and parameterReader check requests')
}

/** The router rejects a path only if it has a parameter that is too long, or if its percent-encoding is broken. */
function badUrl(target: string): ServiceError {
  const allowed = 'allowed: well-formed percent-encoded UTF-8'
  return tooLongUrl(target) ?? new RequestRefusal([violation('VALIDATION_REQUEST_MALFORMED', 'path', target, allowed)])
}

/**
 * Serves `/healthz` (the process responds) and `/readyz` (it may receive requests; 503 once it is ending, while the reader starts or
 * stops, or while it has a table that it never read). A stale reader is ready: its responses are labeled stale, and removing every
 * process would help nobody. Indexes that are stuck make no process unready either.
 */
function answerHealth(
  app: FastifyInstance,
  context: EndpointContext,
  { is_closing = () => false, stuck_indexes = () => [] }: Pick<ApiServerOptions, 'is_closing' | 'stuck_indexes'>,
): void {
  const route = (url: string, answer: () => { status: number; body: unknown }): void => {
    app.route({
      method: ['GET', 'HEAD'],
      url,
      handler: (request, reply) => {
        const exchange = beginExchange(context, url, request, reply)
        const { status, body } = answer()
        exchange.headers.push('cache-control', NOT_KEPT)
        finish(context, exchange, status, JSON.stringify(body))
      },
    })
  }
  route('/healthz', () => ({ status: 200, body: { status: 'ok' } }))
  route('/readyz', () => readiness(context.reader.status(), is_closing(), stuck_indexes()))
}

/** Answers requests to the stream's path that ask for no WebSocket; an upgrade passes the routes by. */
function answerStreamPath(app: FastifyInstance, context: ExchangeContext): void {
  app.route({
    method: 'GET',
    url: STREAM_PATH,
    exposeHeadRoute: false,
    handler: (request, reply) => {
      const exchange = beginExchange(context, STREAM_PATH, request, reply)
      exchange.headers.push('upgrade', 'websocket', 'connection', 'upgrade')
      const message = `${STREAM_PATH} is requested without an upgrade; allowed: a WebSocket, which sends Upgrade: websocket`
      failCharged(
        context,
        exchange,
        new ServiceError('UPGRADE_REQUIRED', message, { field: 'Upgrade', value: 'missing' }),
      )
    },
  })
}

function readiness(
  { phase, stale_since, reason, unread, versions }: ReaderStatus,
  is_closing: boolean,
  stuck_indexes: readonly object[],
): { status: number; body: unknown } {
  const ready = !is_closing && (phase === 'ready' || phase === 'stale') && unread.length === 0
  return {
    status: ready ? 200 : 503,
    body: { status: ready ? 'ok' : 'unavailable', phase, stale_since, reason, unread, versions, stuck_indexes },
  }
}

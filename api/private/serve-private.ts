import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { microsOf, toMicros } from '../../primitives/instants.ts'
import type { PrivateEndpoint } from '../../protocol/endpoints/private-endpoint.ts'
import {
  PRIVATE_ENDPOINTS,
  type PrivateOperationId,
  privateEndpointOf,
} from '../../protocol/endpoints/trading-endpoints.ts'
import { costOfRows, EXPORTS } from '../../protocol/limits.ts'
import type { Caller } from '../../trading/auth/authenticate.ts'
import { type AnswerFormat, answerFormat, OFFERED } from '../export/answer-format.ts'
import { withoutEngine } from '../missing-resource.ts'
import { bodyReader, requireJson } from '../server/body-reader.ts'
import { chargeUnverified } from '../server/charge-unverified.ts'
import { checkRelations } from '../server/check-relations.ts'
import { colonPath } from '../server/colon-path.ts'
import { beginExchange, type Exchange, fail, spendTokens } from '../server/exchange.ts'
import { namesPage, rawQueryOf } from '../server/raw-query-of.ts'
import { readBytes } from '../server/read-bytes.ts'
import { type ParameterValues, parameterReader } from '../server/read-parameters.ts'
import { refuseBody } from '../server/refuse-body.ts'
import { RequestRefusal, violation } from '../server/request-refusal.ts'
import { answerPrivate } from './answer-private.ts'
import { requestParts } from './authenticator-of.ts'
import { checkBody } from './body-checks.ts'
import { exportPrivate } from './export-private.ts'
import { isLogged, logRefusedAnswer, logRefusedRequest } from './log-refusal.ts'
import type { PrivateContext, PrivateHandler, PrivateHandlers, PrivateRequest } from './private-request.ts'
import { ACCOUNT_READ_ROUTES } from './routes/account-reads.ts'
import { BATCH_WRITE_ROUTES } from './routes/batch-writes.ts'
import { FILL_READ_ROUTES } from './routes/fill-reads.ts'
import { KEY_ROUTES } from './routes/key-routes.ts'
import { ORDER_READ_ROUTES } from './routes/order-reads.ts'
import { ORDER_WRITE_ROUTES } from './routes/order-writes.ts'
import { PROTECTION_ROUTES } from './routes/protection-routes.ts'
import { SETTLEMENT_READ_ROUTES } from './routes/settlement-reads.ts'
import { STATEMENT_READ_ROUTES } from './routes/statement-reads.ts'
import { SUMMARY_READ_ROUTES } from './routes/summary-reads.ts'
import { TRANSFER_ROUTES } from './routes/transfer-routes.ts'
import { WEBHOOK_ROUTES } from './routes/webhook-routes.ts'
import { writeIdentity } from './write-identity.ts'

/** Handler of each private operation. */
const PRIVATE_HANDLERS: PrivateHandlers = {
  ...KEY_ROUTES,
  ...ORDER_WRITE_ROUTES,
  ...BATCH_WRITE_ROUTES,
  ...ORDER_READ_ROUTES,
  ...FILL_READ_ROUTES,
  ...ACCOUNT_READ_ROUTES,
  ...SETTLEMENT_READ_ROUTES,
  ...STATEMENT_READ_ROUTES,
  ...SUMMARY_READ_ROUTES,
  ...TRANSFER_ROUTES,
  ...PROTECTION_ROUTES,
  ...WEBHOOK_ROUTES,
}

const RANGES = [
  ['created_after', 'created_before'],
  ['matched_after', 'matched_before'],
  ['booked_after', 'booked_before'],
  ['updated_after', 'updated_before'],
  ['requested_after', 'requested_before'],
  ['published_after', 'published_before'],
] as const

/** Rejects an empty range. @throws {RequestRefusal} VALIDATION_RANGE_INVALID */
function checkTimes(values: ParameterValues): void {
  for (const [after, before] of RANGES) {
    const [from, to] = [microsOf(values[after]), microsOf(values[before])]
    if (from === null || to === null || from < to) continue
    const rule = `allowed: an instant after ${after} ${values[after]}`
    throw new RequestRefusal([violation('VALIDATION_RANGE_INVALID', before, `${values[before]}`, rule)])
  }
}

/** Key of the decorator that holds the servers of private operations, for requests that arrive over the stream. */
export const PRIVATE_SERVERS = Symbol('servers of private operations')
export type PrivateServers = Readonly<Record<PrivateOperationId, ReturnType<typeof servePrivateEndpoint>>>

/** Serves every private endpoint; without trading each of them answers 503. */
export function servePrivate(app: FastifyInstance, context: PrivateContext): void {
  const servers: Partial<Record<PrivateOperationId, PrivateServers[PrivateOperationId]>> = {}
  for (const operation_id of Object.keys(PRIVATE_ENDPOINTS) as PrivateOperationId[]) {
    const endpoint = privateEndpointOf(operation_id)
    const serve = servePrivateEndpoint(context, endpoint, PRIVATE_HANDLERS[operation_id])
    servers[operation_id] = serve
    const url = `/v1${colonPath(endpoint.path)}`
    if (endpoint.method === 'GET') app.route({ method: ['GET', 'HEAD'], url, handler: serve })
    // Runs before the framework parses the body: the signature covers its bytes, so they are read here.
    else app.route({ method: endpoint.method, url, onRequest: serve, handler: serve })
  }
  app.decorate(PRIVATE_SERVERS, servers)
}

/** A request whose shape is valid (stage 1); its sender is not known yet. */
type Shaped = {
  readonly values: ParameterValues
  readonly bytes: Uint8Array
  readonly body: unknown
  readonly format: AnswerFormat
  /** Whether the answer is one page; false: a table of every record. */
  readonly one_page: boolean
}

/** Creates the Fastify handler of one endpoint: shape, identity, tokens, replay, then the route, then the envelope. */
function servePrivateEndpoint(context: PrivateContext, endpoint: PrivateEndpoint, route: PrivateHandler) {
  const shapeOf = shapeReader(endpoint)
  const unverified = endpoint.operation_id === 'cancel_all_orders' ? 'unverified_cancel_all' : 'unverified'
  const logger = isLogged(endpoint) ? context.logger : null
  /** Performs stages 1 and 2 and charges the key; null: the sender disconnected. */
  const check = async (exchange: Exchange) => {
    const shaped = await shapeOf(exchange)
    if (shaped === null) return null
    const { trading, authenticate } = context
    if (trading === null || authenticate === null) throw withoutEngine()
    const parts = requestParts(exchange, shaped.bytes)
    const caller = await authenticate(parts, { scopes: [endpoint.scope] })
    spendTokens(context, exchange, endpoint.limit_class, costOf(endpoint, shaped), caller)
    return { shaped, trading, caller }
  }
  const answer = async (exchange: Exchange): Promise<void> => {
    const checked = await chargeUnverified(context, exchange, unverified, () => check(exchange))
    if (checked === null) return
    const { shaped, trading, caller } = checked
    const request = { trading, caller, ...requestOf(context, endpoint, exchange, shaped, caller) }
    const { format, one_page } = shaped
    if (format !== 'json') return exportPrivate(context, endpoint, exchange, { request, route, format, one_page })
    const answered = await performed(exchange, request)
    logRefusedAnswer(logger, exchange, caller.account_id, answered)
    answerPrivate(context, endpoint, exchange, request, answered)
  }
  /** Performs a write at once; a read when the account's turn has come, unless too much is unread by then. */
  const performed = (exchange: Exchange, request: PrivateRequest) => {
    if (endpoint.method !== 'GET') return route(request)
    return context.turns.run(request.caller.account_id, () => {
      context.unsent.requireRoom(exchange.request.raw.socket)
      return route(request)
    })
  }
  return (request: FastifyRequest, reply: FastifyReply): void => {
    const exchange = beginExchange(context, endpoint.operation_id, request, reply)
    answer(exchange).catch((error: unknown) => {
      logRefusedRequest(logger, exchange, null, error)
      fail(context, exchange, error)
    })
  }
}

/** Creates the check of stage 1: address, media type, body, parameters. It reveals nothing about accounts, so it runs before authentication. */
function shapeReader(endpoint: PrivateEndpoint): (exchange: Exchange) => Promise<Shaped | null> {
  const readParameters = parameterReader(endpoint)
  const readBody = endpoint.body === null ? null : bodyReader(endpoint.body)
  return async (exchange) => {
    const { raw, params } = exchange.request
    const raw_query = rawQueryOf(raw.url!)
    const format = answerFormat(raw.headers.accept, endpoint.is_history === true ? OFFERED.tables : OFFERED.none)
    const one_page = format === 'json' || namesPage(raw_query)
    if (readBody === null) {
      refuseBody(raw.headers)
      const values = readParameters(params as Record<string, string>, raw_query)
      return { values, bytes: NO_BYTES, body: null, format, one_page }
    }
    requireJson(raw.headers)
    const bytes = await readBytes(raw)
    if (bytes === null) return null
    exchange.body_read = true
    const values = readParameters(params as Record<string, string>, raw_query)
    const body = readBody(bytes)
    checkBody(endpoint.operation_id, body)
    return { values, bytes, body, format, one_page }
  }
}

const NO_BYTES = new Uint8Array()

function requestOf(
  context: PrivateContext,
  endpoint: PrivateEndpoint,
  exchange: Exchange,
  { values, body }: Shaped,
  caller: Caller,
) {
  const identity = endpoint.idempotent ? writeIdentity(exchange, caller, body) : null
  checkRelations(values, false)
  checkTimes(values)
  const as_of = values.as_of === undefined ? null : toMicros(values.as_of, 'as_of')
  const { cursors, reader, service } = context
  // Bound to the account too: a cursor of another account is invalid.
  const bound = { ...values, account_id: caller.account_id }
  const cursor = values.cursor === undefined ? null : cursors.read(endpoint.operation_id, bound, `${values.cursor}`)
  const { now, request_id } = exchange
  return {
    reader,
    environment: service.environment,
    parameters: values,
    body,
    identity,
    cursor,
    as_of,
    now,
    request_id,
  }
}

function costOf({ cost, cost_each }: PrivateEndpoint, { body, values, one_page }: Shaped): number {
  if (cost_each === null) return costOfRows(cost, one_page ? Number(values.limit ?? 0) : EXPORTS.page_rows)
  return cost * Math.max(1, (body as Readonly<Record<string, readonly unknown[]>>)[cost_each]!.length)
}

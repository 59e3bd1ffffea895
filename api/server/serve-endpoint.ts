import type { FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../../primitives/errors.ts'
import { type Micros, toMicros } from '../../primitives/instants.ts'
import type { Endpoint } from '../../protocol/endpoints/endpoint.ts'
import { costOfRows, EXPORTS } from '../../protocol/limits.ts'
import type { Authenticate, Caller } from '../../trading/auth/authenticate.ts'
import type { Reader } from '../../warehouse/reader/reader.ts'
import type { LogReader } from '../../warehouse/transparency/log-reader.ts'
import { answerFormat, OFFERED } from '../export/answer-format.ts'
import { type HistoryExport, streamHistory } from '../export/stream-history.ts'
import { atInstant } from '../missing-resource.ts'
import type { OwnVenue } from '../own-venue/own-venue.ts'
import { namesKey, requestParts } from '../private/authenticator-of.ts'
import { receiptOf } from '../transparency/receipt-of.ts'
import { cacheControl } from './cache-control.ts'
import { chargeUnverified } from './charge-unverified.ts'
import { checkReceipt } from './check-receipt.ts'
import { checkRelations } from './check-relations.ts'
import { callerOf } from './client-address.ts'
import type { Cursors } from './cursors.ts'
import { entityTag, heldTag } from './entity-tag.ts'
import { envelopeText, metaText, splice, stalenessOf } from './envelope.ts'
import {
  beginExchange,
  chargeBytes,
  type Exchange,
  type ExchangeContext,
  fail,
  finish,
  JSON_TYPE,
  raiseCost,
  spendTokens,
  waitForTokens,
} from './exchange.ts'
import type { CursorState, RouteAnswer, RouteHandler, RouteRequest, ServiceFacts } from './handler.ts'
import { prepareData } from './prepared-data.ts'
import { namesPage, rawQueryOf } from './raw-query-of.ts'
import { type ParameterValues, parameterReader } from './read-parameters.ts'
import { refuseBody } from './refuse-body.ts'
import { requestCost } from './request-cost.ts'

export type EndpointContext = ExchangeContext & {
  readonly reader: Reader
  readonly own_venue: OwnVenue | null
  readonly log: LogReader | null
  readonly cursors: Cursors
  readonly service: ServiceFacts
  /** null: no keys exist, and every caller is counted by address. */
  readonly authenticate: Authenticate | null
}

/**
 * Creates the Fastify handler of one endpoint: tokens, body, phase, parameters, cursor, as_of, then the route, then the envelope.
 * A synchronous answer is sent synchronously: a read from memory waits for nothing.
 */
export function serveEndpoint(context: EndpointContext, endpoint: Endpoint, route: RouteHandler) {
  const readParameters = parameterReader(endpoint)
  const samples = 'sampling' in endpoint.query
  const has_range = 'start_time' in endpoint.query
  const { limit_class, cost } = endpoint
  const offered =
    endpoint.is_history === true ? OFFERED.tables : endpoint.is_plain === true ? OFFERED.plain : OFFERED.none
  // A client that signs orders needs the clock, and may trade before anything is published.
  const needs_warehouse = endpoint.operation_id !== 'get_time'
  const answer = (exchange: Exchange): void | Promise<void> => {
    const { request } = exchange
    if (context.authenticate === null || !namesKey(request)) {
      spendTokens(context, exchange, limit_class, cost)
      return read(exchange)
    }
    const { authenticate } = context
    const verify = async () => {
      // An invalid key is rejected rather than ignored, so that its owner notices.
      const caller = await authenticate(requestParts(exchange, NO_BYTES), MARKET_DATA)
      spendTokens(context, exchange, limit_class, cost, caller)
      return caller
    }
    return chargeUnverified(context, exchange, 'unverified', verify).then((caller) => read(exchange, caller))
  }
  const read = (exchange: Exchange, caller: Caller | null = null): void | Promise<void> => {
    const { request, now } = exchange
    refuseBody(request.raw.headers)
    const format = answerFormat(request.raw.headers.accept, offered)
    const raw_query = rawQueryOf(request.raw.url!)
    if (needs_warehouse) requireReady(context.reader)
    const values = readParameters(request.params as Record<string, string>, raw_query)
    if (samples || has_range) checkRelations(values, samples)
    const with_receipt = values.receipt === true
    if (with_receipt) checkReceipt(values, format === 'json')
    const as_of = values.as_of === undefined ? null : toMicros(values.as_of, 'as_of')
    const cursor =
      values.cursor === undefined ? null : context.cursors.read(endpoint.operation_id, values, `${values.cursor}`)
    const one_page = format === 'json' || namesPage(raw_query)
    raiseCost(context, exchange, endpoint, requestCost(endpoint, values, one_page), caller)
    const { own_venue, service, log } = context
    const turn = caller?.account_id ?? callerOf(exchange.ip)
    const reader = context.reader.forCaller(turn)
    const asked: RouteRequest = {
      reader,
      own_venue,
      parameters: values,
      as_of,
      now: instantOf(reader, now),
      cursor,
      service,
      log,
    }
    const named = as_of === null ? route : namingInstant(route, as_of)
    if (format === 'plain') return answerPlain(context, endpoint, named, exchange, asked)
    if (format !== 'json') {
      return exported(context, exchange, { endpoint, format, route: named, request: asked, one_page, caller, turn })
    }
    if (as_of !== null) return pinned(context, endpoint, named, exchange, asked, caller)
    const got = route(asked)
    if (got instanceof Promise) return got.then((late) => succeed(context, endpoint, exchange, asked, late, caller))
    succeed(context, endpoint, exchange, asked, got, caller)
  }
  return (request: FastifyRequest, reply: FastifyReply): void => {
    const exchange = beginExchange(context, endpoint.operation_id, request, reply)
    try {
      answer(exchange)?.catch((error: unknown) => fail(context, exchange, error))
    } catch (error) {
      fail(context, exchange, error)
    }
  }
}

const NO_BYTES = new Uint8Array()
/** Public data needs no scope: nobody who may ask without a key is refused with one. */
const MARKET_DATA = { scopes: [] }

/** @throws {ServiceError} SERVICE_UNAVAILABLE: the reader is starting or has stopped */
export function requireReady(reader: Reader): void {
  const { phase, reason } = reader.status()
  if (phase === 'ready' || phase === 'stale') return
  const cause = reason ?? (phase === 'starting' ? 'it reads its warehouse' : null)
  const message = `the service is ${phase === 'starting' ? 'starting' : 'stopping'}${cause === null ? '' : `: ${cause}`}`
  throw new ServiceError('SERVICE_UNAVAILABLE', message, { phase })
}

/** Returns the instant of a current answer, which as_of gives again: that of memory; the clock's while memory is of no instant. */
function instantOf(reader: Reader, now: Micros): Micros {
  return Math.min(now, reader.instant() ?? now)
}

/** Wraps a route so that a resource that is missing at as_of says so. */
function namingInstant(route: RouteHandler, as_of: Micros): RouteHandler {
  return async (request) => {
    try {
      return await route(request)
    } catch (error) {
      throw atInstant(error, 'as_of', as_of)
    }
  }
}

/** Calls the route with the reads of the requested instant. */
async function pinned(
  context: EndpointContext,
  endpoint: Endpoint,
  route: RouteHandler,
  exchange: Exchange,
  asked: RouteRequest,
  caller: Caller | null,
): Promise<void> {
  const answer = await asked.reader.asOf(asked.as_of!, (reader) => route({ ...asked, reader }))
  const receipt = asked.parameters.receipt === true ? await receiptOf(asked, answer.logged) : null
  succeed(context, endpoint, exchange, asked, answer, caller, receipt)
}

const PLAIN_TYPE = 'text/plain; charset=utf-8'

/** Answers with the offline form of a proof. */
async function answerPlain(
  context: EndpointContext,
  endpoint: Endpoint,
  route: RouteHandler,
  exchange: Exchange,
  asked: RouteRequest,
): Promise<void> {
  const { plain = '' } = await route(asked)
  exchange.headers.push('cache-control', cacheControl(endpoint.cache, asked.parameters, false), 'vary', 'accept')
  finish(context, exchange, 200, plain, PLAIN_TYPE)
}

type Exported = Pick<HistoryExport, 'endpoint' | 'format' | 'turn' | 'one_page'> & {
  readonly route: RouteHandler
  readonly request: RouteRequest
  readonly caller: Caller | null
}

/** Answers with a history as a table. */
async function exported(context: EndpointContext, exchange: Exchange, asked: Exported): Promise<void> {
  const { endpoint, request, caller } = asked
  const { parameters } = request
  exchange.headers.push('cache-control', cacheControl(endpoint.cache, parameters, false))
  await streamHistory(context, exchange, {
    ...asked,
    expand: (parameters.expand as readonly string[] | undefined) ?? [],
    open: () => openPages(asked),
    spend: () =>
      waitForTokens(context, exchange, endpoint.limit_class, costOfRows(endpoint.cost, EXPORTS.page_rows), caller),
    cursorText: (next) => context.cursors.write(endpoint.operation_id, parameters, next),
  })
}

/** Reads the first page of a table and pins the reads of the others: all show one instant. */
async function openPages({ route, request, one_page }: Exported) {
  const pagesOf = (reader: Reader) => async (cursor: CursorState | null) => {
    const limit = one_page ? request.parameters.limit! : EXPORTS.page_rows
    return route({ ...request, reader, cursor, parameters: { ...request.parameters, limit } })
  }
  const { as_of, reader, cursor } = request
  if (as_of === null) return { first: await pagesOf(reader)(cursor), after: pagesOf(reader) }
  return reader.asOf(as_of, async (pinned) => ({ first: await pagesOf(pinned)(cursor), after: pagesOf(pinned) }))
}

/** Part of the entity tag: after a 304, a cache keeps its own stale label, so a change of the label must change the tag. */
const STALE = ' stale'

function succeed(
  context: EndpointContext,
  endpoint: Endpoint,
  exchange: Exchange,
  { parameters, as_of, now, cursor }: RouteRequest,
  answer: RouteAnswer,
  caller: Caller | null,
  receipt: string | null = null,
): void {
  const prepared = prepareData(answer.data)
  const { text } = prepared
  const has_next = answer.next !== undefined && answer.next !== null
  const page = endpoint.envelope === 'collection' ? pageText(context, endpoint, parameters, answer) : ''
  const correction_chain = answer.correction_chain === undefined ? '' : JSON.stringify(answer.correction_chain)
  const { request_id } = exchange
  const is_final = as_of !== null || endpoint.cache === 'none'
  const stale = is_final ? null : stalenessOf(context.reader.status(), answer.current_until ?? null, now)
  const rest = page + correction_chain + (receipt ?? '') + (stale === null ? '' : STALE)
  const tag = rest === '' ? prepared.tag : entityTag(prepared.digest, rest)
  const if_none_match = exchange.request.raw.headers['if-none-match']
  const held = if_none_match === undefined ? null : heldTag(if_none_match, tag)
  exchange.headers.push('etag', held ?? tag, 'cache-control', cacheControl(endpoint.cache, parameters, has_next))
  if (endpoint.is_history === true) exchange.headers.push('vary', 'accept, accept-encoding')
  if (stale !== null) exchange.headers.push('svc-stale-since', stale.since ?? 'unknown')
  if (held !== null) {
    finish(context, exchange, 304, null)
    return
  }
  const published_at = answer.published_at ?? cursor?.as_of ?? now
  const meta = metaText({
    request_id,
    published_at,
    as_of,
    max_age_ms: answer.max_age_ms,
    correction_chain,
    stale,
    receipt,
  })
  const data = answer.spliced === undefined ? text : splice(text, answer.spliced)
  const body = envelopeText(data, page, meta)
  // Everything around `text` is ASCII, so its length in UTF-8 is counted once, not for each response.
  const bytes = body.length - text.length + prepared.bytes
  chargeBytes(context, exchange, endpoint.limit_class, bytes, caller)
  finish(context, exchange, 200, body, JSON_TYPE, bytes)
}

function pageText(
  context: EndpointContext,
  endpoint: Endpoint,
  parameters: ParameterValues,
  { next }: RouteAnswer,
): string {
  if (next === undefined || next === null) return '{"next_cursor":null,"has_more":false}'
  return `{"next_cursor":"${context.cursors.write(endpoint.operation_id, parameters, next)}","has_more":true}`
}

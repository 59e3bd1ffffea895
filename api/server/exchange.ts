import type { FastifyReply, FastifyRequest } from 'fastify'
import { isServiceError, ServiceError } from '../../primitives/errors.ts'
import type { Micros } from '../../primitives/instants.ts'
import { costOfBytes, type RateClassName } from '../../protocol/limits.ts'
import { NOT_KEPT } from './cache-control.ts'
import type { ClassLimiters, Spender } from './class-limiters.ts'
import { callerOf, clientAddress } from './client-address.ts'
import { COMPRESSED_FROM, type ContentCoding, codedTag, compressed, contentCoding } from './content-coding.ts'
import { errorAnswer, isFailure } from './error-answer.ts'
import type { RateVerdict, TokensLeft } from './rate-limiter.ts'
import { newRequestId } from './request-id.ts'
import type { UnsentBytes } from './unsent-bytes.ts'

/** Facts of a line of the API's log. */
type ApiLogFacts = {
  readonly request_id?: string
  readonly operation?: string
  readonly code?: string
  readonly error?: unknown
}

/** Log of the API. */
export type ApiLogger = {
  /** Logs a failed request, or a part that failed. */
  error(facts: ApiLogFacts, message: string): void
  /** Logs what an operator should know although nothing failed. */
  warn?(facts: ApiLogFacts, message: string): void
  /** Logs a refused request of orders. `account_id` null: its sender is not known. */
  refused?(facts: ApiLogFacts & { readonly account_id: string | null }, message: string): void
}

/** Called for every response. */
export type AnswerObserver = (operation: string, status: number, seconds: number) => void

/** Context that all exchanges of one server share. */
export type ExchangeContext = {
  readonly now: () => Micros
  readonly limiters: ClassLimiters | null
  readonly logger: ApiLogger | null
  readonly observe: AnswerObserver | null
  /** Addresses and ranges of proxies that tell the client's address. */
  readonly trusted_proxies: readonly string[]
  readonly unsent: UnsentBytes
}

/** One request and its response. */
export type Exchange = {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** Names and values of the response headers, alternating; each name once. */
  readonly headers: string[]
  readonly operation: string
  readonly request_id: string
  /** Address of the client. */
  readonly ip: string
  readonly now: Micros
  readonly started_ms: number
  /** Whether the body was read completely, so that the connection can be reused. */
  body_read: boolean
}

export const JSON_TYPE = 'application/json; charset=utf-8'

/** Begins an exchange: every response has its id, and any web page may read it. */
export function beginExchange(
  context: ExchangeContext,
  operation: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Exchange {
  const now = context.now()
  const request_id = newRequestId(Math.floor(now / 1000))
  const headers = [
    'svc-request-id',
    request_id,
    'x-content-type-options',
    'nosniff',
    'access-control-allow-origin',
    '*',
    'access-control-expose-headers',
    '*',
  ]
  const started_ms = context.observe === null ? 0 : performance.now()
  const { raw } = request
  const ip = clientAddress(raw.socket.remoteAddress, raw.headers, context.trusted_proxies)
  return { request, reply, headers, operation, request_id, ip, now, started_ms, body_read: false }
}

/**
 * Takes the tokens of a request from its key, or from its address without a key, and reports the rest in the headers.
 * @throws {ServiceError} RATE_LIMIT_EXCEEDED
 */
export function spendTokens(
  context: ExchangeContext,
  exchange: Exchange,
  limit_class: RateClassName,
  cost: number,
  spender: Spender | null = null,
): void {
  if (context.limiters === null) return
  const verdict = takeTokens(context.limiters, exchange, limit_class, cost, spender, Math.floor(exchange.now / 1000))
  exchange.headers.push(...tokenHeaders(limit_class, cost, verdict))
  if (!verdict.admitted) throw usedUp(limit_class, cost, verdict)
}

/**
 * Raises the cost of a request that has paid for less, once it is known what it asks for. A rejected request has paid nothing.
 * @throws {ServiceError} RATE_LIMIT_EXCEEDED
 */
export function raiseCost(
  context: ExchangeContext,
  exchange: Exchange,
  { limit_class, cost }: { readonly limit_class: RateClassName; readonly cost: number },
  raised: number,
  spender: Spender | null,
): void {
  if (context.limiters === null || raised <= cost) return
  context.limiters.giveBack(limit_class, spender ?? callerOf(exchange.ip), cost)
  const headers = exchange.headers.indexOf('svc-ratelimit-limit-class')
  exchange.headers.splice(headers, TOKEN_HEADERS)
  spendTokens(context, exchange, limit_class, raised, spender)
}

/**
 * Takes the further tokens of an answer whose bytes cost more than its request has paid. It is made already, so they are taken on
 * credit: the caller's next requests wait until the tokens are paid.
 */
export function chargeBytes(
  context: ExchangeContext,
  exchange: Exchange,
  limit_class: RateClassName,
  bytes: number,
  spender: Spender | null,
): void {
  const { limiters } = context
  const { headers } = exchange
  const first = headers.indexOf('svc-ratelimit-limit-class')
  const cost = costOfBytes(bytes)
  const paid = Number(headers[first + COST_AT])
  if (limiters === null || first < 0 || cost <= paid) return
  const now_ms = Math.floor(context.now() / 1000)
  const verdict = limiters.charge(limit_class, spender ?? callerOf(exchange.ip), cost - paid, now_ms)
  headers.splice(first, TOKEN_HEADERS, ...tokenHeaders(limit_class, cost, verdict))
}

/** Place of the cost's value in what `tokenHeaders` returns. */
const COST_AT = 3
/** Names and values that `tokenHeaders` returns. */
const TOKEN_HEADERS = 8

/** Returns the headers that tell a caller its tokens. */
export function tokenHeaders(limit_class: string, cost: number, { remaining, reset_s }: TokensLeft): string[] {
  return [
    'svc-ratelimit-limit-class',
    limit_class,
    'svc-ratelimit-cost',
    String(cost),
    'svc-ratelimit-remaining',
    String(remaining),
    'svc-ratelimit-reset',
    String(reset_s),
  ]
}

/** Builds the error of a caller that has too few tokens; a cost above the burst is a fault of the request, since no wait helps. */
export function usedUp(limit_class: string, cost: number, { remaining, retry_after_ms }: RateVerdict): ServiceError {
  if (retry_after_ms === Number.POSITIVE_INFINITY) {
    const message = `the request costs ${cost} ${limit_class} tokens, more than this caller can ever hold; ask for fewer records`
    return new ServiceError('VALIDATION_PARAMETER_INVALID', message, { cost: String(cost) })
  }
  const message = `the ${limit_class} tokens of this caller are used up: ${remaining} left, the request costs ${cost}; wait ${retry_after_ms} ms`
  return new ServiceError('RATE_LIMIT_EXCEEDED', message, { retry_after_ms: String(retry_after_ms) })
}

/**
 * Takes the tokens of a further page of one response.
 * @returns 0: taken; else the wait in milliseconds until there may be enough
 * @throws {ServiceError} VALIDATION_PARAMETER_INVALID: no wait would be enough
 */
export function waitForTokens(
  context: ExchangeContext,
  exchange: Exchange,
  limit_class: RateClassName,
  cost: number,
  spender: Spender | null,
): number {
  if (context.limiters === null) return 0
  const now_ms = Math.floor(context.now() / 1000)
  const verdict = takeTokens(context.limiters, exchange, limit_class, cost, spender, now_ms)
  if (verdict.admitted) return 0
  if (verdict.retry_after_ms === Number.POSITIVE_INFINITY) throw usedUp(limit_class, cost, verdict)
  return Math.max(1, verdict.retry_after_ms)
}

function takeTokens(
  limiters: ClassLimiters,
  { ip }: Exchange,
  limit_class: RateClassName,
  cost: number,
  spender: Spender | null,
  now_ms: number,
): RateVerdict {
  if (spender !== null) return limiters.takeKeyed(limit_class, spender, cost, now_ms)
  return limiters.takeAnonymous(limit_class, callerOf(ip), cost, now_ms)
}

/**
 * Ends an exchange with a text (JSON by default), or without a body. Headers are written as one list, bypassing Fastify's reply,
 * because a read from memory costs little more than its headers. Text in ASCII is written as latin1, which skips the encoder.
 * @param bytes  length of the text in UTF-8, if known
 */
export function finish(
  context: ExchangeContext,
  exchange: Exchange,
  status: number,
  body: string | null,
  type: string = JSON_TYPE,
  bytes: number = body === null ? 0 : Buffer.byteLength(body),
): void {
  const { reply, headers } = exchange
  context.observe?.(exchange.operation, status, (performance.now() - exchange.started_ms) / 1000)
  reply.hijack()
  if (body === null) {
    reply.raw.writeHead(status, headers).end()
    return
  }
  headers.push('content-type', type)
  if (bytes >= COMPRESSED_FROM && !headers.includes('vary')) headers.push('vary', 'accept-encoding')
  const coding = bytes < COMPRESSED_FROM ? null : contentCoding(codingsOf(exchange))
  if (coding !== null) {
    void finishCompressed(context, exchange, status, body, coding)
    return
  }
  headers.push('content-length', String(bytes))
  reply.raw.writeHead(status, headers).end(body, bytes === body.length ? 'latin1' : 'utf8')
  context.unsent.track(exchange.request.raw.socket, reply.raw, bytes)
}

/** Ends an exchange with bytes that are not compressed: hashes do not get shorter. */
export function finishBytes(
  context: ExchangeContext,
  { reply, headers, request, operation, started_ms }: Exchange,
  bytes: Uint8Array,
  type: string,
): void {
  context.observe?.(operation, 200, (performance.now() - started_ms) / 1000)
  reply.hijack()
  headers.push('content-type', type, 'content-length', String(bytes.length))
  reply.raw.writeHead(200, headers).end(request.method === 'HEAD' ? undefined : bytes)
  context.unsent.track(request.raw.socket, reply.raw, bytes.length)
}

/** Ends an exchange with a compressed body, which is made outside the event loop. */
async function finishCompressed(
  context: ExchangeContext,
  { request, reply, headers }: Exchange,
  status: number,
  body: string,
  coding: ContentCoding,
): Promise<void> {
  const { socket } = request.raw
  const release = context.unsent.hold(socket, body.length)
  const bytes = await compressed(body, coding)
  release()
  const tag = headers.indexOf('etag') + 1
  if (tag > 0) headers[tag] = codedTag(headers[tag]!, coding)
  headers.push('content-encoding', coding, 'content-length', String(bytes.length))
  reply.raw.writeHead(status, headers).end(bytes)
  context.unsent.track(socket, reply.raw, bytes.length)
}

function codingsOf({ request }: Exchange): string | undefined {
  return request.raw.headers['accept-encoding'] as string | undefined
}

/** Ends an exchange with the error object; the cause of a failure is only logged. */
export function fail(context: ExchangeContext, exchange: Exchange, error: unknown, status?: number): void {
  const { request_id, operation, headers, request } = exchange
  if (isFailure(error)) {
    const code = isServiceError(error) ? error.code : 'INTERNAL_ERROR'
    context.logger?.error({ request_id, operation, code, error }, 'a request failed')
  }
  const answer = errorAnswer(error, request_id, status)
  // After an unread body, the start of the next request cannot be found.
  if (!exchange.body_read && hasBody(request)) headers.push('connection', 'close')
  // A read that fails after its headers were chosen must not leave the longer of two lives to a cache.
  const chosen = headers.indexOf('cache-control')
  if (chosen >= 0) headers.splice(chosen, 2)
  headers.push('cache-control', NOT_KEPT, ...Object.entries(answer.headers).flat())
  finish(context, exchange, answer.status, answer.body)
}

/** Ends an exchange that reached no route with the error object, which costs its address a token. */
export function failCharged(context: ExchangeContext, exchange: Exchange, error: unknown): void {
  try {
    spendTokens(context, exchange, 'market_data', 1)
    fail(context, exchange, error)
  } catch (limit) {
    fail(context, exchange, limit)
  }
}

function hasBody({ raw }: FastifyRequest): boolean {
  return raw.headers['content-length'] !== undefined || raw.headers['transfer-encoding'] !== undefined
}

import { ServiceError } from '../../primitives/errors.ts'
import type { Micros } from '../../primitives/instants.ts'
import type { PrivateEndpoint } from '../../protocol/endpoints/private-endpoint.ts'
import { NOT_KEPT } from '../server/cache-control.ts'
import { digestOf, entityTag, heldTag } from '../server/entity-tag.ts'
import { envelopeText, metaText } from '../server/envelope.ts'
import { errorText } from '../server/error-answer.ts'
import { chargeBytes, type Exchange, fail, finish } from '../server/exchange.ts'
import type { PrivateAnswer, PrivateContext, PrivateRequest } from './private-request.ts'

/** Private cache with revalidation on every use: the record never changes, but its settlement_state does. */
const PRIVATE_RECORD = 'private, no-cache'

/** Ends the exchange of a private route: envelope, cursor, entity tag, and headers of a created or replayed resource. */
export function answerPrivate(
  context: PrivateContext,
  endpoint: PrivateEndpoint,
  exchange: Exchange,
  request: PrivateRequest,
  answer: PrivateAnswer,
): void {
  if (answer.replayed) exchange.headers.push('svc-idempotent-replay', 'true')
  if (answer.error !== null && answer.data === null) {
    fail(context, exchange, refusalOf(answer), answer.status)
    return
  }
  if (answer.location !== null) exchange.headers.push('location', answer.location)
  const page = endpoint.envelope === 'collection' ? pageText(context, endpoint, request, answer) : ''
  const tag = endpoint.cache === 'record' ? entityTag(digestOf(answer.data!), page) : null
  exchange.headers.push('cache-control', tag === null ? NOT_KEPT : PRIVATE_RECORD)
  if (endpoint.is_history === true) exchange.headers.push('vary', 'accept, accept-encoding')
  const if_none_match = exchange.request.raw.headers['if-none-match']
  const held = tag === null || if_none_match === undefined ? null : heldTag(if_none_match, tag)
  if (tag !== null) exchange.headers.push('etag', held ?? tag)
  if (held !== null) {
    finish(context, exchange, 304, null)
    return
  }
  if (answer.is_cut === true) context.turns.countCut()
  const envelope = envelopeText(answer.data!, page, metaOf(context.now(), exchange, request, answer))
  // Writes cost by what they change; the kill switch costs its key nothing.
  if (endpoint.method === 'GET')
    chargeBytes(context, exchange, endpoint.limit_class, Buffer.byteLength(envelope), request.caller)
  finish(context, exchange, answer.status, answer.error === null ? envelope : withError(envelope, exchange, answer))
}

/** Returns `{"error": ..., "data": ..., "meta": ...}`: an error with the projection it is about. */
function withError(envelope: string, { request_id }: Exchange, answer: PrivateAnswer): string {
  return `{"error":${errorText(refusalOf(answer), request_id)},${envelope.slice(1)}`
}

function refusalOf({ error }: PrivateAnswer): ServiceError {
  const { code, message, facts = {} } = error!
  return new ServiceError(code, message, facts)
}

/** @param published_at now: an answer is published after everything that it shows */
function metaOf(
  published_at: Micros,
  { request_id }: Exchange,
  { as_of }: PrivateRequest,
  { head }: PrivateAnswer,
): string {
  const facts = { request_id, published_at, as_of, max_age_ms: undefined, correction_chain: '', stale: null }
  const text = metaText(facts)
  if (head === undefined) return text
  return `${text.slice(0, -1)},"stream_cursor":{"epoch":"${head.epoch}","seq":${head.engine_sequence}}}`
}

function pageText(
  context: PrivateContext,
  endpoint: PrivateEndpoint,
  { parameters, caller }: PrivateRequest,
  { next }: PrivateAnswer,
): string {
  if (next === undefined || next === null) return '{"next_cursor":null,"has_more":false}'
  const bound = { ...parameters, account_id: caller.account_id }
  return `{"next_cursor":"${context.cursors.write(endpoint.operation_id, bound, next)}","has_more":true}`
}

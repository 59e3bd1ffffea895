import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { FiledComplaint } from '../../pipelines/notices/complaint.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { sha256Hex } from '../../primitives/ids.ts'
import { formatMicros } from '../../primitives/instants.ts'
import { OPEN_WRITES } from '../../protocol/endpoints/notice-endpoints.ts'
import { COMPLAINTS } from '../../protocol/limits.ts'
import type { ComplaintReceipt, ComplaintRequest } from '../../protocol/resources/notice.ts'
import { bodyReader, requireJson } from '../server/body-reader.ts'
import { NOT_KEPT } from '../server/cache-control.ts'
import { callerOf } from '../server/client-address.ts'
import { envelopeText, metaText } from '../server/envelope.ts'
import {
  beginExchange,
  type Exchange,
  type ExchangeContext,
  fail,
  finish,
  spendTokens,
  usedUp,
} from '../server/exchange.ts'
import { createRateLimiter } from '../server/rate-limiter.ts'
import { rawQueryOf } from '../server/raw-query-of.ts'
import { readBytes } from '../server/read-bytes.ts'
import { RequestRefusal, violation } from '../server/request-refusal.ts'
import { type ComplaintSources, requireSubject } from './complaint-subject.ts'

/** Keeps a complaint where no reader of the API finds it. */
export type FileComplaint = (complaint: FiledComplaint) => Promise<void>

const { operation_id, path, body, success, limit_class, cost } = OPEN_WRITES.file_complaint

/**
 * Serves `POST /v1/governance/complaints`, without a key. A complaint is kept apart until a member has read it. Refused ones cost a
 * token of reads; accepted ones count against a slow bucket of their address.
 * @param file null: this process has no place for complaints
 */
export function serveComplaints(
  app: FastifyInstance,
  context: ExchangeContext & ComplaintSources & { readonly file_complaint: FileComplaint | null },
): void {
  const limiter =
    context.limiters === null ? null : createRateLimiter({ rate: COMPLAINTS.rate, burst: COMPLAINTS.burst })
  const readBody = bodyReader(body)
  const answer = async (exchange: Exchange): Promise<void> => {
    const { raw } = exchange.request
    spendTokens(context, exchange, limit_class, cost)
    requireJson(raw.headers)
    const bytes = await readBytes(raw)
    if (bytes === null) return
    exchange.body_read = true
    refuseQuery(rawQueryOf(raw.url!))
    const asked = readBody(bytes) as ComplaintRequest
    if (context.file_complaint === null) throw noPlace()
    await requireSubject(context, asked)
    const verdict = limiter?.take(callerOf(exchange.ip), COMPLAINTS.cost, Math.floor(exchange.now / 1000)) ?? null
    if (verdict !== null && !verdict.admitted) throw usedUp('complaints', COMPLAINTS.cost, verdict)
    const { contact = null } = asked
    const complaint = { ...asked, contact, complaint_id: newComplaintId(), filed_at: formatMicros(exchange.now) }
    await context.file_complaint(complaint)
    succeed(context, exchange, complaint)
  }
  app.route({
    method: 'POST',
    url: `/v1${path}`,
    // Runs before the framework parses the body.
    onRequest: (request, reply) => {
      const exchange = beginExchange(context, operation_id, request, reply)
      answer(exchange).catch((error: unknown) => fail(context, exchange, error))
    },
    handler: () => undefined,
  })
}

function succeed(context: ExchangeContext, exchange: Exchange, { complaint_id, filed_at, text }: FiledComplaint): void {
  const { request_id, now } = exchange
  const receipt: ComplaintReceipt = { complaint_id, state: 'received', filed_at, text_sha256: sha256Hex(text) }
  const facts = { request_id, published_at: now, as_of: null, max_age_ms: undefined, correction_chain: '', stale: null }
  exchange.headers.push('cache-control', NOT_KEPT)
  finish(context, exchange, success, envelopeText(JSON.stringify(receipt), '', metaText(facts)))
}

/** Random, so that nobody else can name a complaint that is not public. */
function newComplaintId(): string {
  return `cmp_${randomBytes(16).toString('hex')}`
}

function noPlace(): ServiceError {
  const message = 'this process has no folder for complaints; allowed: the service of `tidemark up` or `tidemark api`'
  return new ServiceError('SERVICE_UNAVAILABLE', message, { phase: 'no_complaints' })
}

function refuseQuery(query: string): void {
  if (query === '') return
  const fault = violation('VALIDATION_PARAMETER_UNKNOWN', 'query', query.slice(0, 100), 'allowed: no parameters')
  throw new RequestRefusal([fault])
}

import type { IncomingHttpHeaders } from 'node:http'
import { BODY_BYTES_MAX, UNVERIFIED } from '../../protocol/limits.ts'
import type { UnverifiedClass } from './class-limiters.ts'
import { callerOf } from './client-address.ts'
import { type Exchange, type ExchangeContext, tokenHeaders, usedUp } from './exchange.ts'

/**
 * Charges the address of a signed request before its body is read, and returns the tokens once `verify` has found the signer and
 * charged its key. A malformed, wrongly signed, excessive or broken off request so costs its address.
 * @param verify  null: the sender disconnected
 * @throws {ServiceError} RATE_LIMIT_EXCEEDED, and the errors of `verify`
 */
export async function chargeUnverified<T>(
  { limiters }: ExchangeContext,
  exchange: Exchange,
  limit_class: UnverifiedClass,
  verify: () => Promise<T | null>,
): Promise<T | null> {
  if (limiters === null) return verify()
  const limiter = limiters.unverified[limit_class]
  const address = callerOf(exchange.ip)
  const cost = costOf(exchange.request.raw.headers)
  const verdict = limiter.take(address, cost, Math.floor(exchange.now / 1000))
  try {
    if (!verdict.admitted) throw usedUp(limit_class, cost, verdict)
    const verified = await verify()
    if (verified !== null) limiter.giveBack(address, cost)
    return verified
  } catch (error) {
    if (!exchange.headers.includes('svc-ratelimit-limit-class'))
      exchange.headers.push(...tokenHeaders(limit_class, cost, verdict))
    throw error
  }
}

/** A body whose length is not stated costs what the longest one costs. */
function costOf(headers: IncomingHttpHeaders): number {
  const stated = headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : BODY_BYTES_MAX
  return 1 + Math.floor(Math.min(stated, BODY_BYTES_MAX) / UNVERIFIED.bytes_each)
}

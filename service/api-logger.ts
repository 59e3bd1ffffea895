import type { ApiLogger } from '../api/server/exchange.ts'
import { isServiceError } from '../primitives/errors.ts'
import type { LogFacts } from '../primitives/log-line.ts'
import { TokenBucket } from '../primitives/token-bucket.ts'
import { LOGGED_REFUSALS } from '../protocol/limits.ts'
import { describeFailure, stackOf } from './exit-codes.ts'
import type { Output } from './output.ts'

/**
 * Creates the log of an API: a failed request is an error with its request_id. SERVICE_UNAVAILABLE is a problem that may repeat, because
 * callers see it, it is normal until a warehouse exists, and each request may meet it; level debug has each of them. A refused order is
 * information, within a budget, because a member may be refused as often as it likes; level debug has all of them.
 */
export function apiLogger(
  output: Pick<Output, 'log' | 'problem'>,
  debug: boolean,
  now_ms: () => number = Date.now,
): ApiLogger {
  const { rate, burst } = LOGGED_REFUSALS
  const refusals = new TokenBucket({ tokens: rate, window_ms: 1000, burst })
  return {
    error: (given, message) => {
      const facts = factsOf(given)
      const text = given.error === undefined ? message : `${message}: ${describeFailure(given.error).error.message}`
      if (!isServiceError(given.error, 'SERVICE_UNAVAILABLE')) {
        const stack = debug && given.error instanceof Error ? stackOf(given.error) : undefined
        output.log('error', text, { ...facts, stack })
        return
      }
      output.problem(text, { ...facts, level: 'info' })
      output.log('debug', text, facts)
    },
    refused: ({ account_id, ...given }, message) => {
      const is_shown = account_id !== null && refusals.take(now_ms())
      output.log(is_shown ? 'info' : 'debug', message, { ...factsOf(given), account_id: account_id ?? undefined })
    },
    warn: (given, message) => output.log('warn', message, factsOf(given)),
  }
}

function factsOf({ request_id, operation, code, error }: Parameters<ApiLogger['error']>[0]): LogFacts {
  const known = code ?? (error === undefined ? undefined : describeFailure(error).error.code)
  return { code: known, request_id, operation }
}

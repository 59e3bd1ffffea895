import type { ApiLogger } from '../api/server/exchange.ts'
import { isServiceError } from '../primitives/errors.ts'
import type { LogFacts } from '../primitives/log-line.ts'
import { describeFailure, stackOf } from './exit-codes.ts'
import type { Output } from './output.ts'

/**
 * Creates the log of an API: a failed request is an error with its request_id. SERVICE_UNAVAILABLE is a problem that may repeat, because
 * callers see it, it is normal until a warehouse exists, and each request may meet it; level debug has each of them.
 */
export function apiLogger(output: Pick<Output, 'log' | 'problem'>, debug: boolean): ApiLogger {
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
    warn: (given, message) => output.log('warn', message, factsOf(given)),
  }
}

function factsOf({ request_id, operation, code, error }: Parameters<ApiLogger['error']>[0]): LogFacts {
  const known = code ?? (error === undefined ? undefined : describeFailure(error).error.code)
  return { code: known, request_id, operation }
}

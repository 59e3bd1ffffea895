import type { ErrorCode } from '../primitives/error-codes.ts'
import type { RateClass } from './limits.ts'

/** Subject that a limit is counted for. */
type LimitScope = 'request' | 'connection' | 'address' | 'key' | 'account' | 'webhook' | 'process'

/** One limit of the API: its default, and what happens at it. */
export type Limit = {
  readonly name: string
  readonly value: number
  readonly per: LimitScope
  /** Error that a caller gets; null: see `effect`. */
  readonly code: ErrorCode | null
  /** Effect of the limit in words. */
  readonly effect: string
  /** File that enforces it. */
  readonly enforced_in: string
  /** Metric that counts what met it; null: the answer says so, and nothing is refused. */
  readonly metric: string | null
}

/** Metric of answers by status. */
export const ANSWERS = 'tidemark_http_answers_total'
type Rest = Omit<Limit, 'name' | 'value'>

/** Returns the rows of a token bucket. */
export function bucket(name: string, { rate, burst }: RateClass, rest: Rest): Limit[] {
  return [
    { name: `${name}.rate`, value: rate, ...rest },
    { name: `${name}.burst`, value: burst, ...rest },
  ]
}

/** Returns the row of one number. */
export function one(name: string, value: number, rest: Rest): Limit {
  return { name, value, ...rest }
}

/** Rest of a limit beyond which a caller gets an error. */
export const rejected = (
  per: LimitScope,
  code: ErrorCode,
  enforced_in: string,
  metric: string | null = ANSWERS,
): Rest => ({
  ...{ per, code, effect: 'rejected', enforced_in, metric },
})
/** Rest of a limit that has another effect. */
export const closed = (per: LimitScope, effect: string, enforced_in: string, metric: string | null = null): Rest => ({
  ...{ per, code: null, effect, enforced_in, metric },
})

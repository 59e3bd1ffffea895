import type { Static } from 'typebox'
import type { ErrorCode } from '../../primitives/error-codes.ts'
import { type ErrorFacts, ServiceError } from '../../primitives/errors.ts'
import type { FieldViolation } from '../../protocol/envelope.ts'
import { echoValue } from './echo-value.ts'

export type Violation = Static<typeof FieldViolation> & { readonly code: ErrorCode }

/** Refusal of a request by one stage of its checks, with every fault of that stage; the first one sets the code. */
export class RequestRefusal extends ServiceError {
  readonly violations: readonly Violation[]

  constructor(violations: readonly [Violation, ...Violation[]], facts: ErrorFacts = {}) {
    const [first, ...others] = violations
    const more = others.length === 0 ? '' : ` (and ${others.length} more, see field_violations)`
    super(first.code, `${first.message}${more}`, { field: first.field, ...facts })
    this.violations = violations
  }
}

/** Builds one fault from the field, the value seen (null: none) and the rule. */
export function violation(code: ErrorCode, field: string, value: string | null, rule: string): Violation {
  const seen = value === null ? null : echoValue(value)
  const message = seen === null ? `${field} ${rule}` : `${field} is ${JSON.stringify(seen)}; ${rule}`
  return { field, code, message, value: seen }
}

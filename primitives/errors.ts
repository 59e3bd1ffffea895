import { ERROR_CODES, type ErrorCode } from './error-codes.ts'

/** Numbers and names behind an error's message, as strings. */
export type ErrorFacts = Readonly<Record<string, string>>

/** Base of every error a caller may see. The message names the field, the value seen and what is allowed. */
export class ServiceError<C extends ErrorCode = ErrorCode> extends Error {
  override readonly name: string = 'ServiceError'
  readonly code: C
  readonly facts: ErrorFacts

  constructor(code: C, message: string, facts: ErrorFacts = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.facts = facts
  }

  get exit_code(): number {
    return ERROR_CODES[this.code].exit_code
  }
}

/** An error about one value: `index_id is "idx_x"; allowed: an index of GET /v1/indexes`. */
export function refusedValue<C extends ErrorCode>(
  code: C,
  field: string,
  value: string,
  allowed: string,
): ServiceError<C> {
  return new ServiceError(code, `${field} is ${JSON.stringify(value)}; allowed: ${allowed}`, { field, value })
}

/** The same with the value as it is written: `expires_at is 2026-01-01T00:00:00Z; allowed: after now`. */
export function notAllowed<C extends ErrorCode>(
  code: C,
  field: string,
  value: string,
  allowed: string,
): ServiceError<C> {
  return new ServiceError(code, `${field} is ${value}; allowed: ${allowed}`, { field, value })
}

/** Programming error: a state that the code rules out. Never shown to a caller as such. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError'
}

/** Throws unless `condition` holds; for states that only a bug can reach. */
export function invariant(condition: boolean, message: string): asserts condition {
  if (!condition) throw new InvariantError(message)
}

/** Returns whether an error is one of ours, optionally with a given code. */
export function isServiceError(error: unknown, code?: ErrorCode): error is ServiceError {
  return error instanceof ServiceError && (code === undefined || error.code === code)
}

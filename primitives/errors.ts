/**
 * Every error code a caller may see: HTTP status, exit code of the command line, whether the same request may be retried.
 * docs/errors.md has one row per code; test/errors-documented.test.ts compares both ways.
 *
 * Exit codes: 1 the answer is "no", 2 wrong usage or input, 3 not found, 4 a service is unavailable.
 */
export const ERROR_CODES = {
  VALIDATION_USAGE_INVALID: { status: 400, exit_code: 2, retryable: false },
  VALIDATION_DECIMAL_INVALID: { status: 400, exit_code: 2, retryable: false },
  VALIDATION_INSTANT_INVALID: { status: 400, exit_code: 2, retryable: false },
  VALIDATION_DURATION_INVALID: { status: 400, exit_code: 2, retryable: false },
  VALIDATION_RANGE_INVALID: { status: 400, exit_code: 2, retryable: false },
  VALIDATION_ID_INVALID: { status: 400, exit_code: 2, retryable: false },
  VALIDATION_INPUT_UNREADABLE: { status: 400, exit_code: 2, retryable: false },
  VALIDATION_ARCHIVE_INVALID: { status: 400, exit_code: 2, retryable: false },
  VALIDATION_EVIDENCE_INVALID: { status: 400, exit_code: 2, retryable: false },
  VALIDATION_DEFINITION_INVALID: { status: 400, exit_code: 2, retryable: false },
  VALIDATION_VERSION_PUBLISHED: { status: 409, exit_code: 2, retryable: false },
  VALIDATION_VERSION_OVERLAP: { status: 400, exit_code: 2, retryable: false },
  VALIDATION_CLOCK_REFUSED: { status: 409, exit_code: 2, retryable: false },
  VALIDATION_AS_OF_IN_FUTURE: { status: 400, exit_code: 2, retryable: false },
  VALIDATION_AS_OF_UNAVAILABLE: { status: 422, exit_code: 2, retryable: false },
  VALIDATION_PARAMETER_UNKNOWN: { status: 400, exit_code: 2, retryable: false },
  VALIDATION_PARAMETER_REPEATED: { status: 400, exit_code: 2, retryable: false },
  VALIDATION_PARAMETER_MISSING: { status: 400, exit_code: 2, retryable: false },
  VALIDATION_PARAMETER_INVALID: { status: 400, exit_code: 2, retryable: false },
  VALIDATION_CURSOR_INVALID: { status: 400, exit_code: 2, retryable: false },
  VALIDATION_BODY_INVALID: { status: 400, exit_code: 2, retryable: false },
  VALIDATION_BODY_TOO_LARGE: { status: 413, exit_code: 2, retryable: false },
  VALIDATION_MEDIA_TYPE_UNSUPPORTED: { status: 415, exit_code: 2, retryable: false },
  VALIDATION_ACCEPT_UNSUPPORTED: { status: 406, exit_code: 2, retryable: false },
  VALIDATION_REQUEST_MALFORMED: { status: 400, exit_code: 2, retryable: false },
  VALIDATION_MESSAGE_INVALID: { status: 400, exit_code: 2, retryable: false },
  VALIDATION_QUERY_LIMIT: { status: 422, exit_code: 2, retryable: false },
  VALIDATION_SQL_REFUSED: { status: 400, exit_code: 2, retryable: false },
  VALIDATION_SQL_LIMIT: { status: 400, exit_code: 2, retryable: false },
  INDEX_SOURCE_NOT_ELIGIBLE: { status: 422, exit_code: 2, retryable: false },
  INDEX_CAP_INFEASIBLE: { status: 422, exit_code: 2, retryable: false },
  INDEX_CAP_NO_CONVERGENCE: { status: 422, exit_code: 2, retryable: false },
  INDEX_LINK_UNSTABLE: { status: 422, exit_code: 2, retryable: false },
  INDEX_GEARING_LIMIT: { status: 422, exit_code: 2, retryable: false },
  INDEX_NOT_FOUND: { status: 404, exit_code: 3, retryable: false },
  INDEX_VERSION_NOT_FOUND: { status: 404, exit_code: 3, retryable: false },
  METHODOLOGY_NOT_FOUND: { status: 404, exit_code: 3, retryable: false },
  EVENT_NOT_FOUND: { status: 404, exit_code: 3, retryable: false },
  MARKET_NOT_FOUND: { status: 404, exit_code: 3, retryable: false },
  MARKET_OUTCOME_NOT_FOUND: { status: 404, exit_code: 3, retryable: false },
  RESOLUTION_NOT_FOUND: { status: 404, exit_code: 3, retryable: false },
  RATING_NOT_FOUND: { status: 404, exit_code: 3, retryable: false },
  ASSESSMENT_NOT_FOUND: { status: 404, exit_code: 3, retryable: false },
  SEVERITY_INDEX_NOT_FOUND: { status: 404, exit_code: 3, retryable: false },
  REVIEW_NOT_ALLOWED: { status: 403, exit_code: 2, retryable: false },
  REVIEW_STATE_CONFLICT: { status: 409, exit_code: 2, retryable: false },
  ORDER_BOOK_NOT_FOUND: { status: 404, exit_code: 3, retryable: false },
  SUBSCRIPTION_NOT_FOUND: { status: 404, exit_code: 3, retryable: false },
  ROUTE_NOT_FOUND: { status: 404, exit_code: 3, retryable: false },
  METHOD_NOT_ALLOWED: { status: 405, exit_code: 2, retryable: false },
  UPGRADE_REQUIRED: { status: 426, exit_code: 2, retryable: false },
  SOURCE_NOT_PUBLIC: { status: 403, exit_code: 2, retryable: false },
  RATE_LIMIT_EXCEEDED: { status: 429, exit_code: 4, retryable: true },
  SERVICE_UNAVAILABLE: { status: 503, exit_code: 4, retryable: true },
  OBSERVATION_NOT_FOUND: { status: 404, exit_code: 3, retryable: false },
  VENUE_UNAVAILABLE: { status: 503, exit_code: 4, retryable: true },
  VENUE_ANSWER_REFUSED: { status: 502, exit_code: 4, retryable: false },
  BACKFILL_CHUNK_INCOMPLETE: { status: 502, exit_code: 1, retryable: false },
  SCHEDULE_NOT_FOUND: { status: 404, exit_code: 3, retryable: false },
  SCHEDULE_PAUSED: { status: 503, exit_code: 4, retryable: true },
  WAREHOUSE_NOT_FOUND: { status: 404, exit_code: 3, retryable: false },
  WAREHOUSE_CORRUPT: { status: 500, exit_code: 1, retryable: false },
  WAREHOUSE_BUSY: { status: 503, exit_code: 4, retryable: true },
  WAREHOUSE_CLOCK_SKEW: { status: 503, exit_code: 4, retryable: true },
  WAREHOUSE_STORE_UNSUITABLE: { status: 503, exit_code: 4, retryable: false },
  WAREHOUSE_SCHEMA_CHANGED: { status: 503, exit_code: 4, retryable: false },
  WAREHOUSE_STORE_FULL: { status: 503, exit_code: 4, retryable: true },
  AUTH_CREDENTIALS_INVALID: { status: 401, exit_code: 2, retryable: false },
  AUTH_TIMESTAMP_OUT_OF_WINDOW: { status: 401, exit_code: 2, retryable: true },
  AUTH_SCOPE_INSUFFICIENT: { status: 403, exit_code: 2, retryable: false },
  AUTH_IP_NOT_ALLOWED: { status: 403, exit_code: 2, retryable: false },
  AUTH_ENVIRONMENT_MISMATCH: { status: 403, exit_code: 2, retryable: false },
  SIGNATURE_INVALID: { status: 400, exit_code: 2, retryable: false },
  SIGNATURE_TYPE_UNSUPPORTED: { status: 400, exit_code: 2, retryable: false },
  SIGNATURE_ORDER_MISMATCH: { status: 400, exit_code: 2, retryable: false },
  SIGNATURE_ORDER_EXPIRED: { status: 400, exit_code: 2, retryable: false },
  SIGNATURE_AUTHORIZATION_MISMATCH: { status: 400, exit_code: 2, retryable: false },
  SIGNATURE_AUTHORIZATION_EXPIRED: { status: 400, exit_code: 2, retryable: false },
  SIGNATURE_SIGNER_UNAUTHORIZED: { status: 400, exit_code: 2, retryable: false },
  REPLAY_REQUEST_NONCE_REUSED: { status: 409, exit_code: 2, retryable: false },
  REPLAY_ORDER_NONCE_REUSED: { status: 409, exit_code: 2, retryable: false },
  REPLAY_AUTHORIZATION_NONCE_REUSED: { status: 409, exit_code: 2, retryable: false },
  IDEMPOTENCY_KEY_REQUIRED: { status: 400, exit_code: 2, retryable: false },
  IDEMPOTENCY_CONFLICT: { status: 409, exit_code: 2, retryable: false },
  IDEMPOTENCY_IN_PROGRESS: { status: 409, exit_code: 2, retryable: true },
  RISK_ACCOUNT_BLOCKED: { status: 422, exit_code: 2, retryable: false },
  MARKET_NOT_TRADABLE: { status: 422, exit_code: 2, retryable: false },
  ORDER_SETTLEMENT_ASSET_INVALID: { status: 422, exit_code: 2, retryable: false },
  ORDER_TICK_SIZE_INVALID: { status: 422, exit_code: 2, retryable: false },
  ORDER_PRICE_OUT_OF_RANGE: { status: 422, exit_code: 2, retryable: false },
  ORDER_LOT_SIZE_INVALID: { status: 422, exit_code: 2, retryable: false },
  ORDER_TIF_INCOMPATIBLE: { status: 422, exit_code: 2, retryable: false },
  RISK_MAX_NOTIONAL_EXCEEDED: { status: 422, exit_code: 2, retryable: false },
  RISK_MAX_FEE_EXCEEDED: { status: 422, exit_code: 2, retryable: false },
  RISK_PRICE_PROTECTION: { status: 422, exit_code: 2, retryable: false },
  ORDER_REDUCE_ONLY_NO_POSITION: { status: 422, exit_code: 2, retryable: false },
  BALANCE_INSUFFICIENT_POSITION: { status: 422, exit_code: 2, retryable: false },
  RISK_POSITION_LIMIT_EXCEEDED: { status: 422, exit_code: 2, retryable: false },
  BALANCE_INSUFFICIENT_COLLATERAL: { status: 422, exit_code: 2, retryable: false },
  ORDER_POST_ONLY_WOULD_TAKE: { status: 422, exit_code: 2, retryable: false },
  ORDER_FOK_NOT_FILLABLE: { status: 422, exit_code: 2, retryable: false },
  ORDER_AMEND_NOT_ALLOWED: { status: 422, exit_code: 2, retryable: false },
  ORDER_NOT_CANCELABLE: { status: 409, exit_code: 2, retryable: false },
  ORDER_VERSION_CONFLICT: { status: 409, exit_code: 2, retryable: false },
  ORDER_DUPLICATE_CLIENT_ID: { status: 409, exit_code: 2, retryable: false },
  ORDER_NOT_FOUND: { status: 404, exit_code: 3, retryable: false },
  FILL_NOT_FOUND: { status: 404, exit_code: 3, retryable: false },
  SETTLEMENT_NOT_FOUND: { status: 404, exit_code: 3, retryable: false },
  ACCOUNT_NOT_FOUND: { status: 404, exit_code: 3, retryable: false },
  API_KEY_NOT_FOUND: { status: 404, exit_code: 3, retryable: false },
  API_KEY_ID_TAKEN: { status: 409, exit_code: 2, retryable: false },
  API_KEY_NOT_ACTIVE: { status: 409, exit_code: 2, retryable: false },
  OUTCOME_UNKNOWN: { status: 504, exit_code: 4, retryable: true },
  INTERNAL_ERROR: { status: 500, exit_code: 1, retryable: false },
} as const satisfies Record<string, { status: number; exit_code: 1 | 2 | 3 | 4; retryable: boolean }>

export type ErrorCode = keyof typeof ERROR_CODES

/** Numbers and names behind an error's message, as strings. */
export type ErrorFacts = Readonly<Record<string, string>>

/** Base of every error a caller may see. The message names the field, the value seen and what is allowed. */
export class ServiceError<C extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'ServiceError'
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

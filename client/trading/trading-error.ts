/** One independent failure of the shape of a request. */
type FieldViolation = { readonly field: string; readonly message: string }

/** The error object of an answer; codes that a later service adds pass through. */
export type ErrorObject = {
  readonly code: string
  readonly message: string
  readonly retryable: boolean
  readonly request_id: string | null
  readonly field_violations?: readonly FieldViolation[]
  /** Facts of some codes: `server_time_ms`, `retry_after_ms`, digest and signers of a signature, ... */
  readonly [fact: string]: unknown
}

/**
 * What every call of the client throws when it did not get what it asked for. `status` is null where no answer came; `data` is what
 * a refusal carries beside its error: the rejected order, or the latest projection of one whose version has moved on.
 */
export class TradingError extends Error {
  override readonly name = 'TradingError'
  readonly code: string
  readonly retryable: boolean
  readonly status: number | null
  readonly request_id: string | null
  readonly error: ErrorObject
  readonly data: unknown

  constructor(error: ErrorObject, status: number | null, data: unknown = null, cause?: unknown) {
    super(error.message, cause === undefined ? undefined : { cause })
    this.code = error.code
    this.retryable = error.retryable
    this.status = status
    this.request_id = error.request_id
    this.error = error
    this.data = data
  }
}

/** Type guard for a refusal, optionally of one code. */
export function isTradingError(error: unknown, code?: string): error is TradingError {
  return error instanceof TradingError && (code === undefined || error.code === code)
}

/** A refusal that the client states itself: nothing was sent, or no answer of the service came. */
export function clientError(code: string, message: string, retryable: boolean, cause?: unknown): TradingError {
  return new TradingError({ code, message, retryable, request_id: null }, null, null, cause)
}

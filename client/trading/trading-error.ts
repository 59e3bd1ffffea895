/** Invalid field of a request. */
type FieldViolation = { readonly field: string; readonly message: string }

/** Error object of an answer; unknown codes of later services pass through. */
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
 * Error of a refused or unanswered call. `status` is null without an HTTP answer: none came, or the stream gave an error; `data` is what the refusal carries beside its error: the
 * rejected order, or the latest projection of an order whose version has changed.
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

/** Whether an error is a TradingError, optionally of one code. */
export function isTradingError(error: unknown, code?: string): error is TradingError {
  return error instanceof TradingError && (code === undefined || error.code === code)
}

/** Creates an error of the client itself: nothing was sent, or no answer arrived. */
export function clientError(code: string, message: string, retryable: boolean, cause?: unknown): TradingError {
  return new TradingError({ code, message, retryable, request_id: null }, null, null, cause)
}

import { ERROR_CODES, type ErrorCode } from '../primitives/error-codes.ts'
import { ServiceError } from '../primitives/errors.ts'
import { escapedText } from '../primitives/plain-text.ts'
import { STAGE_OF } from './contract/error-stages.ts'
import { statedMs } from './http/waits.ts'

/** Invalid field of a request. */
export type FieldViolation = {
  readonly field: string
  readonly message: string
  readonly code?: string
  readonly value?: string | null
}

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
 * Returns the error object of an answer with the fields that each has, and a wait that can be kept; null: the value is none.
 * @param retry_after_ms wait that is stated beside it; null: none
 */
export function errorObject(value: unknown, retry_after_ms: number | null = null): ErrorObject | null {
  const { code, message, retryable, request_id, ...facts } = (value ?? {}) as Readonly<Record<string, unknown>>
  if (typeof code !== 'string' || !/^[A-Z][A-Z0-9_]*$/.test(code) || typeof message !== 'string') return null
  return {
    ...facts,
    code,
    message,
    retryable: retryable === true,
    request_id: typeof request_id === 'string' ? request_id : null,
    retry_after_ms: statedMs(facts.retry_after_ms) ?? retry_after_ms,
  }
}

/** Error of every refused, unanswered or invalid call of the client. */
export class TidemarkError extends ServiceError {
  override readonly name = 'TidemarkError'
  /** HTTP status; null: no HTTP answer came, or the stream sent the error. */
  readonly status: number | null
  /** Whether the same request may succeed later. */
  readonly retryable: boolean
  /** Id of the refused request, for questions to the operator; null: nothing was answered. */
  readonly request_id: string | null
  /** Check of the service that found the fault, from 1 on (docs/errors.md); null: no check of a request. */
  readonly stage: number | null
  readonly field_violations: readonly FieldViolation[]
  readonly error: ErrorObject
  /** Resource that a refusal carries: the rejected order, or the latest projection of a changed one. */
  readonly data: unknown

  constructor(error: ErrorObject, status: number | null, data: unknown = null, cause?: unknown) {
    // A text of the service may hold characters that a terminal obeys.
    super(error.code as ErrorCode, escapedText(error.message), {}, cause)
    this.status = status
    this.retryable = error.retryable
    this.request_id = error.request_id
    this.stage = STAGE_OF[error.code] ?? null
    this.field_violations = Array.isArray(error.field_violations) ? error.field_violations : []
    this.error = error
    this.data = data
  }

  override get exit_code(): number {
    const known = ERROR_CODES[this.code] as { exit_code: number } | undefined
    return known?.exit_code ?? (this.status !== null && this.status < 500 ? 2 : 4)
  }
}

/** Creates the error that a message of a stream states. */
export function toldError(value: unknown): TidemarkError {
  const error = errorObject(value)
  return error === null
    ? clientError('SERVICE_UNAVAILABLE', 'the stream sent an error that is not as this API states them', true)
    : new TidemarkError(error, null)
}

/** Whether an error is one of the client's, optionally of one code. */
export function isTidemarkError(error: unknown, code?: string): error is TidemarkError {
  return error instanceof TidemarkError && (code === undefined || error.code === code)
}

/** Creates an error of the client itself: nothing was sent, or no answer arrived. */
export function clientError(code: string, message: string, retryable: boolean, cause?: unknown): TidemarkError {
  return new TidemarkError({ code, message, retryable, request_id: null }, null, null, cause)
}

/** Returns an error of the shared rules, such as a decimal that cannot be signed, as one of the client's; others as they are. */
export function asTidemarkError(error: unknown): unknown {
  if (error instanceof TidemarkError || !(error instanceof ServiceError)) return error
  const { code, message } = error as ServiceError
  return clientError(code, message, ERROR_CODES[code].retryable, error)
}

/** Runs work whose errors are to be of the client's class. */
export async function ofOneClass<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw asTidemarkError(error)
  }
}

/** The same for work that is done at once. */
export function ofOneClassNow<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw asTidemarkError(error)
  }
}

import { ServiceError } from '../../primitives/errors.ts'

/** A venue that does not answer now. `retry_after_ms`: how long it asks to wait; null where it does not say. */
export class VenueUnavailableError extends ServiceError<'VENUE_UNAVAILABLE'> {
  readonly retry_after_ms: number | null
  /** True: it answers, and asks for fewer requests. */
  readonly throttled: boolean

  constructor(request: AskedOf, why: string, more: UnavailableFacts = {}) {
    const { retry_after_ms = null, throttled = false, cause } = more
    super('VENUE_UNAVAILABLE', `${request.venue_id} ${request.path} ${why}`, { ...request }, cause)
    this.retry_after_ms = retry_after_ms
    this.throttled = throttled
  }
}

/** A venue's answer that is not taken, and would not be another time. */
export class VenueAnswerError extends ServiceError<'VENUE_ANSWER_REFUSED'> {
  constructor(request: AskedOf, why: string) {
    super('VENUE_ANSWER_REFUSED', `${request.venue_id} ${request.path} ${why}`, { ...request })
  }
}

/** Who was asked for what. */
export type AskedOf = { readonly venue_id: string; readonly path: string }

type UnavailableFacts = {
  readonly retry_after_ms?: number | null
  readonly throttled?: boolean
  readonly cause?: unknown
}

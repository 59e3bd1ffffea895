import { ServiceError } from '../../primitives/errors.ts'

/** A venue that does not answer now. `retry_after_ms`: the wait it asks for; null if it asks for none. */
export class VenueUnavailableError extends ServiceError<'VENUE_UNAVAILABLE'> {
  readonly retry_after_ms: number | null
  /** True if it answers, asking for fewer requests. */
  readonly throttled: boolean

  constructor(request: AskedOf, why: string, more: UnavailableFacts = {}) {
    const { retry_after_ms = null, throttled = false, cause } = more
    super('VENUE_UNAVAILABLE', `${request.venue_id} ${request.path} ${why}`, { ...request }, cause)
    this.retry_after_ms = retry_after_ms
    this.throttled = throttled
  }
}

/** An answer that is rejected, and would be rejected again. */
export class VenueAnswerError extends ServiceError<'VENUE_ANSWER_REFUSED'> {
  constructor(request: AskedOf, why: string) {
    super('VENUE_ANSWER_REFUSED', `${request.venue_id} ${request.path} ${why}`, { ...request })
  }
}

/** The venue and path of a request. */
export type AskedOf = { readonly venue_id: string; readonly path: string }

type UnavailableFacts = {
  readonly retry_after_ms?: number | null
  readonly throttled?: boolean
  readonly cause?: unknown
}

import type { Micros } from '../../primitives/instants.ts'
import type { OperationId } from '../../protocol/endpoints/endpoints.ts'
import type { RateClass, RateClassName } from '../../protocol/limits.ts'
import type { Reader } from '../../warehouse/reader/reader.ts'
import type { OwnVenue } from '../own-venue/own-venue.ts'

/** Value of a path or query parameter after its check; parameters that were not given are absent, defaults are filled in. */
export type ParameterValue = string | number | boolean | readonly string[]

/** Where a page ended: what the next page begins after, and the instant that all pages of the cursor are as of. */
export type CursorState = {
  readonly as_of: Micros
  /** The sort key of the last record, in the form that the route chose. */
  readonly key: readonly (string | number | null)[]
}

/** One checked request. */
export type RouteRequest = {
  readonly reader: Reader
  readonly parameters: Readonly<Record<string, ParameterValue>>
  /** The instant asked for, already pinned; null: now. */
  readonly as_of: Micros | null
  /** Decoded and bound to this endpoint and its filters; null: the first page. */
  readonly cursor: CursorState | null
  /** Markets listed here, straight from the engine; null or left out: this process follows none. */
  readonly own_venue?: OwnVenue | null
  /** Limits and topics of this service, for /capabilities. */
  readonly service: ServiceFacts
}

export type ServiceFacts = {
  readonly environment: string
  /** Whether accounts are served. */
  readonly trading: boolean
  /** The token buckets in force. */
  readonly rate_limits: RateLimits
}

/** Of each limit class what a key and an address may spend; null: nobody without a key may ask. */
export type RateLimits = Readonly<
  Record<RateClassName, { readonly keyed: RateClass; readonly anonymous: RateClass | null }>
>

/**
 * What a route answers. `data` is a JSON value, or the bytes of one that were built before. The server adds meta, page, ETag and
 * headers.
 */
export type RouteAnswer = {
  readonly data: unknown | Buffer
  /** Fields added to the object `data` in this answer alone; no part of its ETag. */
  readonly spliced?: Readonly<Record<string, number>>
  /** Of a collection: the cursor of the next page; null: this is the last. */
  readonly next?: CursorState | null
  readonly max_age_ms?: number
  /** A value of now is older than max_age_ms after this instant, and is labelled stale; null or left out: never. */
  readonly current_until?: Micros | null
  readonly correction_chain?: readonly string[]
}

export type RouteHandler = (request: RouteRequest) => RouteAnswer | Promise<RouteAnswer>
/** One handler an operation: a missing one does not compile. */
export type RouteHandlers = Readonly<Record<OperationId, RouteHandler>>

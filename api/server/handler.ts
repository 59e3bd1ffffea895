import type { LoggedRecord } from '../../pipelines/transparency/log-entry.ts'
import type { Micros } from '../../primitives/instants.ts'
import type { OperationId } from '../../protocol/endpoints/endpoints.ts'
import type { RateClass, RateClassName } from '../../protocol/limits.ts'
import type { Reader } from '../../warehouse/reader/reader.ts'
import type { LogReader } from '../../warehouse/transparency/log-reader.ts'
import type { OwnVenue } from '../own-venue/own-venue.ts'

/** Value of a path or query parameter after its check; parameters that were not given are absent, defaults are filled in. */
export type ParameterValue = string | number | boolean | readonly string[]

/** State of a cursor: the key after which the next page begins, and the instant of all its pages. */
export type CursorState = {
  readonly as_of: Micros
  /** Lists of the catalogue: stamp of the last row of each of its tables on the first page (CatalogState). */
  readonly known?: readonly Micros[]
  /** Sort key of the last record, in the route's own form. */
  readonly key: readonly (string | number | null)[]
}

/** One checked request. */
export type RouteRequest = {
  readonly reader: Reader
  readonly parameters: Readonly<Record<string, ParameterValue>>
  /** Requested instant, whose reads `reader` has; null: now. */
  readonly as_of: Micros | null
  /** Instant of a current answer: ages count to it, and it is meta.published_at. */
  readonly now: Micros
  /** Decoded and verified for this endpoint and its filters; null: the first page. */
  readonly cursor: CursorState | null
  /** Markets listed on Tidemark, from the engine's events; null or absent: this process follows no engine. */
  readonly own_venue?: OwnVenue | null
  /** Log of published records; null or absent: this process serves none. */
  readonly log?: LogReader | null
  /** Limits and topics of this service, for /capabilities. */
  readonly service: ServiceFacts
}

export type ServiceFacts = {
  readonly environment: string
  /** Whether accounts are served. */
  readonly trading: boolean
  /** The token buckets in force. */
  readonly rate_limits: RateLimits
  /** Values of limits in force by name, where they may differ from their defaults. */
  readonly limits_in_force: Readonly<Record<string, number>>
}

/** Token buckets of a key and of an address, by limit class; null: a key is required. */
export type RateLimits = Readonly<
  Record<RateClassName, { readonly keyed: RateClass; readonly anonymous: RateClass | null }>
>

/**
 * Kind of an answer's record in the log, and the record itself; null: the answer shows none. Of a list the kinds and the records, in the
 * order of the answer; null: the log has none of its kind.
 */
export type LoggedAnswer =
  | { readonly kind: string; readonly record: (() => LoggedRecord) | null }
  | {
      readonly kinds: readonly string[]
      readonly records: (() => readonly LoggedRecord[] | Promise<readonly LoggedRecord[]>) | null
    }

/**
 * Answer of a route. `data` is a JSON value, or prebuilt bytes of one. The server adds meta, page, ETag and headers.
 */
export type RouteAnswer = {
  readonly data: unknown | Buffer
  /** Fields added to the object `data` in this response; not covered by its ETag. */
  readonly spliced?: Readonly<Record<string, number>>
  /** Collections: state of the next page's cursor; null: this is the last page. */
  readonly next?: CursorState | null
  readonly max_age_ms?: number
  /** Instant after which a current value is older than max_age_ms, and so labeled stale; null or absent: never. */
  readonly current_until?: Micros | null
  readonly correction_chain?: readonly string[]
  /** meta.published_at of a current answer: an as_of that gives it again; null or absent: the instant of memory, of later pages the cursor's. */
  readonly published_at?: Micros | null
  /** Records of the answer, for a receipt. */
  readonly logged?: LoggedAnswer
  /** The answer as text/plain, of an endpoint that offers it. */
  readonly plain?: string
}

export type RouteHandler = (request: RouteRequest) => RouteAnswer | Promise<RouteAnswer>
/** One handler for each operation; a missing one does not compile. */
export type RouteHandlers = Readonly<Record<OperationId, RouteHandler>>

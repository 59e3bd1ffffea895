import type { PayloadVenue } from '../../pipelines/venues/payload-venues.ts'
import type { Micros } from '../../primitives/instants.ts'
import type { PayloadItem } from '../archives/payloads/payload-item.ts'
import type { HttpPolicy } from '../http/http-policy.ts'
import type { RateLimit } from '../http/rate-limits.ts'
import type { StreamPolicy } from '../ws/stream-policy.ts'
import type { VenueStream, VenueStreamOptions } from '../ws/venue-stream.ts'

/**
 * What a venue is asked for, in the order of a full read:
 *   catalogue    events, series and markets: what there is
 *   markets      the list of markets, and the book or probability of each that trades
 *   trades       the public tape of the range
 *   resolutions  markets that ended within the range
 *   history      candles or past prices of the range, of each market that trades
 */
export const READ_PARTS = ['catalogue', 'markets', 'trades', 'resolutions', 'history'] as const
export type ReadPart = (typeof READ_PARTS)[number]

/** Source instants [from, to); to null = up to the present one. */
export type ReadRange = { readonly from: Micros; readonly to: Micros | null }

/** Reads one venue. Answers and messages come as payloads, in the order in which they were received. */
export type VenueConnector = {
  readonly venue_id: PayloadVenue
  /** The parts that the venue has. */
  readonly parts: readonly ReadPart[]
  /**
   * One part; nothing where the venue has no such part. An answer that is not JSON is kept, and asked for again. What
   * trades is known from the last list of markets, which is read first where there is none.
   * @throws {ServiceError} VENUE_UNAVAILABLE, VENUE_ANSWER_REFUSED; what was read before has been given out
   */
  read(part: ReadPart, range: ReadRange, signal?: AbortSignal): AsyncGenerator<PayloadItem>
  /** Live messages of everything that the last list of markets shows as not ended; none where the venue has no websocket. */
  openStreams(): readonly VenueStream[]
  close(): Promise<void>
}

/** Ports and settings that every connector takes. */
export type ConnectorOptions = {
  /** The clock that says when something was received. */
  readonly now: () => Micros
  readonly limits?: readonly RateLimit[]
  /** Items that a page of a list holds at most; what the venue's own limit allows where none is given. */
  readonly page_max?: number
  readonly http?: Partial<HttpPolicy>
  readonly stream?: Partial<StreamPolicy>
  readonly stream_sleep?: VenueStreamOptions['sleep']
}

/** Every part of a venue in order: one full read. */
export async function* readAll(
  connector: VenueConnector,
  range: ReadRange,
  signal?: AbortSignal,
): AsyncGenerator<PayloadItem> {
  for (const part of connector.parts) yield* connector.read(part, range, signal)
}

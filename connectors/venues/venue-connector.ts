import type { PayloadVenue } from '../../pipelines/venues/payload-venues.ts'
import type { Micros } from '../../primitives/instants.ts'
import type { PayloadItem } from '../archives/payloads/payload-item.ts'
import type { HttpPolicy } from '../http/http-policy.ts'
import type { RateLimit } from '../http/rate-limits.ts'
import type { RequestSigner } from '../http/venue-http-client.ts'
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
export type ReadRange = {
  readonly from: Micros
  readonly to: Micros | null
  /**
   * Of these markets alone, as the venue calls them; all when left out. Then the catalogue has the markets' own documents, which
   * are given out again for a while without asking the venue, and all parts also read markets that trade no more.
   */
  readonly source_market_ids?: readonly string[]
}

/** Reads one venue. Answers and messages come as payloads, in the order in which they were received. */
export type VenueConnector = {
  readonly venue_id: PayloadVenue
  /** The parts that the venue has. */
  readonly parts: readonly ReadPart[]
  /** True: trades and past prices can be read by those alone who read the documents of their market before. */
  readonly described_first: boolean
  /** When the venue last gave a sign of life, by an answer, a message or a heartbeat; null = never. */
  readonly confirmed_at: Micros | null
  /**
   * One part; nothing where the venue has no such part. An answer that is not JSON is kept, and asked for again. What
   * trades is known from the last list of markets, which is read first where there is none.
   * @throws {ServiceError} VENUE_UNAVAILABLE, VENUE_ANSWER_REFUSED; what was read before has been given out
   */
  read(part: ReadPart, range: ReadRange, signal?: AbortSignal): AsyncGenerator<PayloadItem>
  /** Live messages of everything that the last list of markets shows as not ended; none where the venue has no websocket. */
  openStreams(): readonly VenueStream[]
  /**
   * Subscribes to what the last list of markets shows besides: on the streams that are open, and where these have no place, on
   * further ones, which are given back.
   */
  extendStreams(): readonly VenueStream[]
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
  /** Signs requests and handshakes, where the venue knows who asks. */
  readonly sign?: RequestSigner
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

import type { PayloadVenue } from '../../pipelines/venues/payload-venues.ts'
import type { Micros } from '../../primitives/instants.ts'
import type { PayloadItem } from '../archives/payloads/payload-item.ts'
import type { HttpPolicy } from '../http/http-policy.ts'
import type { RateLimit } from '../http/rate-limits.ts'
import type { RequestSigner } from '../http/venue-http-client.ts'
import type { StreamPolicy } from '../ws/stream-policy.ts'
import type { VenueStream, VenueStreamOptions } from '../ws/venue-stream.ts'

/**
 * Parts of a venue, in the order of a full read:
 *   catalogue    events, series and markets
 *   markets      the list of markets, and the book or probability of each that trades
 *   quiet_books  the book of each trading market without a recent message or read
 *   trades       the public tape of the range
 *   resolutions  markets that ended within the range
 *   history      candles or past prices of the range, of each market that trades
 */
export const READ_PARTS = ['catalogue', 'markets', 'quiet_books', 'trades', 'resolutions', 'history'] as const
export type ReadPart = (typeof READ_PARTS)[number]

/** Source instants [from, to); to null = up to now. */
export type ReadRange = {
  readonly from: Micros
  readonly to: Micros | null
  /**
   * Ids of markets at the venue; default all. With ids, the catalogue has the markets' own documents, which are reused for a
   * while, and all parts also read markets that no longer trade.
   */
  readonly source_market_ids?: readonly string[]
}

/** Reads one venue. Answers and messages become payloads, in the order of receipt. */
export type VenueConnector = {
  readonly venue_id: PayloadVenue
  /** Parts that the venue has. */
  readonly parts: readonly ReadPart[]
  /** True if trades and past prices can only be read after the documents of their market. */
  readonly described_first: boolean
  /** Time of the venue's last sign of life: an answer, a message or a heartbeat; null = never. */
  readonly confirmed_at: Micros | null
  /**
   * Reads one part; nothing if the venue lacks it. An answer that is not JSON is kept, and requested again. The last list of
   * markets decides what trades; it is read first if there is none.
   * @throws {ServiceError} VENUE_UNAVAILABLE, VENUE_ANSWER_REFUSED, after everything read before was yielded
   */
  read(part: ReadPart, range: ReadRange, signal?: AbortSignal): AsyncGenerator<PayloadItem>
  /** Opens streams of everything in the last list of markets that has not ended; none if the venue has no websocket. */
  openStreams(): readonly VenueStream[]
  /** Forgets the documents and lists that it keeps for a while, so that the next read requests them again. */
  forget(): void
  /** Subscribes to markets added by the last list: on open streams, or on new ones, which are returned. */
  extendStreams(): readonly VenueStream[]
  close(): Promise<void>
}

/** Ports and settings of every connector. */
export type ConnectorOptions = {
  /** Clock of receipts. */
  readonly now: () => Micros
  readonly limits?: readonly RateLimit[]
  /** Ids of markets at the venue whose streams are opened; default all. */
  readonly stream_markets?: readonly string[]
  /** Largest page of a list; default the venue's own limit. */
  readonly page_max?: number
  readonly http?: Partial<HttpPolicy>
  /** Signs requests and handshakes, if the venue requires it. */
  readonly sign?: RequestSigner
  readonly stream?: Partial<StreamPolicy>
  readonly stream_sleep?: VenueStreamOptions['sleep']
}

/** Reads every part of a venue in order: one full read. */
export async function* readAll(
  connector: VenueConnector,
  range: ReadRange,
  signal?: AbortSignal,
): AsyncGenerator<PayloadItem> {
  for (const part of connector.parts) yield* connector.read(part, range, signal)
}

import type { PayloadVenue } from '../../pipelines/venues/payload-venues.ts'
import type { PayloadItem } from '../archives/payloads/payload-item.ts'
import type { VenueHttpClient } from '../http/venue-http-client.ts'
import type { VenueStream } from '../ws/venue-stream.ts'
import { READ_PARTS, type ReadPart, type ReadRange, type VenueConnector } from './venue-connector.ts'

/** What a venue has of each part, and what it is read by. */
export type ConnectorParts = {
  readonly clients: readonly VenueHttpClient[]
  readonly parts: { readonly [part in ReadPart]?: ReadOfPart }
  readonly openStreams?: () => readonly VenueStream[]
}

export type ReadOfPart = (range: ReadRange, signal?: AbortSignal) => AsyncGenerator<PayloadItem, unknown>

/** A connector of its parts; closing it ends the streams that it opened. */
export function connectorOf(venue_id: PayloadVenue, { clients, parts, openStreams }: ConnectorParts): VenueConnector {
  const streams: VenueStream[] = []
  return {
    venue_id,
    parts: READ_PARTS.filter((part) => parts[part] !== undefined),
    async *read(part, range, signal) {
      const read = parts[part]
      if (read !== undefined) yield* read(range, signal)
    },
    openStreams: () => {
      const opened = openStreams?.() ?? []
      streams.push(...opened)
      return opened
    },
    close: async () => {
      await Promise.all([...streams.map((stream) => stream.close()), ...clients.map((client) => client.close())])
    },
  }
}

import type { PayloadVenue } from '../../pipelines/venues/payload-venues.ts'
import type { Micros } from '../../primitives/instants.ts'
import type { PayloadItem } from '../archives/payloads/payload-item.ts'
import type { VenueHttpClient } from '../http/venue-http-client.ts'
import type { StreamProtocol } from '../ws/stream-protocol.ts'
import { openVenueStream, type VenueStream } from '../ws/venue-stream.ts'
import {
  type ConnectorOptions,
  READ_PARTS,
  type ReadPart,
  type ReadRange,
  type VenueConnector,
} from './venue-connector.ts'

/** Readers of the parts a venue has. */
export type ConnectorParts = {
  readonly clients: readonly VenueHttpClient[]
  readonly parts: { readonly [part in ReadPart]?: ReadOfPart }
  readonly described_first?: boolean
  /** Memories of what the venue listed or described a while ago. */
  readonly memories?: readonly { forget(): void }[]
  readonly streams?: StreamsOf
}

/** The venue's websocket, and the names to subscribe to at the moment. */
type StreamsOf = Omit<Parameters<typeof openStreamsOf>[1], 'names' | 'options'> & {
  readonly names: () => readonly string[]
  readonly options: ConnectorOptions
}

type ReadOfPart = (range: ReadRange, signal?: AbortSignal) => AsyncGenerator<PayloadItem, unknown>

/** Builds a connector from its parts; closing it ends the streams that it opened. */
export function connectorOf(venue_id: PayloadVenue, made_of: ConnectorParts): VenueConnector {
  const { clients, parts, described_first = false, memories = [] } = made_of
  const streams: VenueStream[] = []
  const open = (names: readonly string[]): readonly VenueStream[] => {
    if (made_of.streams === undefined) return []
    const opened = openStreamsOf(venue_id, { ...made_of.streams, names })
    streams.push(...opened)
    return opened
  }
  return {
    venue_id,
    described_first,
    parts: READ_PARTS.filter((part) => parts[part] !== undefined),
    get confirmed_at() {
      return latest([...clients, ...streams])
    },
    async *read(part, range, signal) {
      const read = parts[part]
      if (read !== undefined) yield* read(range, signal)
    },
    forget: () => {
      for (const memory of memories) memory.forget()
    },
    openStreams: () => open(made_of.streams?.names() ?? []),
    extendStreams: () => {
      const known = new Set(streams.flatMap(({ names }) => names))
      const left = (made_of.streams?.names() ?? []).filter((name) => !known.has(name))
      const names_max = made_of.streams?.protocol.names_max ?? Number.POSITIVE_INFINITY
      for (const stream of streams) {
        const room = names_max - stream.names.length
        if (left.length > 0 && room > 0) stream.extend(left.splice(0, room))
      }
      return left.length === 0 ? [] : open(left)
    },
    close: async () => {
      await Promise.all([...streams.map((stream) => stream.close()), ...clients.map((client) => client.close())])
    },
  }
}

function latest(sources: readonly { readonly confirmed_at: Micros | null }[]): Micros | null {
  return sources.reduce<Micros | null>((last, { confirmed_at }) => {
    return confirmed_at === null || (last !== null && last >= confirmed_at) ? last : confirmed_at
  }, null)
}

type Subscribed = {
  readonly url: string
  readonly protocol: StreamProtocol
  readonly names: readonly string[]
  readonly options: ConnectorOptions
}

/** Opens as many connections as the names need; one if the venue takes any number, or none. */
function openStreamsOf(venue_id: PayloadVenue, { url, protocol, names, options }: Subscribed): VenueStream[] {
  const { now, stream, stream_sleep, sign } = options
  const path = new URL(url).pathname
  return inParts(names, protocol.names_max).map((part) =>
    openVenueStream({
      venue_id,
      url,
      protocol,
      names: part,
      now,
      ...(sign === undefined ? {} : { headers: () => sign('GET', path) }),
      ...(stream === undefined ? {} : { policy: stream }),
      ...(stream_sleep === undefined ? {} : { sleep: stream_sleep }),
    }),
  )
}

function inParts(names: readonly string[], max: number | null): readonly (readonly string[])[] {
  if (max === null) return [names]
  return Array.from({ length: Math.ceil(names.length / max) }, (_, n) => names.slice(n * max, (n + 1) * max))
}

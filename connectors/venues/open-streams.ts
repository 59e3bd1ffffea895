import type { PayloadVenue } from '../../pipelines/venues/payload-venues.ts'
import type { StreamProtocol } from '../ws/stream-protocol.ts'
import { openVenueStream, type VenueStream } from '../ws/venue-stream.ts'
import type { ConnectorOptions } from './venue-connector.ts'

type Subscribed = {
  readonly url: string
  readonly protocol: StreamProtocol
  readonly names: readonly string[]
  readonly options: ConnectorOptions
}

/** As many connections as the names need; one where the venue takes any number, or none. */
export function openStreamsOf(venue_id: PayloadVenue, { url, protocol, names, options }: Subscribed): VenueStream[] {
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

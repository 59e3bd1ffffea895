import type { PayloadVenue } from '../../pipelines/venues/payload-venues.ts'
import { createVenueHttpClient, type VenueHttpClient } from '../http/venue-http-client.ts'
import type { ConnectorOptions } from './venue-connector.ts'

/** Creates the client of one service of a venue with its connector's options. */
export function createClient(venue_id: PayloadVenue, base_url: string, options: ConnectorOptions): VenueHttpClient {
  const { now, limits, http, sign } = options
  return createVenueHttpClient({
    venue_id,
    base_url,
    now,
    ...(limits === undefined ? {} : { limits }),
    ...(http === undefined ? {} : { policy: http }),
    ...(sign === undefined ? {} : { sign }),
  })
}

import { GDACS_ENDPOINTS } from '../../pipelines/venues/gdacs/endpoints.ts'
import { USGS_ENDPOINTS } from '../../pipelines/venues/usgs/endpoints.ts'
import type { HazardVenue } from '../../vocabulary/venue.ts'
import type { PayloadItem } from '../archives/payloads/payload-item.ts'
import { createClient } from './create-client.ts'
import { connectorOf } from './parts.ts'
import { GDACS_ADDRESS, USGS_ADDRESS } from './venue-addresses.ts'
import type { ConnectorOptions, VenueConnector } from './venue-connector.ts'

/** Earthquakes of the past week, including those of every shorter window. */
const USGS_REQUEST = '/earthquakes/feed/v1.0/summary/all_week.geojson'
/** All current alerts. */
const GDACS_REQUEST = '/xml/rss.xml'

/** Connects to the earthquake feed of USGS: one document, the whole catalogue. */
export function createUsgsConnector(options: ConnectorOptions, address: string = USGS_ADDRESS): VenueConnector {
  return feed('usgs', { endpoint: USGS_ENDPOINTS.summary, request: USGS_REQUEST, address }, options)
}

/** Connects to the alert feed of GDACS: one RSS document. */
export function createGdacsConnector(options: ConnectorOptions, address: string = GDACS_ADDRESS): VenueConnector {
  return feed('gdacs', { endpoint: GDACS_ENDPOINTS.rss, request: GDACS_REQUEST, address }, options)
}

type Feed = { readonly endpoint: string; readonly request: string; readonly address: string }

/** Creates a connector to one document. An unchanged document is not read again; it is confirmed. */
function feed(venue_id: HazardVenue, { endpoint, request, address }: Feed, options: ConnectorOptions) {
  const client = createClient(venue_id, address, options)
  return connectorOf(venue_id, {
    clients: [client],
    parts: {
      async *catalogue(_range, signal): AsyncGenerator<PayloadItem> {
        const item = await client.getChanged(endpoint, request, signal)
        if (item !== null && item !== 'unchanged') yield item
      },
    },
  })
}

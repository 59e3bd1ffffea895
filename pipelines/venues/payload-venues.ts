/** Every venue and feed whose payloads are read, by venue_id. */
export const PAYLOAD_VENUES = ['kalshi', 'polymarket', 'manifold', 'predictit', 'betfair', 'gdacs', 'usgs'] as const
export type PayloadVenue = (typeof PAYLOAD_VENUES)[number]

/** Type guard for the venue_id of a venue whose payloads are read. */
export function isPayloadVenue(venue_id: string): venue_id is PayloadVenue {
  return PAYLOAD_VENUES.some((known) => known === venue_id)
}

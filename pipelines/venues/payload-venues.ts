/** Every venue and feed with a payload reader, by venue_id. */
export const PAYLOAD_VENUES = ['kalshi', 'polymarket', 'manifold', 'predictit', 'betfair', 'gdacs', 'usgs'] as const
export type PayloadVenue = (typeof PAYLOAD_VENUES)[number]

/** Type guard for the venue_id of a venue with a payload reader. */
export function isPayloadVenue(venue_id: string): venue_id is PayloadVenue {
  return PAYLOAD_VENUES.some((known) => known === venue_id)
}

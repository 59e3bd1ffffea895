import { HAZARD_VENUES, PREDICTION_VENUES } from '../../vocabulary/venue.ts'

/** Every venue and feed with a payload reader, by venue_id. */
export const PAYLOAD_VENUES = [...PREDICTION_VENUES, 'predictit', 'betfair', ...HAZARD_VENUES] as const
export type PayloadVenue = (typeof PAYLOAD_VENUES)[number]

/** Type guard for the venue_id of a venue with a payload reader. */
export function isPayloadVenue(venue_id: string): venue_id is PayloadVenue {
  return PAYLOAD_VENUES.some((known) => known === venue_id)
}

import type { VenuePayload, VenueRecords } from '../../pipelines/venues/record.ts'
import { toMicros } from '../../primitives/instants.ts'

/** A wall clock after every instant that a test uses. */
export const NOW = toMicros('2027-01-01T00:00:00Z')

/** The records of a payload without the outcomes of what was read. */
export function recordsOf({ outcomes: _outcomes, changed: _changed, ...records }: VenueRecords) {
  return records
}

/** A payload of a venue: `body` as text, or as a value that is printed as JSON. */
export function venuePayload(
  venue_id: string,
  endpoint: string,
  body: unknown,
  received_at: string,
  request: string | null = null,
): VenuePayload {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { venue_id, endpoint, request, received_at: toMicros(received_at), file: 'payload.json', text }
}

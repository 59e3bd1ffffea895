import { formatMicros } from '../../primitives/instants.ts'
import { instantOrNull } from '../revisions/quote-revisions.ts'
import type { EventState } from '../revisions/reference-states.ts'
import type { HazardRecord, ReferenceRecord } from './record.ts'

/** What states an event: a listing of a market, or an alert of a hazard. */
export type EventSource = ReferenceRecord | HazardRecord

/** Whether an event is stated by an alert. */
export function isHazard(record: EventSource): record is HazardRecord {
  return 'hazard_type' in record
}

/**
 * The event that an alert is of: it has no market. An alert states the whole of it. An earthquake is over when it is told; of the
 * others an end that is not told is none.
 */
export function hazardEvent(record: HazardRecord): EventState {
  const { venue_id, source_event_id, title, hazard_type, countries, started_at, ended_at, source_url } = record
  const is_sudden = hazard_type === 'earthquake'
  return {
    title,
    description: null,
    category: hazard_type,
    regions: countries,
    status: is_sudden || ended_at !== null ? 'ended' : 'ongoing',
    event_start: formatMicros(started_at),
    event_end: instantOrNull(is_sudden ? started_at : ended_at),
    market_ids: [],
    source_mappings: [{ venue_id, source_event_id, source_series_id: null, source_url }],
  }
}

import { formatMicros, MICROS_PER_DAY, type Micros } from '../../primitives/instants.ts'
import type { Row } from '../../warehouse/schema.ts'

/** An alert of an earthquake a day before it was received. */
export function hazardRow(event_id: string, received: Micros): Row {
  return {
    event_id,
    revision: 1,
    supersedes_id: null,
    correction_reason: null,
    venue_id: 'usgs',
    source_event_id: event_id,
    aliases: [],
    hazard_type: 'earthquake',
    title: event_id,
    alert_level: 'green',
    countries: ['AA'],
    started_at: formatMicros(received - MICROS_PER_DAY),
    measures: '{}',
    source_at: formatMicros(received),
    received_at: formatMicros(received),
  }
}

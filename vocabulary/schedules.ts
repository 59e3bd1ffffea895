/** Ids of the schedules that have a name of their own; each venue has one more (`ingestScheduleOf`). */
export const SCHEDULE_IDS = {
  publish: 'publish-tick',
  settle: 'follow-settlement',
  own_venue: 'own-venue',
  tell_marks: 'tell-marks',
  list_markets: 'list-markets',
  rate: 'rate',
  assess: 'assess',
  expire: 'expire',
  govern: 'govern',
  merge_files: 'merge-files',
  compact: 'compact',
  seal: 'seal',
  digests: 'digests',
  vacuum: 'vacuum',
} as const

const INGEST_OF = 'ingest-venue/'

/** Returns the id of the schedule that follows a venue. */
export function ingestScheduleOf(venue_id: string): string {
  return `${INGEST_OF}${venue_id}`
}

/** Returns the venue that a schedule follows; null: it follows none. */
export function venueOfSchedule(schedule_id: string): string | null {
  return schedule_id.startsWith(INGEST_OF) ? schedule_id.slice(INGEST_OF.length) : null
}

/** Acts of people on schedules. `made_up`: what a pause had withheld was published by command. */
const SCHEDULE_ACTS = ['paused', 'resumed', 'made_up'] as const
export type ScheduleActKind = (typeof SCHEDULE_ACTS)[number]

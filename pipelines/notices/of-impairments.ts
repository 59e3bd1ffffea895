import { durationMicros, type Instant, type Micros, toMicros } from '../../primitives/instants.ts'
import { venueOfSchedule } from '../../vocabulary/schedules.ts'
import { NOTICE_FORMS, type NoticeFormVersion } from './change-name.ts'
import { derivedNotice, derivedNoticeId, type Notice } from './notice.ts'

/**
 * Successive impaired levels of an index in the order of their first publication, or successive reports of a venue without data, or a
 * pause of a schedule. `ended_at` and `end_id` are of the first good record after them; null: it lasts.
 */
export type ImpairmentFact = {
  readonly subject_id: string
  readonly first_id: string
  readonly first_state: string
  readonly first_reason: string | null
  readonly starts_at: Instant
  readonly last_at: Instant
  readonly end_id: string | null
  readonly ended_at: Instant | null
}

/** Impaired levels, with the instants at which their beginning and end became known. */
export type LevelImpairmentFact = ImpairmentFact & {
  readonly first_published_at: Instant
  /** Publication of the level that ended them, or of the end of their index; null: they last. */
  readonly over_published_at: Instant | null
}

/** Shortest impairment with a notice: a late answer of a venue is no news. */
const NOTICED_FROM = 'PT15M'

/**
 * Returns a notice for the beginning of each long impairment of an index, and one for its end.
 * @param now bound of an impairment that lasts: a stale index has one record, however long it stays stale
 */
export function noticesOfLevelStates(
  facts: readonly LevelImpairmentFact[],
  now: Micros,
  form: NoticeFormVersion = NOTICE_FORMS[0],
): Notice[] {
  return facts.flatMap((fact) => {
    const { subject_id: index_id, starts_at, first_state } = fact
    const since = `Since ${starts_at} the levels are impaired; the first of them is ${first_state}.`
    const text = form < 7 ? earlierText(fact) : since
    const about = { subject_id: index_id, index_id, what: `levels of ${index_id}`, text }
    return lastedByTicks(fact) || lastedInPublic(fact, now) ? pairOf('level_state', fact, about) : []
  })
}

/** Whether the ticks of the recorded levels span the time, whenever they were published. */
function lastedByTicks({ starts_at, last_at, ended_at }: LevelImpairmentFact): boolean {
  return isLong(toMicros(starts_at), toMicros(ended_at ?? last_at))
}

/** Whether readers saw an impaired level as the newest one for the time. Levels of a past that is published at once were never that. */
function lastedInPublic({ starts_at, first_published_at, over_published_at }: LevelImpairmentFact, now: Micros) {
  const from = Math.max(toMicros(starts_at), toMicros(first_published_at))
  return isLong(from, over_published_at === null ? now : toMicros(over_published_at))
}

/** Returns the same for venues that deliver nothing; a report holds until the next one. @param now bound of an outage that lasts */
export function noticesOfOutages(
  facts: readonly ImpairmentFact[],
  now: Micros,
  form: NoticeFormVersion = NOTICE_FORMS[0],
): Notice[] {
  return facts.flatMap((fact) => {
    const { subject_id: venue_id, starts_at } = fact
    const text = form < 7 ? earlierText(fact) : `Since ${starts_at} no data arrives.`
    const about = { subject_id: venue_id, venue_id, what: `data of ${venue_id}`, text }
    return lasted(fact, now) ? pairOf('venue_outage', fact, about) : []
  })
}

/** Returns the same for pauses: of the ingest of a venue, and of the publication of all levels and marks. */
export function noticesOfPauses(facts: readonly ImpairmentFact[], now: Micros): Notice[] {
  return facts.flatMap((fact) => {
    const { subject_id, starts_at } = fact
    const venue_id = venueOfSchedule(subject_id)
    const about =
      venue_id === null
        ? { what: 'all levels and marks', text: `Since ${starts_at} their publication is paused.` }
        : { venue_id, what: `data of ${venue_id}`, text: `Since ${starts_at} the ingest is paused.` }
    return lasted(fact, now) ? pairOf('pause', fact, { subject_id, ...about }) : []
  })
}

function lasted({ starts_at, ended_at }: ImpairmentFact, now: Micros): boolean {
  return isLong(toMicros(starts_at), ended_at === null ? now : toMicros(ended_at))
}

function isLong(from: Micros, to: Micros): boolean {
  return to - from >= durationMicros(NOTICED_FROM)
}

type About = Partial<Pick<Notice, 'subject_id' | 'index_id' | 'venue_id'>> & {
  readonly what: string
  /** Text of the beginning; a later state never changes it. */
  readonly text: string
}

function earlierText({ starts_at, first_state }: ImpairmentFact): string {
  return `Since ${starts_at} the state is ${first_state}.`
}

function pairOf(rule: string, fact: ImpairmentFact, { what, text, ...about }: About): Notice[] {
  const { first_id, first_reason, starts_at, ended_at, end_id } = fact
  const begun = derivedNotice(`${rule}_begun`, {
    ...about,
    kind: 'degraded_service',
    title: `Degraded service: ${what}`,
    text,
    cause: first_reason,
    starts_at,
    source_ids: [first_id],
  })
  if (ended_at === null || end_id === null) return [begun]
  const ended = derivedNotice(`${rule}_ended`, {
    ...about,
    kind: 'degraded_service',
    title: `Restored: ${what}`,
    text: `The service was degraded from ${starts_at} to ${ended_at}.`,
    cause: first_reason,
    starts_at,
    ends_at: ended_at,
    source_ids: [first_id, end_id],
    follows_notice_id: derivedNoticeId(`${rule}_begun`, [first_id]),
  })
  return [begun, ended]
}

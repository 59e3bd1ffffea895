import { durationMicros, type Instant, type Micros, toMicros } from '../../primitives/instants.ts'
import { derivedNotice, derivedNoticeId, type Notice } from './notice.ts'

/**
 * Successive impaired levels of an index in the order of their first publication, or successive reports of a venue without data.
 * `ended_at` and `end_id` are of the first good record after them; null: it lasts.
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

/** Shortest impairment with a notice: a late answer of a venue is no news. */
const NOTICED_FROM = 'PT15M'

/** Returns a notice for the beginning of each long impairment of an index, and one for its end. */
export function noticesOfLevelStates(facts: readonly ImpairmentFact[]): Notice[] {
  return facts.flatMap((fact) => {
    const { subject_id: index_id, last_at, ended_at } = fact
    const about = { subject_id: index_id, index_id, what: `levels of ${index_id}` }
    // Only recorded levels count: an index without levels is noticed when there is one again.
    return lasted(fact, toMicros(ended_at ?? last_at)) ? pairOf('level_state', fact, about) : []
  })
}

/** Returns the same for venues that deliver nothing; a report holds until the next one. @param now bound of an outage that lasts */
export function noticesOfOutages(facts: readonly ImpairmentFact[], now: Micros): Notice[] {
  return facts.flatMap((fact) => {
    const { subject_id: venue_id, ended_at } = fact
    const about = { subject_id: venue_id, venue_id, what: `data of ${venue_id}` }
    return lasted(fact, ended_at === null ? now : toMicros(ended_at)) ? pairOf('venue_outage', fact, about) : []
  })
}

function lasted({ starts_at }: ImpairmentFact, until: Micros): boolean {
  return until - toMicros(starts_at) >= durationMicros(NOTICED_FROM)
}

type About = Partial<Pick<Notice, 'subject_id' | 'index_id' | 'venue_id'>> & { readonly what: string }

function pairOf(rule: string, fact: ImpairmentFact, { what, ...about }: About): Notice[] {
  const { first_id, first_state, first_reason, starts_at, ended_at, end_id } = fact
  const begun = derivedNotice(`${rule}_begun`, {
    ...about,
    kind: 'degraded_service',
    title: `Degraded service: ${what}`,
    text: `Since ${starts_at} the state is ${first_state}.`,
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

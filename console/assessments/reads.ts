import type { Event } from '../../protocol/resources/event.ts'
import type { MarketRating, RatingMethodology } from '../../protocol/resources/market-rating.ts'
import type { SeverityAssessment, SeverityMethodology } from '../../protocol/resources/severity.ts'
import type { SeverityIndex, SeverityIndexValue } from '../../protocol/resources/severity-index.ts'
import type { Api, Query } from '../data/api-client.ts'
import { getAll } from '../data/api-client.ts'
import { ApiError } from '../data/api-error.ts'

/** Reads of ratings, events and severity. Each may throw ApiError. */

type AssessmentType = SeverityAssessment['assessment_type']

/** Every review state: the history hides nothing. */
const ALL_STATES = {
  review_state: 'draft,under_review,approved,superseded,disputed,withdrawn',
  include_withdrawn: true,
  limit: 1000,
} as const
const PAGE_MAX = 1000

const one = async <T>(api: Api, path: string, query: Query, signal: AbortSignal): Promise<T> =>
  (await api.get<T>(path, query, signal)).data

/** Returns the rating of a market. */
export function getRating(api: Api, market_id: string, signal: AbortSignal): Promise<MarketRating> {
  return one(api, `/markets/${market_id}/rating`, {}, signal)
}

/** Reads all ratings of a market in every state, oldest first. */
export function listRatings(api: Api, market_id: string, signal: AbortSignal): Promise<readonly MarketRating[]> {
  return getAll(api, `/markets/${market_id}/ratings`, ALL_STATES, signal)
}

/** Returns a methodology of ratings. */
export function getRatingMethodology(
  api: Api,
  id: string,
  version: string,
  signal: AbortSignal,
): Promise<RatingMethodology> {
  return one(api, `/market-rating-methodologies/${id}/versions/${version}`, {}, signal)
}

/** Returns a methodology of severity. */
export function getSeverityMethodology(
  api: Api,
  id: string,
  version: string,
  signal: AbortSignal,
): Promise<SeverityMethodology> {
  return one(api, `/severity-methodologies/${id}/versions/${version}`, {}, signal)
}

/** Reads the newest `limit` events of one feed or of all. */
export function listEvents(
  api: Api,
  venue_id: string | null,
  limit: number,
  signal: AbortSignal,
): Promise<readonly Event[]> {
  return one(api, '/events', venue_id === null ? { limit } : { limit, venue_id }, signal)
}

/** Hazard feeds; most other events have markets but no severity. */
export const HAZARD_FEEDS = [
  ['gdacs', 'GDACS'],
  ['usgs', 'USGS'],
] as const

/** Reads the titles of all hazards, by event_id. */
export async function hazardTitles(api: Api, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  const ofFeed = (venue_id: string) => getAll<Event>(api, '/events', { venue_id, limit: PAGE_MAX }, signal)
  const events = await Promise.all(HAZARD_FEEDS.map(([venue_id]) => ofFeed(venue_id)))
  return new Map(events.flat().map(({ event_id, title }) => [event_id, title]))
}

/** Returns an event. */
export function getEvent(api: Api, event_id: string, signal: AbortSignal): Promise<Event> {
  return one(api, `/events/${event_id}`, {}, signal)
}

/** Returns the severity of an event. */
export function getSeverity(
  api: Api,
  event_id: string,
  assessment_type: AssessmentType,
  signal: AbortSignal,
): Promise<SeverityAssessment> {
  return one(api, `/events/${event_id}/severity`, { assessment_type }, signal)
}

/** Reads all assessments of one series of an event in every state, oldest first. */
export function listSeverity(
  api: Api,
  event_id: string,
  assessment_type: AssessmentType,
  signal: AbortSignal,
): Promise<readonly SeverityAssessment[]> {
  return getAll(api, `/events/${event_id}/severity-history`, { ...ALL_STATES, assessment_type }, signal)
}

/** Lists every severity index. */
export function listSeverityIndexes(api: Api, signal: AbortSignal): Promise<readonly SeverityIndex[]> {
  return getAll(api, '/severity-indexes', { limit: PAGE_MAX }, signal)
}

/** Reads the latest value with its inputs; null if none is published. */
export async function getSeverityIndexValue(
  api: Api,
  id: string,
  signal: AbortSignal,
): Promise<SeverityIndexValue | null> {
  try {
    return await one<SeverityIndexValue>(api, `/severity-indexes/${id}/value`, { expand: 'inputs' }, signal)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'OBSERVATION_NOT_FOUND') return null
    throw error
  }
}

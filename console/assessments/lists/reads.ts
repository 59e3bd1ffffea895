import type { Market } from '../../../protocol/resources/market.ts'
import type { MarketRating } from '../../../protocol/resources/market-rating.ts'
import type { SeverityAssessment } from '../../../protocol/resources/severity.ts'
import { WAITING_STATES } from '../../../vocabulary/review.ts'
import { type Api, getAll, type Query } from '../../data/api-client.ts'
import { hazardTitles } from '../reads.ts'
import { type Assessed, assessedOfRating, assessedOfSeverity, type Titles } from './model.ts'

/** Records of a list at most. */
export const LIST_MAX = 5000
const PAGE_MAX = 1000

/** List of ratings, of severity assessments, or of what waits among both. */
export type ListView = 'ratings' | 'severity' | 'review'

type ListAsked = {
  readonly view: ListView
  /** Band or level; null: any. */
  readonly grade: string | null
  /** null: the states in which a record is public. */
  readonly state: string | null
}

/** Reads the records of a list; `review`: those that wait for an act. @throws {ApiError} */
export async function listAssessed(api: Api, asked: ListAsked, signal: AbortSignal): Promise<readonly Assessed[]> {
  const { view, grade, state } = asked
  const states = view === 'review' ? WAITING_STATES.join() : state
  const query = { limit: PAGE_MAX, ...(states === null ? {} : { review_state: states }) }
  const ratings = () =>
    listRatings(api, grade === null || view === 'review' ? query : { ...query, band: grade }, signal)
  const severity = () =>
    listSeverity(api, grade === null || view === 'review' ? query : { ...query, level: grade }, signal)
  if (view === 'ratings') return ratings()
  if (view === 'severity') return severity()
  return (await Promise.all([ratings(), severity()])).flat()
}

async function listRatings(api: Api, query: Query, signal: AbortSignal): Promise<readonly Assessed[]> {
  const records = await getAll<MarketRating>(api, '/ratings', query, signal, LIST_MAX)
  const titles = records.length === 0 ? new Map<string, string>() : await marketTitles(api, signal)
  return records.map((one) => assessedOfRating(one, titles))
}

async function listSeverity(api: Api, query: Query, signal: AbortSignal): Promise<readonly Assessed[]> {
  const records = await getAll<SeverityAssessment>(api, '/severity-assessments', query, signal, LIST_MAX)
  const titles = records.length === 0 ? new Map<string, string>() : await hazardTitles(api, signal)
  return records.map((one) => assessedOfSeverity(one, titles))
}

async function marketTitles(api: Api, signal: AbortSignal): Promise<Titles> {
  const markets = await getAll<Market>(api, '/markets', { limit: PAGE_MAX }, signal)
  return new Map(markets.map(({ market_id, title }) => [market_id, title]))
}

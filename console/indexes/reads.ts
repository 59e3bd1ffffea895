import type { Candle } from '../../protocol/resources/candle.ts'
import type { FoundObservation } from '../../protocol/resources/found-observation.ts'
import type { IndexObservation } from '../../protocol/resources/index-observation.ts'
import type { Index } from '../../protocol/resources/index-resource.ts'
import type { CalendarEntry, Notice } from '../../protocol/resources/notice.ts'
import type { ObservationPayloads } from '../../protocol/resources/observation-payloads.ts'
import type { CandleInterval } from '../../vocabulary/market.ts'
import { wholeBuckets } from '../charts/intervals.ts'
import type { TimeWindow } from '../charts/window.ts'
import { type Answer, type Api, getAll } from '../data/api-client.ts'
import { instantOf } from '../data/instant-text.ts'
import { liveApi } from '../data/live.ts'
import { listCandles } from '../data/reads.ts'
import { type CorrectedLevel, correctedLevels } from './corrections.ts'

/** Reads of the further views of an index. Each may throw ApiError. */

const PAGE_MAX = 1000
/** Largest number of levels in a window whose revisions are all read. */
const REVISIONS_MAX = 2500

/** Reads the candles of a window in whole buckets. */
export function listWindow(
  api: Api,
  index_id: string,
  { window, interval }: { readonly window: TimeWindow; readonly interval: CandleInterval },
  signal: AbortSignal,
): Promise<readonly Candle[]> {
  return listCandles(api, index_id, { ...rangeOf(wholeBuckets(window, interval)), interval }, signal)
}

/**
 * Reads the corrected levels of a window: every revision of a short one, so that old values are known, or else the levels that are
 * labeled as corrected.
 */
export async function listCorrections(
  api: Api,
  index_id: string,
  { window, step_s }: { readonly window: TimeWindow; readonly step_s: number },
  signal: AbortSignal,
): Promise<readonly CorrectedLevel[]> {
  const is_short = (window.to - window.from) / step_s <= REVISIONS_MAX
  const kept = is_short ? { include_corrections: true } : { quality_state: 'corrected' }
  const query = { ...rangeOf(window), ...kept, time_domain: 'source', limit: PAGE_MAX }
  return correctedLevels(await getAll<IndexObservation>(api, `/indexes/${index_id}/prices`, query, signal))
}

const rangeOf = ({ from, to }: TimeWindow) => ({
  start_time: instantOf(Math.floor(from) * 1000),
  end_time: instantOf(Math.ceil(to) * 1000),
})

/** Reads the indexes that a chart may show beside another one. */
export function listNames(api: Api, signal: AbortSignal): Promise<readonly Index[]> {
  return getAll(api, '/indexes', { limit: PAGE_MAX }, signal)
}

/** Reads what is due for an index in the next 90 days: rebalances alone. */
export function listRebalances(api: Api, index_id: string, signal: AbortSignal): Promise<readonly CalendarEntry[]> {
  return getAll(api, '/governance/calendar', { index_id, kind: 'rebalance', limit: PAGE_MAX }, signal)
}

/** Reads the notices of an index. */
export function listIndexNotices(api: Api, index_id: string, signal: AbortSignal): Promise<readonly Notice[]> {
  return getAll(api, '/governance/notices', { index_id, limit: PAGE_MAX }, signal)
}

/** Reads a record by its id alone, with the ids of all its revisions. */
export function findObservation(api: Api, id: string, signal: AbortSignal): Promise<Answer<FoundObservation>> {
  return api.get(`/observations/${id}`, {}, signal)
}

/** Reads the payloads of a quote or trade; `content_hash`: that one with its text. Payloads never change, so they have no as_of. */
export async function getPayloads(
  observation_id: string,
  content_hash: string | null,
  signal: AbortSignal,
): Promise<ObservationPayloads> {
  const query = content_hash === null ? {} : { content_hash }
  return (await liveApi(null).get<ObservationPayloads>(`/observations/${observation_id}/payloads`, query, signal)).data
}

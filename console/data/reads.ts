import type { Candle } from '../../protocol/resources/candle.ts'
import type { Constituent } from '../../protocol/resources/constituent.ts'
import type { IndexObservation } from '../../protocol/resources/index-observation.ts'
import type { Index } from '../../protocol/resources/index-resource.ts'
import type { IndexVersion } from '../../protocol/resources/index-version.ts'
import type { Market } from '../../protocol/resources/market.ts'
import type { MarketPrice } from '../../protocol/resources/market-price.ts'
import { type Answer, type Api, getAll, type Query } from './api-client.ts'
import { ApiError } from './api-error.ts'

/** Reads of the page, one per endpoint. Each may throw ApiError. */

const PAGE_MAX = 1000
/** Greatest page of indexes with their levels (protocol/limits.ts, which is not part of the page). */
const EXPANDED_PAGE_MAX = 200

/** Latest level and the 24 hours up to it. */
const WITH_DAY = { expand: 'latest,day' } as const

/** Reads all indexes with their latest levels and days: one request for each `EXPANDED_PAGE_MAX`. */
export function listIndexes(api: Api, signal: AbortSignal): Promise<readonly Index[]> {
  return getAll(api, '/indexes', { ...WITH_DAY, limit: EXPANDED_PAGE_MAX }, signal)
}

/** Reads one index with its day; without it where its levels cannot be read, which the chart then reports. */
export async function getIndex(api: Api, index_id: string, signal: AbortSignal): Promise<Index> {
  const path = `/indexes/${index_id}`
  try {
    return (await api.get<Index>(path, WITH_DAY, signal)).data
  } catch (error) {
    if (!(error instanceof ApiError) || error.status < 500) throw error
    return (await api.get<Index>(path, {}, signal)).data
  }
}

/** Reads all versions of an index, oldest first. */
export function listVersions(api: Api, index_id: string, signal: AbortSignal): Promise<readonly IndexVersion[]> {
  return getAll(api, `/indexes/${index_id}/versions`, { limit: PAGE_MAX }, signal)
}

/** Latest level and its maximum age in milliseconds. */
export type Price = { readonly level: IndexObservation; readonly max_age_ms: number | null }

/** Reads the latest level; null if none is published. */
export async function getPrice(api: Api, index_id: string, signal: AbortSignal): Promise<Price | null> {
  const answer = await orNothing(api.get<IndexObservation>(`/indexes/${index_id}/price`, {}, signal))
  return answer === null ? null : { level: answer.data, max_age_ms: answer.meta.max_age_ms ?? null }
}

/** Reads one level with its inputs and the ids of all revisions of its tick. */
export function getObservation(
  api: Api,
  index_id: string,
  observation_id: string,
  signal: AbortSignal,
): Promise<Answer<IndexObservation>> {
  return api.get(`/indexes/${index_id}/prices/${observation_id}`, { expand: 'inputs' }, signal)
}

/** Reads the levels of a range; `query` may sample them. */
export function listPrices(
  api: Api,
  index_id: string,
  query: Query,
  signal: AbortSignal,
): Promise<readonly IndexObservation[]> {
  const all = { time_domain: 'source', limit: PAGE_MAX, ...query }
  return getAll(api, `/indexes/${index_id}/prices`, all, signal)
}

/** Reads the candles of a range. */
export function listCandles(api: Api, index_id: string, query: Query, signal: AbortSignal): Promise<readonly Candle[]> {
  return getAll(api, `/indexes/${index_id}/candles`, { limit: PAGE_MAX, ...query }, signal)
}

/** Reads the constituents of a version with their markets and venues. */
export function listConstituents(
  api: Api,
  index_id: string,
  version_id: string,
  signal: AbortSignal,
): Promise<readonly Constituent[]> {
  const path = `/indexes/${index_id}/versions/${version_id}/constituents`
  return getAll(api, path, { expand: 'market,venue', limit: PAGE_MAX }, signal)
}

/** Reads a market; null if it is unknown at the instant. */
export async function getMarket(api: Api, market_id: string, signal: AbortSignal): Promise<Market | null> {
  return (await orNothing(api.get<Market>(`/markets/${market_id}`, {}, signal)))?.data ?? null
}

/** Reads the latest quotes and marks of a market; null if it was never quoted. */
export async function getMarketPrice(api: Api, market_id: string, signal: AbortSignal): Promise<MarketPrice | null> {
  return (await orNothing(api.get<MarketPrice>(`/markets/${market_id}/price`, {}, signal)))?.data ?? null
}

/** Converts "not found at that instant" to null; other errors are thrown. */
async function orNothing<T>(answer: Promise<Answer<T>>): Promise<Answer<T> | null> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof ApiError && ['OBSERVATION_NOT_FOUND', 'MARKET_NOT_FOUND'].includes(error.code)) return null
    throw error
  }
}

import type { Candle } from '../../protocol/resources/candle.ts'
import type { Constituent } from '../../protocol/resources/constituent.ts'
import type { IndexObservation } from '../../protocol/resources/index-observation.ts'
import type { Index } from '../../protocol/resources/index-resource.ts'
import type { IndexVersion } from '../../protocol/resources/index-version.ts'
import type { Market } from '../../protocol/resources/market.ts'
import type { MarketPrice } from '../../protocol/resources/market-price.ts'
import { type Answer, type Api, getAll, type Query } from './api-client.ts'
import { ApiError } from './api-error.ts'

/** The reads of the page, one an endpoint. Each takes what ends it; each throws ApiError. */

const PAGE_MAX = 1000

/** The catalogue. */
export function listIndexes(api: Api, signal: AbortSignal): Promise<readonly Index[]> {
  return getAll(api, '/indexes', { limit: PAGE_MAX }, signal)
}

/** One index. */
export async function getIndex(api: Api, index_id: string, signal: AbortSignal): Promise<Index> {
  return (await api.get<Index>(`/indexes/${index_id}`, {}, signal)).data
}

/** Every version of an index, the oldest first. */
export function listVersions(api: Api, index_id: string, signal: AbortSignal): Promise<readonly IndexVersion[]> {
  return getAll(api, `/indexes/${index_id}/versions`, { limit: PAGE_MAX }, signal)
}

/** The latest level, and how old it may be, in milliseconds. */
export type Price = { readonly level: IndexObservation; readonly max_age_ms: number | null }

/** The latest level; null where none is published. */
export async function getPrice(api: Api, index_id: string, signal: AbortSignal): Promise<Price | null> {
  const answer = await orNothing(api.get<IndexObservation>(`/indexes/${index_id}/price`, {}, signal))
  return answer === null ? null : { level: answer.data, max_age_ms: answer.meta.max_age_ms ?? null }
}

/** One level with its inputs, and the ids of all revisions of its tick. */
export function getObservation(
  api: Api,
  index_id: string,
  observation_id: string,
  signal: AbortSignal,
): Promise<Answer<IndexObservation>> {
  return api.get(`/indexes/${index_id}/prices/${observation_id}`, { expand: 'inputs' }, signal)
}

/** Levels of a range of ticks; `query` may sample them. */
export function listPrices(
  api: Api,
  index_id: string,
  query: Query,
  signal: AbortSignal,
): Promise<readonly IndexObservation[]> {
  const all = { time_domain: 'source', limit: PAGE_MAX, ...query }
  return getAll(api, `/indexes/${index_id}/prices`, all, signal)
}

/** Candles of a range. */
export function listCandles(api: Api, index_id: string, query: Query, signal: AbortSignal): Promise<readonly Candle[]> {
  return getAll(api, `/indexes/${index_id}/candles`, { limit: PAGE_MAX, ...query }, signal)
}

/** What a version is made of, with markets and venues. */
export function listConstituents(
  api: Api,
  index_id: string,
  version_id: string,
  signal: AbortSignal,
): Promise<readonly Constituent[]> {
  const path = `/indexes/${index_id}/versions/${version_id}/constituents`
  return getAll(api, path, { expand: 'market,venue', limit: PAGE_MAX }, signal)
}

/** A market; null where it is not known at the instant. */
export async function getMarket(api: Api, market_id: string, signal: AbortSignal): Promise<Market | null> {
  return (await orNothing(api.get<Market>(`/markets/${market_id}`, {}, signal)))?.data ?? null
}

/** Newest quotes and marks of a market; null where it was never quoted. */
export async function getMarketPrice(api: Api, market_id: string, signal: AbortSignal): Promise<MarketPrice | null> {
  return (await orNothing(api.get<MarketPrice>(`/markets/${market_id}/price`, {}, signal)))?.data ?? null
}

/** "Not there at that instant" is an answer, not a failure; a resource that should be there fails by its own code. */
async function orNothing<T>(answer: Promise<Answer<T>>): Promise<Answer<T> | null> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof ApiError && ['OBSERVATION_NOT_FOUND', 'MARKET_NOT_FOUND'].includes(error.code)) return null
    throw error
  }
}

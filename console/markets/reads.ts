import type { Candle } from '../../protocol/resources/candle.ts'
import type { Market } from '../../protocol/resources/market.ts'
import type { OrderBook } from '../../protocol/resources/order-book.ts'
import type { Resolution } from '../../protocol/resources/resolution.ts'
import { type Answer, type Api, getAll, type Query } from '../data/api-client.ts'
import { ApiError } from '../data/api-error.ts'

/** Reads of markets. Each may throw ApiError. */

const PAGE_MAX = 1000

/** Reads a page of the list, with all that its rows show. */
export function listMarkets(api: Api, query: Query, signal: AbortSignal): Promise<Answer<readonly Market[]>> {
  return api.get('/markets', { ...query, expand: 'price,day,rating' }, signal)
}

/** Reads the candles of a range. */
export function listMarketCandles(
  api: Api,
  market_id: string,
  query: Query,
  signal: AbortSignal,
): Promise<readonly Candle[]> {
  return getAll(api, `/markets/${market_id}/candles`, { limit: PAGE_MAX, ...query }, signal)
}

/** Returns when the first record of a field of an outcome was observed; null: there is none. */
export async function firstObservedAt(api: Api, market_id: string, query: Query, signal: AbortSignal) {
  const first = { ...query, time_domain: 'source', limit: 1 }
  const { data } = await api.get<readonly { source_at: string }[]>(`/markets/${market_id}/prices`, first, signal)
  return data[0]?.source_at ?? null
}

/** Reads the book of an outcome; null if none is stored. */
export function getBook(api: Api, market_id: string, outcome_id: string, signal: AbortSignal) {
  return orNone(api.get<OrderBook>(`/markets/${market_id}/orderbook`, { outcome_id }, signal), 'ORDER_BOOK_NOT_FOUND')
}

/** Reads the resolution in force with the ids of its chain; null if there is none. */
export function getResolution(api: Api, market_id: string, signal: AbortSignal) {
  return orNone(api.get<Resolution>(`/markets/${market_id}/resolution`, {}, signal), 'RESOLUTION_NOT_FOUND')
}

/** Reads every statement about the resolution, in the order of publication. */
export function listResolutions(api: Api, market_id: string, signal: AbortSignal): Promise<readonly Resolution[]> {
  return getAll(api, `/markets/${market_id}/resolution/history`, { limit: PAGE_MAX }, signal)
}

async function orNone<T>(answer: Promise<Answer<T>>, code: string): Promise<Answer<T> | null> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof ApiError && error.code === code) return null
    throw error
  }
}

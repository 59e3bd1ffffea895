import { ERROR_CODES } from '../../primitives/error-codes.ts'
import { isServiceError } from '../../primitives/errors.ts'
import { MARKET_PRICE_MAX_AGE_MS } from '../../protocol/limits.ts'
import type { MarketPriceResult } from '../../protocol/resources/found-observation.ts'
import type { MarketPrice } from '../../protocol/resources/market-price.ts'
import { missing } from '../missing-resource.ts'
import { ownPrice } from '../own-venue/own-routes.ts'
import type { RouteAnswer, RouteRequest } from '../server/handler.ts'
import { getMarketPrice } from './market-prices.ts'
import { listParameter } from './parameters.ts'

/** Markets whose prices are read at the same time; reads of the past take turns in the query pool. */
const AT_ONCE = 8

/** Returns the price of each requested market as its own endpoint answers it, or the error it answers with. */
export async function listLatestPrices(request: RouteRequest): Promise<RouteAnswer> {
  const market_ids = listParameter(request, 'market_ids')
  const data: MarketPriceResult[] = []
  for (let first = 0; first < market_ids.length; first += AT_ONCE) {
    const some = market_ids.slice(first, first + AT_ONCE)
    data.push(...(await Promise.all(some.map((market_id) => latestPriceOf(request, market_id)))))
  }
  return { data, max_age_ms: MARKET_PRICE_MAX_AGE_MS }
}

/** Returns the price of one market as its own endpoint answers it, or the error that it answers with. */
export async function latestPriceOf(request: RouteRequest, market_id: string): Promise<MarketPriceResult> {
  try {
    const { data, spliced } = await answerOf(
      { ...request, parameters: { ...request.parameters, market_id } },
      market_id,
    )
    const price = Buffer.isBuffer(data) ? (JSON.parse(data.toString('utf8')) as MarketPrice) : (data as MarketPrice)
    return { market_id, price: { ...price, ...spliced }, error: null }
  } catch (error) {
    if (!isServiceError(error) || ERROR_CODES[error.code].status >= 500) throw error
    return { market_id, price: null, error: { code: error.code, message: error.message } }
  }
}

/** Returns the answer of one market, of the instant of them all: the engine's memory of our markets may be ahead of it. */
async function answerOf(request: RouteRequest, market_id: string): Promise<RouteAnswer> {
  const { own_venue = null, as_of, now } = request
  const is_ahead = as_of === null && own_venue !== null && own_venue.published_at() > now
  if (!is_ahead || own_venue.market(market_id) === null) return getMarketPrice(request)
  const market = await own_venue.marketAt(market_id, now)
  if (market === null) throw missing('market', market_id)
  return ownPrice({ ...request, as_of: now }, { market, venue: own_venue, at: now })
}

import { formatMicros, type Micros, toMicros } from '../../primitives/instants.ts'
import { MARKET_PRICE_MAX_AGE_MS } from '../../protocol/limits.ts'
import type { MarketPriceResult } from '../../protocol/resources/found-observation.ts'
import type { Market, RatingInForce } from '../../protocol/resources/market.ts'
import type { MarketRating } from '../../protocol/resources/market-rating.ts'
import type { RouteAnswer, RouteRequest } from '../server/handler.ts'
import { readInSteps } from '../server/read-in-steps.ts'
import { candleInstants } from './history-request.ts'
import { latestPriceOf } from './latest-prices.ts'
import { OBSERVATION_TABLES } from './market-prices.ts'
import { listParameter } from './parameters.ts'
import { RATING_ROUTES } from './ratings.ts'

/** Adds to each market of a page what `expand` asks for, as the market's own endpoints answer it. */
export async function expandMarkets(request: RouteRequest, answer: RouteAnswer): Promise<RouteAnswer> {
  const expand = listParameter(request, 'expand')
  const markets = answer.data as readonly Market[]
  const data = await readInSteps(markets, (market) => expanded(request, market, expand))
  const has_price = expand.includes('price')
  return { ...answer, data, ...(has_price ? { max_age_ms: MARKET_PRICE_MAX_AGE_MS } : {}) }
}

async function expanded(request: RouteRequest, market: Market, expand: readonly string[]): Promise<Market> {
  const asked = requestOf(request, market.market_id)
  const is_priced = expand.includes('price') || expand.includes('day')
  const latest = is_priced ? await latestPriceOf(asked, market.market_id) : null
  return {
    ...market,
    ...(latest !== null && expand.includes('price') ? { price: latest.price } : {}),
    ...(latest === null ? {} : { price_error: latest.error }),
    ...(expand.includes('day') ? { day: await dayOf(asked, market, latest!) } : {}),
    ...(expand.includes('rating') ? { rating: await ratingOf(asked) } : {}),
  }
}

/** Returns the request of one market's own endpoint: of the same instant, without the filters of the list. */
function requestOf(request: RouteRequest, market_id: string): RouteRequest {
  return { ...request, cursor: null, parameters: { market_id } }
}

const HOUR: Micros = 3_600_000_000
const DAY_HOURS = 24
const DAY = { field: 'mark', interval: 'PT1H' } as const

/** Returns the day before a market's newest record in candles of its first outcome. */
async function dayOf(
  request: RouteRequest,
  { outcomes }: Market,
  { price }: MarketPriceResult,
): Promise<NonNullable<Market['day']> | null> {
  const outcome_id = outcomes[0]?.outcome_id
  if (price === null || outcome_id === undefined) return null
  const hour = Math.floor(toMicros(price.source_at) / HOUR) * HOUR
  const [start_time, end_time] = [formatMicros(hour - DAY_HOURS * HOUR), formatMicros(hour + HOUR)]
  const range = { outcome_id, ...DAY, start_time, end_time }
  const { history } = request.reader
  const instants = await candleInstants(request, OBSERVATION_TABLES)
  // Volumes are not part of a day, so its trades are not read.
  const asked = { market_id: price.market_id, outcome_id, field: DAY.field, trades: false }
  const bounds = { from: hour - DAY_HOURS * HOUR, to: hour + HOUR, interval: DAY.interval }
  const candles = await history.marketCandles(asked, bounds, instants)
  const first = candles[0]
  const open = first !== undefined && toMicros(first.bucket_start) === bounds.from ? first.open : null
  return { ...range, open, closes: candles.map(({ bucket_start, close }) => ({ bucket_start, close })) }
}

async function ratingOf(request: RouteRequest): Promise<RatingInForce> {
  const { data } = await RATING_ROUTES.get_market_rating(request)
  const rating = (Buffer.isBuffer(data) ? JSON.parse(data.toString('utf8')) : data) as MarketRating
  const { rating_id, band, score, confidence, review_state, methodology_id, methodology_version } = rating
  const { effective_from, published_at } = rating
  return {
    ...{ rating_id, band, score, confidence, review_state, methodology_id, methodology_version },
    ...{ effective_from, published_at },
  }
}

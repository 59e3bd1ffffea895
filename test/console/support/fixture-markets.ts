import type { RouteHandlers, RouteRequest } from '../../../api/server/handler.ts'
import { ServiceError } from '../../../primitives/errors.ts'
import { toMicros } from '../../../primitives/instants.ts'
import type { Candle } from '../../../protocol/resources/candle.ts'
import type { Market } from '../../../protocol/resources/market.ts'
import type { OrderBook } from '../../../protocol/resources/order-book.ts'
import { CORRECTED_MS, CORRECTION_MS, FIRST_MS, HOUR_MS, HOURS, LAST_MS, MARKET, marketPrice } from './fixture-data.ts'

/** A market with two days of hourly candles, one of them corrected, and others that are only listed. */

const at = (millis: number) => new Date(millis).toISOString().replace('.000Z', 'Z')

const RATING: NonNullable<Market['rating']> = {
  ...{ rating_id: null, band: 'NR', score: null, confidence: null, review_state: null, methodology_id: null },
  ...{ methodology_version: null, effective_from: null, published_at: null },
}

const LISTED: readonly Market[] = [
  {
    ...MARKET,
    price: withMark('0.380000'),
    price_error: null,
    day: {
      ...{ outcome_id: 'out_yes', field: 'mark', interval: 'PT1H' },
      ...{ start_time: at(LAST_MS - 24 * HOUR_MS), end_time: at(LAST_MS + HOUR_MS), open: '0.350000' },
      closes: Array.from({ length: 25 }, (_, n) => ({
        bucket_start: at(LAST_MS - (24 - n) * HOUR_MS),
        close: `0.3${n % 9}0000`,
      })),
    },
    rating: { ...RATING, rating_id: 'rtg_a', band: 'MR2', score: '81.0' },
  },
  {
    ...MARKET,
    ...{ market_id: 'mkt_quiet', title: 'Will the quiet bay freeze?', status: 'closed', price: null, day: null },
    price_error: { code: 'OBSERVATION_NOT_FOUND', message: 'no quotes of mkt_quiet' },
    rating: RATING,
  },
]

function withMark(mark: string) {
  const price = marketPrice('0.380000000')
  return { ...price, outcomes: price.outcomes.map((one) => ({ ...one, mark })) }
}

/** Candles of every hour; before its correction, one of them had another close. */
function candlesOf({ parameters, as_of }: RouteRequest): readonly Candle[] {
  const [from, to] = [toMicros(parameters.start_time) / 1000, toMicros(parameters.end_time) / 1000]
  const is_before = as_of !== null && as_of / 1000 < CORRECTION_MS
  return Array.from({ length: HOURS }, (_, hour) => FIRST_MS + hour * HOUR_MS)
    .filter((start) => start >= from && start < to)
    .map((start) => {
      const close = is_before && start === CORRECTED_MS ? '0.120000' : `0.3${(start / HOUR_MS) % 10}0000`
      const prices = { open: '0.350000', high: '0.400000', low: '0.110000', close }
      const bucket = { bucket_start: at(start), bucket_end: at(start + HOUR_MS), volume: '12.500000', final: true }
      const rest = { coverage_ratio_min: null, methodology_version: null, published_at: at(start + HOUR_MS) }
      return { ...bucket, ...prices, ...rest, observation_count: 60, quality_states: ['valid' as const] }
    })
}

const level = (price: string, quantity: string) => {
  return { price, quantity, order_count: null, derived: false, parts: [] }
}
const BOOK: OrderBook = {
  ...{ market_id: 'mkt_tide', outcome_id: 'out_yes', sequence: 7, asks_derived: false, quality_state: 'valid' },
  bids: [level('0.380000000', '100.000000'), level('0.370000000', '50.500000')],
  asks: [level('0.400000000', '30.000000')],
  ...{ source_at: at(LAST_MS), received_at: at(LAST_MS), published_at: at(LAST_MS) },
}

export const MARKET_HANDLERS: Partial<RouteHandlers> = {
  list_markets: ({ parameters }) => {
    const words = String(parameters.q ?? '').toLowerCase()
    return { data: LISTED.filter(({ title }) => title.toLowerCase().includes(words)), next: null, max_age_ms: 1 }
  },
  list_market_candles: (request) => ({ data: candlesOf(request), next: null }),
  get_order_book: () => ({ data: BOOK, max_age_ms: 1 }),
  get_market_resolution: () => {
    throw new ServiceError('RESOLUTION_NOT_FOUND', 'mkt_tide has no resolution', {})
  },
}

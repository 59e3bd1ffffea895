import { KALSHI } from '../../../pipelines/venues/kalshi/endpoints.ts'
import { MICROS_PER_SECOND, type Micros } from '../../../primitives/instants.ts'
import type { PayloadItem } from '../../archives/payloads/payload-item.ts'
import type { VenueHttpClient } from '../../http/venue-http-client.ts'
import { fetchDocument } from '../fetch-document.ts'
import type { Tier } from './historical-tier.ts'

/** Hourly candles, because the venue's days are not UTC days. */
const PERIOD_MINUTES = '60'

export type CandlesOf = {
  readonly ticker: string
  /** null: unknown, as for a market whose event cannot be read; then only the historical tier can be asked. */
  readonly series_ticker: string | null
  readonly tier: Tier
  readonly from: Micros
  readonly to: Micros
}

/**
 * Reads the candles of a market in a range. If the market left the live tier since it was listed, the historical one has it.
 */
export async function* marketCandles(
  client: VenueHttpClient,
  { ticker, series_ticker, tier, from, to }: CandlesOf,
  signal?: AbortSignal,
): AsyncGenerator<PayloadItem> {
  const name = encodeURIComponent(ticker)
  const query = new URLSearchParams({
    start_ts: seconds(from),
    end_ts: seconds(to),
    period_interval: PERIOD_MINUTES,
  })
  if (tier === 'live' && series_ticker !== null) {
    const path = `/series/${encodeURIComponent(series_ticker)}/markets/${name}/candlesticks`
    const { kind } = yield* fetchDocument(client, KALSHI.market_candles, `${path}?${query}`, signal)
    if (kind !== 'none') return
  }
  const path = `/historical/markets/${name}/candlesticks`
  yield* fetchDocument(client, KALSHI.historical_candles, `${path}?${query}`, signal)
}

function seconds(micros: Micros): string {
  return String(Math.floor(micros / MICROS_PER_SECOND))
}

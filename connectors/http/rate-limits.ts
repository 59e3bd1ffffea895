import type { PayloadVenue } from '../../pipelines/venues/payload-venues.ts'
import type { BucketRule } from '../../primitives/token-bucket.ts'

/** At most `requests` to paths that begin with `path` in any `window_ms`. Every matching limit applies. */
export type RateLimit = { readonly path: string; readonly requests: number; readonly window_ms: number }

const TEN_SECONDS_MS = 10_000
const MINUTE_MS = 60_000

/**
 * Request limits per venue; one client per host. Published by the venues:
 *   polymarket  docs.polymarket.com, rate limits (Gamma, CLOB and Data API, per 10 seconds)
 *   kalshi      docs.kalshi.com, rate limits: Basic tier, 20 reads per second
 *   manifold    docs.manifold.markets/api: 500 requests per minute and address
 * The others publish none: one request every few seconds does not burden a feed that changes every minute.
 */
export const RATE_LIMITS: Readonly<Record<PayloadVenue, readonly RateLimit[]>> = {
  polymarket: [
    { path: '/', requests: 1_000, window_ms: TEN_SECONDS_MS },
    { path: '/events', requests: 500, window_ms: TEN_SECONDS_MS },
    { path: '/markets', requests: 300, window_ms: TEN_SECONDS_MS },
    { path: '/trades', requests: 200, window_ms: TEN_SECONDS_MS },
    { path: '/prices-history', requests: 1_000, window_ms: TEN_SECONDS_MS },
  ],
  kalshi: [{ path: '/', requests: 20, window_ms: 1_000 }],
  manifold: [{ path: '/', requests: 500, window_ms: MINUTE_MS }],
  predictit: [{ path: '/', requests: 1, window_ms: MINUTE_MS }],
  betfair: [{ path: '/', requests: 5, window_ms: 1_000 }],
  gdacs: [{ path: '/', requests: 2, window_ms: TEN_SECONDS_MS }],
  usgs: [{ path: '/', requests: 2, window_ms: TEN_SECONDS_MS }],
}

/** Divisor of a limit that gives its burst; the rest returns evenly over the window. */
const BURST_ONE_IN = 10

/**
 * Returns the rule of a bucket that keeps a limit in every window, wherever the window begins: what may be used at once and what
 * returns within a window add up to the limit.
 * @param limit whole requests, at least 1
 */
export function bucketRule({ requests, window_ms }: Omit<RateLimit, 'path'>): BucketRule {
  const burst = Math.max(1, Math.floor(requests / BURST_ONE_IN))
  return { tokens: Math.max(1, requests - burst), window_ms, burst }
}

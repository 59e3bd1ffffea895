import { MICROS_PER_SECOND, type Micros } from '../../primitives/instants.ts'
import type { VenueId } from '../world/options.ts'

/** At most `requests` to paths that begin with `path` in any window of this length, by the simulated clock. */
export type RateLimit = { readonly path: string; readonly requests: number; readonly window: Micros }

const TEN_SECONDS = 10 * MICROS_PER_SECOND

/** Limits that the venues publish. */
export const VENUE_LIMITS: Readonly<Record<VenueId, readonly RateLimit[]>> = {
  polymarket: [
    { path: '/events', requests: 500, window: TEN_SECONDS },
    { path: '/markets', requests: 300, window: TEN_SECONDS },
    { path: '/trades', requests: 200, window: TEN_SECONDS },
    { path: '/book', requests: 1_500, window: TEN_SECONDS },
    { path: '/prices-history', requests: 1_000, window: TEN_SECONDS },
  ],
  kalshi: [{ path: '/', requests: 20, window: MICROS_PER_SECOND }],
  manifold: [{ path: '/v0', requests: 500, window: 60 * MICROS_PER_SECOND }],
}

/**
 * Counts requests in fixed windows. `take` returns null if a request is allowed, else the whole seconds until the next one is.
 */
export function createRateLimiter(limits: readonly RateLimit[]) {
  const counts = limits.map((limit) => ({ limit, window: -1, count: 0 }))
  return {
    take(path: string, now: Micros): number | null {
      const found = counts.find(({ limit }) => path.startsWith(limit.path))
      if (found === undefined) return null
      const window = Math.floor(now / found.limit.window)
      if (window !== found.window) {
        found.window = window
        found.count = 0
      }
      if (found.count >= found.limit.requests) {
        const left = (window + 1) * found.limit.window - now
        return Math.max(1, Math.ceil(left / MICROS_PER_SECOND))
      }
      found.count += 1
      return null
    },
  }
}

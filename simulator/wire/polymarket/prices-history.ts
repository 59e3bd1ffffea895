import type { Micros } from '../../../primitives/instants.ts'
import { PRICE_ONE } from '../../world/grid.ts'
import type { HourBar } from '../../world/hour-bars.ts'
import type { BookMarket } from '../../world/market-state.ts'
import { plainScaled } from '../decimal-text.ts'

const SECOND = 1_000_000

/**
 * Returns the body of `GET /prices-history`: hourly midpoints of a token, a few seconds after the hour, in [from, to] seconds.
 */
export function pricesHistoryBody(market: BookMarket, token: 0 | 1, from: number, to: number, now: Micros): string {
  const points = market.hours.flatMap((hour) => {
    const t = hour.end / SECOND + delayOf(hour, market.plan.ordinal)
    const middle = middleOf(hour, now)
    if (middle === null || t < from || t > to || t * SECOND > now) return []
    return [`{"t":${t},"p":${plainScaled(token === 0 ? middle : PRICE_ONE * 10 - middle, 5)}}`]
  })
  return `{"history":[${points.join(',')}]}`
}

/** Returns a delay of two to four seconds, sometimes up to 27. */
function delayOf({ end }: HourBar, ordinal: number): number {
  const mixed = (end / SECOND / 3_600 + ordinal * 7) % 29
  return mixed === 28 ? 27 : 2 + (mixed % 3)
}

/** Returns the midpoint of the hour's last quotes at 5 decimals; one ten-thousandth too high while the simulated fault lasts. */
function middleOf({ bid, ask, wrong_until }: HourBar, now: Micros): number | null {
  if (bid === null || ask === null) return null
  return (bid.close + ask.close) * 5 + (wrong_until !== null && now < wrong_until ? 10 : 0)
}

import { type DecimalString, SCALE } from '../../primitives/decimal.ts'
import type { Micros } from '../../primitives/instants.ts'
import { divideHalfEven, fromScaled, toScaled } from '../../primitives/scaled.ts'
import type { QualityState } from '../../vocabulary/index-level.ts'
import type { MarketStatus } from '../../vocabulary/market.ts'
import { isStale, STALE_AFTER_MICROS } from './freshness.ts'

/**
 * Everything a market's price view computes from its quotes: midpoint, spread, derived side and quality label.
 * `freshness.ts` decides whether a price is stale.
 */

type Price = DecimalString | null

/** Top of book and last trade of one outcome: prices with 9 fraction digits, depths in contracts; null is missing. */
export type Touch = {
  readonly best_bid: Price
  readonly best_ask: Price
  readonly last_trade: Price
  readonly bid_depth: DecimalString | null
  readonly ask_depth: DecimalString | null
}

const DIGITS = SCALE.observed_value
const ONE = toScaled('1', DIGITS)

/**
 * Returns (bid + ask) / 2 with 9 fraction digits, half even; null without both sides. A crossed book has one too.
 * @throws {ServiceError} VALIDATION_DECIMAL_INVALID for a price with more than 9 fraction digits, as all of this file do
 */
export function midpointOf(bid: Price, ask: Price): Price {
  if (bid === null || ask === null) return null
  return fromScaled(divideHalfEven(toScaled(bid, DIGITS) + toScaled(ask, DIGITS), 2n), DIGITS)
}

/** Returns ask - bid with 9 fraction digits, negative where the book is crossed; null without both sides. */
export function spreadOf(bid: Price, ask: Price): Price {
  return bid === null || ask === null ? null : fromScaled(toScaled(ask, DIGITS) - toScaled(bid, DIGITS), DIGITS)
}

/** Returns 1 - price with 9 fraction digits: the same price for the other outcome of a binary market. */
export function complementPrice(price: DecimalString): DecimalString {
  return fromScaled(ONE - toScaled(price, DIGITS), DIGITS)
}

/**
 * Derives the touch of one outcome of a binary market from the other one's: its bid is this one's ask and the reverse.
 * A trade stays with the outcome in which it was made.
 */
export function complementTouch(other: Touch): Touch {
  return {
    best_bid: other.best_ask === null ? null : complementPrice(other.best_ask),
    best_ask: other.best_bid === null ? null : complementPrice(other.best_bid),
    last_trade: null,
    bid_depth: other.ask_depth,
    ask_depth: other.bid_depth,
  }
}

/**
 * Quality of a fresh price of a market listed here, by the market's status: nobody can trade on a paused market (suspended), no
 * price moves after the close (stale, as methodology index-1 §4 freezes marks), and before the opening there is no market
 * (indicative).
 */
export const QUALITY_OF_STATUS = {
  scheduled: 'indicative',
  open: 'valid',
  paused: 'suspended',
  closed: 'stale',
  resolving: 'stale',
  resolved: 'stale',
  voided: 'stale',
  archived: 'stale',
} as const satisfies Record<MarketStatus, QualityState>

/**
 * Returns the quality label of a price view. Staleness outranks every other label.
 * @param confirmed_at latest instant at which the source was known to still show the price
 * @param at           instant of the view
 * @param facts        `listed_status`: status of a market listed here, null for another venue's; `stated`: label of the stored
 *   quote
 */
export function qualityOfPrice(
  confirmed_at: Micros,
  at: Micros,
  { listed_status, stated }: { readonly listed_status: string | null; readonly stated: string | null },
): string {
  if (isStale(confirmed_at, at, STALE_AFTER_MICROS)) return 'stale'
  if (listed_status !== null && isMarketStatus(listed_status)) return QUALITY_OF_STATUS[listed_status]
  return stated ?? 'valid'
}

function isMarketStatus(status: string): status is MarketStatus {
  return status in QUALITY_OF_STATUS
}

import { Decimal, type DecimalString, formatDecimal, ONE, SCALE, sumDecimals } from '../../primitives/decimal.ts'
import { invariant } from '../../primitives/errors.ts'

/**
 * Odds of all outcomes of one market: their reciprocals sum to more than the 1 that one outcome pays. The excess is the
 * overround. It is removed from odds only and published with the result; prices of probabilities are never scaled to 1.
 */

const PRICE_SCALE = SCALE.observed_value

/** A price, or null if an outcome has none. */
type PriceOrNone = DecimalString | null

/** Probabilities in the order of the odds, and the overround removed from them. */
export type NormalizedOdds = { readonly probabilities: readonly DecimalString[]; readonly overround: DecimalString }

/**
 * Returns pᵢ = (1/oᵢ) / Σ (1/oⱼ) and overround = Σ (1/oⱼ) - 1, computed with 34 digits, half even to 9.
 * @param odds best decimal odds at which every outcome can be backed, each above 1
 * @returns    null if any is missing or there are none: a part of a market is not scaled to 1
 */
export function normalizeOdds(odds: readonly PriceOrNone[]): NormalizedOdds | null {
  if (!allPresent(odds)) return null
  const shares = reciprocals(odds)
  const sum = sumDecimals(shares)
  return {
    probabilities: shares.map((share) => formatDecimal(share.div(sum), PRICE_SCALE)),
    overround: formatDecimal(sum.minus(ONE), PRICE_SCALE),
  }
}

function allPresent(prices: readonly PriceOrNone[]): prices is readonly DecimalString[] {
  return prices.length > 0 && prices.every((price) => price !== null)
}

function reciprocals(odds: readonly DecimalString[]): Decimal[] {
  return odds.map((text) => {
    const value = new Decimal(text)
    invariant(value.gt(ONE), 'decimal odds are above 1')
    return ONE.div(value)
  })
}

import { Decimal, type DecimalString, formatDecimal, ONE, SCALE, sumDecimals } from '../../primitives/decimal.ts'
import { invariant } from '../../primitives/errors.ts'
import { fromScaled, toScaled } from '../../primitives/scaled.ts'

/**
 * Prices of all outcomes of one market together. What all outcomes cost together is more than the 1 that one of them pays;
 * the rest is the overround. Here it is only measured, or taken out of odds and stated beside the result; asks of
 * probabilities are never averaged or scaled to 1, and a complement is taken of a real bid only.
 */

const PRICE_SCALE = SCALE.observed_value
const ONE_SCALED = toScaled('1', PRICE_SCALE)

/** A price, or null where an outcome has none. */
type PriceOrNone = DecimalString | null

/**
 * The other side of a binary market's price: 1 - price, exact, 9 fraction digits. Of a bid for one outcome it is the ask
 * for the other; the caller must have a bid that somebody made.
 * @param price probability in [0, 1] with at most 9 fraction digits
 */
export function complement(price: DecimalString): DecimalString {
  const scaled = toScaled(price, PRICE_SCALE, 'price')
  invariant(scaled >= 0n && scaled <= ONE_SCALED, 'a price of a binary market lies in [0, 1]')
  return fromScaled(ONE_SCALED - scaled, PRICE_SCALE)
}

/**
 * overround = Σ askᵢ - 1, exact, 9 fraction digits.
 * @param asks best ask of every outcome, probabilities
 * @returns    null where any is missing or there are none
 */
export function overroundOfAsks(asks: readonly PriceOrNone[]): DecimalString | null {
  if (!allPresent(asks)) return null
  const sum = asks.reduce((total, ask) => total + toScaled(ask, PRICE_SCALE, 'ask'), 0n)
  return fromScaled(sum - ONE_SCALED, PRICE_SCALE)
}

/**
 * overround = Σ 1/oᵢ - 1, with 34 digits, half even to 9.
 * @param odds best decimal odds at which every outcome can be backed, each above 1
 * @returns    null where any is missing or there are none
 */
export function overroundOfOdds(odds: readonly PriceOrNone[]): DecimalString | null {
  return allPresent(odds) ? overroundText(sumDecimals(reciprocals(odds))) : null
}

/** Probabilities in the order of the odds, and what was taken out of the odds to get them. */
export type NormalisedOdds = { readonly probabilities: readonly DecimalString[]; readonly overround: DecimalString }

/**
 * pᵢ = (1/oᵢ) / Σ (1/oⱼ), with 34 digits, half even to 9; never without the overround, which says how much was scaled.
 * @param odds best decimal odds at which every outcome can be backed, each above 1
 * @returns    null where any is missing or there are none: a part of a market is not scaled to 1
 */
export function normaliseOdds(odds: readonly PriceOrNone[]): NormalisedOdds | null {
  if (!allPresent(odds)) return null
  const shares = reciprocals(odds)
  const sum = sumDecimals(shares)
  return {
    probabilities: shares.map((share) => formatDecimal(share.div(sum), PRICE_SCALE)),
    overround: overroundText(sum),
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

function overroundText(sum: Decimal): DecimalString {
  return formatDecimal(sum.minus(ONE), PRICE_SCALE)
}

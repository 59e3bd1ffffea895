import type { DecimalString } from '../../primitives/decimal.ts'
import { times, toSafe } from '../../primitives/safe-integers.ts'
import { toScaled } from '../../primitives/scaled.ts'
import { significantFractionDigits } from '../order/written-decimal.ts'
import { refuse } from './refuse.ts'

/** Terms of a listing: decimal strings, as in `trading_parameters`. */
export type ListedTerms = {
  readonly price_min: DecimalString
  readonly price_max: DecimalString
  readonly price_increment: DecimalString
  readonly quantity_increment: DecimalString
  readonly minimum_quantity: DecimalString
  readonly settlement_asset_id: string
  readonly shorting_permitted: boolean
  /** Whether the orders of both outcomes meet on one ladder; left out: false. Decided once, by the listing. */
  readonly complementary?: boolean
}

/**
 * Terms as whole numbers. A price is a whole number at `price_scale` (0.52 at scale 2 is 52), a quantity at `quantity_scale`,
 * money in the smallest unit of the settlement asset. No rounding is ever needed between them: one price step times one quantity
 * step is `unit` of the asset.
 */
export type MarketTerms = {
  readonly settlement_asset_id: string
  readonly asset_scale: number
  readonly price_scale: number
  readonly quantity_scale: number
  readonly price_min: number
  readonly price_max: number
  readonly price_increment: number
  readonly quantity_increment: number
  readonly minimum_quantity: number
  readonly shorting_permitted: boolean
  /** Whether the orders of both outcomes meet on one ladder of prices of the first outcome. */
  readonly complementary: boolean
  /** The price of certainty: 10^price_scale. */
  readonly one: number
  /** Asset units of 10^-price_scale x 10^-quantity_scale. */
  readonly unit: number
}

export const ASSET_SCALE_MAX = 8
/** A book has an entry for each price of its grid. */
const PRICES_MAX = 100_000

/**
 * @param asset_scale fraction digits of the settlement asset, 0 to 8
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: increments finer than the asset, bounds out of [0, 1] or off the increment
 */
export function marketTerms(listed: ListedTerms, asset_scale: number): MarketTerms {
  const price_scale = Math.max(1, significantFractionDigits(listed.price_increment))
  const quantity_scale = significantFractionDigits(listed.quantity_increment)
  const spare = asset_scale - price_scale - quantity_scale
  if (spare < 0) {
    refuse(
      'price_increment',
      `${listed.price_increment} with quantity_increment ${listed.quantity_increment}`,
      `increments whose product is no finer than the asset's ${asset_scale} fraction digits`,
    )
  }
  const price = (field: 'price_min' | 'price_max' | 'price_increment') => scaledTerm(listed, field, price_scale)
  const quantity = (field: 'quantity_increment' | 'minimum_quantity') => scaledTerm(listed, field, quantity_scale)
  const terms: MarketTerms = {
    settlement_asset_id: listed.settlement_asset_id,
    asset_scale,
    price_scale,
    quantity_scale,
    price_min: price('price_min'),
    price_max: price('price_max'),
    price_increment: price('price_increment'),
    quantity_increment: quantity('quantity_increment'),
    minimum_quantity: quantity('minimum_quantity'),
    shorting_permitted: listed.shorting_permitted,
    complementary: listed.complementary === true,
    one: 10 ** price_scale,
    unit: 10 ** spare,
  }
  checkBounds(terms, listed)
  return terms
}

/** Returns price x quantity in asset units, exact. */
export function notional(terms: MarketTerms, price: number, quantity: number): number {
  return times(times(price, quantity), terms.unit)
}

/** Returns the largest quantity of one order: one whose worth at a price of 1 is below 2^53 asset units. */
export function largestQuantity({ one, unit, quantity_increment }: MarketTerms): number {
  const largest = Math.floor(Number.MAX_SAFE_INTEGER / (one * unit))
  return largest - (largest % quantity_increment)
}

function checkBounds(terms: MarketTerms, listed: ListedTerms): void {
  const { price_min, price_max, price_increment, quantity_increment, minimum_quantity, one } = terms
  if (price_increment <= 0) refuse('price_increment', listed.price_increment, 'greater than 0')
  if (quantity_increment <= 0) refuse('quantity_increment', listed.quantity_increment, 'greater than 0')
  if (price_min <= 0 || price_min % price_increment !== 0) {
    refuse('price_min', listed.price_min, `a multiple of ${listed.price_increment} above 0`)
  }
  if (price_max >= one || price_max < price_min || price_max % price_increment !== 0) {
    refuse('price_max', listed.price_max, `a multiple of ${listed.price_increment} from price_min to below 1`)
  }
  if ((price_max - price_min) / price_increment >= PRICES_MAX) {
    refuse('price_increment', listed.price_increment, `at most ${PRICES_MAX} prices from price_min to price_max`)
  }
  if (minimum_quantity < quantity_increment || minimum_quantity % quantity_increment !== 0) {
    refuse('minimum_quantity', listed.minimum_quantity, `a multiple of ${listed.quantity_increment}`)
  }
  if (terms.complementary) checkSymmetric(terms, listed)
}

/** Both outcomes of a complementary market have the same prices: with p, 1 - p is on the grid too. */
function checkSymmetric({ price_min, price_max, price_increment, one }: MarketTerms, listed: ListedTerms): void {
  if (one % price_increment !== 0) {
    refuse('price_increment', listed.price_increment, 'a divisor of 1, because the market is complementary')
  }
  if (price_min + price_max !== one) {
    refuse('price_max', listed.price_max, `1 - price_min (${listed.price_min}), because the market is complementary`)
  }
}

function scaledTerm<F extends keyof ListedTerms>(listed: ListedTerms, field: F, scale: number): number {
  return toSafe(toScaled(String(listed[field]), scale, field))
}

import { type DecimalString, SCALE } from '../../primitives/decimal.ts'
import { fromScaled, toScaled } from '../../primitives/scaled.ts'
import { remembering } from '../text/remembering.ts'
import type { TradingParameters } from './record.ts'

const NOTHING_STATED: TradingParameters = {
  price_min: null,
  price_max: null,
  price_increment: null,
  quantity_increment: null,
  minimum_quantity: null,
  settlement_asset_id: null,
  shorting_permitted: null,
}

/** Completes parameters that are stated in part. */
export function tradingParameters(stated: Partial<TradingParameters>): TradingParameters {
  return { ...NOTHING_STATED, ...stated }
}

type PriceGrid = Pick<TradingParameters, 'price_min' | 'price_max' | 'price_increment'>

const ONE = toScaled('1', SCALE.observed_value)

/**
 * Returns the price bounds of a contract that pays 1 on a grid of `step`: orders rest at least one step away from 0 and from 1.
 * @param step in (0, 1), at most 9 fraction digits; null = not stated
 */
export function priceGrid(step: DecimalString | null): Partial<PriceGrid> {
  return step === null ? {} : gridOf(step)
}

/** Grids are few and repeat on every market. */
const gridOf = remembering((step: DecimalString): PriceGrid => {
  const scaled = toScaled(step, SCALE.observed_value)
  const price_min = fromScaled(scaled, SCALE.observed_value)
  return {
    price_min,
    price_max: fromScaled(ONE - scaled, SCALE.observed_value),
    price_increment: price_min,
  }
}, 1_000)

import { type DecimalString, SCALE } from '../../primitives/decimal.ts'
import { fromScaled, toScaled } from '../../primitives/scaled.ts'
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

/** Parameters of which only some are stated. */
export function tradingParameters(stated: Partial<TradingParameters>): TradingParameters {
  return { ...NOTHING_STATED, ...stated }
}

type PriceGrid = Pick<TradingParameters, 'price_min' | 'price_max' | 'price_increment'>

/** Grids are few and come back on every market. */
const GRIDS = new Map<DecimalString, PriceGrid>()
const GRIDS_MAX = 1_000

const ONE = toScaled('1', SCALE.observed_value)

/**
 * Prices of a contract that pays 1 on a grid of `step`: orders rest at least one step away from 0 and from 1.
 * @param step in (0, 1), at most 9 fraction digits; null = not stated
 */
export function priceGrid(step: DecimalString | null): Partial<PriceGrid> {
  if (step === null) return {}
  const known = GRIDS.get(step)
  if (known !== undefined) return known
  if (GRIDS.size >= GRIDS_MAX) GRIDS.clear()
  const grid = gridOf(step)
  GRIDS.set(step, grid)
  return grid
}

function gridOf(step: DecimalString): PriceGrid {
  const scaled = toScaled(step, SCALE.observed_value)
  const price_min = fromScaled(scaled, SCALE.observed_value)
  return {
    price_min,
    price_max: fromScaled(ONE - scaled, SCALE.observed_value),
    price_increment: price_min,
  }
}

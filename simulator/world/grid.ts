/** Prices in ten-thousandths: 1 = 0.0001. */
export const PRICE_ONE = 10_000

/** Prices that a market accepts: whole cents, tenths of a cent, or tenths below 0.10 and above 0.90 and cents between. */
export type Grid = 'cent' | 'deci_cent' | 'tapered'

/** Returns the distance to the next price. */
export function tickAt(grid: Grid, price: number): number {
  if (grid === 'cent') return 100
  if (grid === 'deci_cent') return 10
  return price < 1_000 || price >= 9_000 ? 10 : 100
}

/** Returns the greatest price of the grid that is not above `price`. */
export function floorToGrid(grid: Grid, price: number): number {
  return price - (price % tickAt(grid, price))
}

/** Returns the smallest price of the grid that is not below `price`. */
export function ceilToGrid(grid: Grid, price: number): number {
  const floor = floorToGrid(grid, price)
  return floor === price ? price : floor + tickAt(grid, floor)
}

/** Returns whether trades are possible at a price: above 0 and below 1. */
export function isPrice(price: number): boolean {
  return price > 0 && price < PRICE_ONE
}

/** Returns the price of NO for a price of YES. */
export function priceOfNo(price: number): number {
  return PRICE_ONE - price
}

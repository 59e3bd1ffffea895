import { formatLevel } from '../../pipelines/index/level.ts'
import { type Decimal, sumDecimals } from '../../primitives/decimal.ts'
import type { BookSide } from '../../vocabulary/market.ts'

/** One usable constituent: its weight, and bid and ask of its x (for `inverse`: 1 - ask and 1 - bid; settled: the payout on both sides). */
export type BandInput = { readonly w: Decimal; readonly bid: Decimal | null; readonly ask: Decimal | null }

/** Index points, 4 decimals; null where a constituent lacks that side: a band from fewer constituents would be another index. */
export type ExecutableBand = { readonly low: string | null; readonly high: string | null }

/**
 * Returns the levels at which the whole basket could be sold (every bid) and bought (every ask), with the level's own weights and K:
 * K x sum w bid / sum w and K x sum w ask / sum w.
 * @param inputs the constituents of U, those that entered the level
 */
export function executableBand(inputs: readonly BandInput[], k: Decimal): ExecutableBand {
  return { low: sideLevel(inputs, 'bid', k), high: sideLevel(inputs, 'ask', k) }
}

function sideLevel(inputs: readonly BandInput[], side: BookSide, k: Decimal): string | null {
  const total = sumDecimals(inputs.map((input) => input.w))
  if (total.isZero() || inputs.some((input) => input[side] === null)) return null
  return formatLevel(k, sumDecimals(inputs.map((input) => input.w.times(input[side]!))).div(total))
}

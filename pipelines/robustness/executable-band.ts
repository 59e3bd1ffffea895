import {
  type Decimal,
  type DecimalString,
  formatDecimal,
  roundDecimal,
  SCALE,
  sumDecimals,
} from '../../primitives/decimal.ts'
import type { BookSide } from '../../vocabulary/market.ts'
import type { DepthReason, TradeReason } from '../../vocabulary/robustness.ts'
import { formatLevel } from '../index/level.ts'
import { type Depths, depthOf, type PriceLevel, walkSide } from './depth.ts'
import { type LevelBasis, type UsableConstituent, usableOf, weightedSums } from './level-basis.ts'

/** Fraction digits of a quantity of contracts. */
const CONTRACTS_SCALE = 6

/** One constituent of the basket, on one side of the band. */
type BandLeg = {
  readonly constituent_id: string
  /** Contracts to trade, 6 decimals; null: a settled constituent needs no trade. */
  readonly quantity: DecimalString | null
  /** Mean price of that quantity, 6 decimals; the payout of a settled constituent. */
  readonly average_price: DecimalString | null
  readonly reason: DepthReason | null
}

/** Level at which the basket can be traded on one side; null with the reason of the first constituent that lacks one. */
type BandSide = {
  readonly level: DecimalString | null
  readonly reason: TradeReason | null
  readonly legs: readonly BandLeg[]
}

/** Levels at which a notional of the basket can be sold (bid) and bought (ask). */
export type ExecutableBand = { readonly notional: DecimalString; readonly bid: BandSide; readonly ask: BandSide }

/**
 * Returns the levels at which a notional of the index's basket could be sold and bought at once, with the level's own weights, K and
 * U (methodology robustness-1 §4).
 * @param notional value of the basket at the level, in what one contract pays; 0 asks for the best prices
 */
export function executableBand(basis: LevelBasis, depths: Depths, notional: Decimal): ExecutableBand {
  const used = usableOf(basis)
  const sideOf = (side: BookSide) => bandSide({ basis, used, depths, notional }, side)
  return { notional: notional.toFixed(), bid: sideOf('bid'), ask: sideOf('ask') }
}

type Basket = {
  readonly basis: LevelBasis
  readonly used: readonly UsableConstituent[]
  readonly depths: Depths
  readonly notional: Decimal
}

function bandSide({ basis, used, depths, notional }: Basket, side: BookSide): BandSide {
  const { weighted, weight } = weightedSums(used)
  if (weight.isZero() || (weighted.isZero() && !notional.isZero()))
    return { level: null, reason: 'LEVEL_ZERO', legs: [] }
  const legs = used.map((constituent) => {
    const quantity = notional.isZero() ? notional : notional.times(constituent.w).div(weighted)
    return bandLeg(constituent, depths, side, roundDecimal(quantity, CONTRACTS_SCALE))
  })
  const reason = legs.find((leg) => leg.reason !== null)?.reason ?? null
  if (reason !== null) return { level: null, reason, legs: legs.map(({ price: _, ...leg }) => leg) }
  const priced = sumDecimals(used.map(({ w }, i) => w.times(legs[i]!.price!)))
  return {
    level: formatLevel(basis.k, priced.div(weight)),
    reason: null,
    legs: legs.map(({ price: _, ...leg }) => leg),
  }
}

type PricedLeg = BandLeg & { readonly price: Decimal | null }

function bandLeg(
  { constituent_id, x, freshness }: UsableConstituent,
  depths: Depths,
  side: BookSide,
  quantity: Decimal,
): PricedLeg {
  if (freshness === 'settled') return { constituent_id, quantity: null, ...pricedAt(x), reason: null }
  const size = formatDecimal(quantity, CONTRACTS_SCALE)
  const { depth, reason } = depthOf(depths, constituent_id)
  if (depth === null) return { constituent_id, quantity: size, price: null, average_price: null, reason }
  const price = averagePrice(side === 'bid' ? depth.bids : depth.asks, quantity)
  if (price === null) {
    return { constituent_id, quantity: size, price, average_price: null, reason: 'DEPTH_INSUFFICIENT' }
  }
  return { constituent_id, quantity: size, ...pricedAt(roundDecimal(price, SCALE.mark)), reason: null }
}

function pricedAt(price: Decimal): Pick<PricedLeg, 'price' | 'average_price'> {
  return { price, average_price: formatDecimal(price, SCALE.mark) }
}

/** Returns the mean price of a quantity, of none the best price; null: the side does not hold it. */
function averagePrice(side: readonly PriceLevel[], quantity: Decimal): Decimal | null {
  if (quantity.isZero()) return side[0]?.price ?? null
  const walked = walkSide(side, quantity)
  return walked.quantity.lt(quantity) ? null : walked.value.div(quantity)
}

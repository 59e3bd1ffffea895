import type { DecimalString } from '../../primitives/decimal.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { mulDivHalfEven, mulDivUp, toSafe } from '../../primitives/safe-integers.ts'
import { divideHalfEven, toScaled } from '../../primitives/scaled.ts'
import type { LiquidityRole, Side } from '../../vocabulary/order.ts'
import { type MarketTerms, notional } from '../market/market-terms.ts'
import { significantFractionDigits } from '../order/written-decimal.ts'

/** A version of fee rates; an order keeps the version in force at its acceptance. */
export type FeeSchedule = {
  readonly schedule_id: string
  readonly schedule_version: number
  /** Rates as whole numbers over `divisor`: 0.0175 is 175 over 10,000. */
  readonly taker_rate: number
  readonly maker_rate: number
  readonly divisor: number
  /** The rates as written. */
  readonly written: FeeRates
}

export type FeeRates = { readonly taker_rate: DecimalString; readonly maker_rate: DecimalString }

/**
 * Running sums behind an order's fee: min(price, 1 - price) x quantity of its fills in asset units, for each role, and the sum
 * charged so far.
 */
export type FeeSeries = { taker: number; maker: number; charged: number }

const RATE_DIGITS_MAX = 8

/** @throws {ServiceError} VALIDATION_USAGE_INVALID where a rate is not in [0, 1) or has more than 8 fraction digits */
export function feeSchedule(schedule_id: string, schedule_version: number, rates: FeeRates): FeeSchedule {
  const digits = Math.max(...Object.values(rates).map(significantFractionDigits))
  const divisor = 10 ** Math.min(digits, RATE_DIGITS_MAX)
  const rate = (field: keyof typeof rates) => {
    const text = rates[field]
    const value = digits > RATE_DIGITS_MAX ? Number.NaN : toSafe(toScaled(text, digits, field))
    if (value >= 0 && value < divisor) return value
    throw new ServiceError(
      'VALIDATION_USAGE_INVALID',
      `${field} is ${text}; allowed: 0 to below 1 with at most ${RATE_DIGITS_MAX} fraction digits`,
      { field, value: text },
    )
  }
  const { taker_rate, maker_rate } = rates
  const written = { taker_rate, maker_rate }
  return {
    schedule_id,
    schedule_version,
    taker_rate: rate('taker_rate'),
    maker_rate: rate('maker_rate'),
    divisor,
    written,
  }
}

/** Returns a series without charges. */
export function emptyFeeSeries(): FeeSeries {
  return { taker: 0, maker: 0, charged: 0 }
}

/** Series of orders that are never charged. */
export const NO_FEES: FeeSeries = Object.freeze({ taker: 0, maker: 0, charged: 0 })

/**
 * Charges one fill and returns its fee: round(exact sum after it) - round(exact sum before it), half even at asset scale, so that
 * rounding errors do not add up (docs/internals/trading-core.md).
 * @param base min(price, 1 - price) x quantity of the fill, in asset units
 */
export function chargeFee(series: FeeSeries, schedule: FeeSchedule, role: LiquidityRole, base: number): number {
  series[role] += base
  const { taker_rate, maker_rate, divisor } = schedule
  const exact = taker_rate * series.taker + maker_rate * series.maker
  const sum = Number.isSafeInteger(exact)
    ? mulDivHalfEven(exact, 1, divisor)
    : toSafe(divideHalfEven(exactSum(schedule, series.taker, series.maker), BigInt(divisor)))
  const fee = sum - series.charged
  series.charged = sum
  return fee
}

/**
 * Returns the greatest fee that later fills of `base` can be charged: the sum including them rounded up, less what was charged.
 * It falls by at least the fee of each fill, so a fill never costs more than was reserved for it.
 * @param base the largest min(price, 1 - price) x quantity that can still execute, in asset units
 */
export function feeBuffer(series: FeeSeries, schedule: FeeSchedule, base: number): number {
  const { taker_rate, maker_rate, divisor } = schedule
  const rate = Math.max(taker_rate, maker_rate)
  const exact = taker_rate * series.taker + maker_rate * series.maker + rate * base
  if (Number.isSafeInteger(exact)) return mulDivUp(exact, 1, divisor) - series.charged
  const large = exactSum(schedule, series.taker, series.maker) + BigInt(rate) * BigInt(base)
  const by = BigInt(divisor)
  return toSafe((large + by - 1n) / by) - series.charged
}

function exactSum({ taker_rate, maker_rate }: FeeSchedule, taker: number, maker: number): bigint {
  return BigInt(taker_rate) * BigInt(taker) + BigInt(maker_rate) * BigInt(maker)
}

/** Returns min(price, 1 - price) x quantity in asset units, the base of fee rates. */
export function feeBase(terms: MarketTerms, price: number, quantity: number): number {
  return notional(terms, Math.min(price, terms.one - price), quantity)
}

/** Returns the largest fee base of `quantity` at any price that the order allows. */
export function worstFeeBase(terms: MarketTerms, side: Side, limit_price: number, quantity: number): number {
  const bound = side === 'BUY' ? limit_price : terms.one - limit_price
  return notional(terms, Math.min(bound, terms.one / 2), quantity)
}

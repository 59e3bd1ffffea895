import { plus, times } from '../../primitives/safe-integers.ts'
import { fromScaled } from '../../primitives/scaled.ts'
import type { Side } from '../../vocabulary/order.ts'
import { AVERAGE_SCALE } from '../ledger/position.ts'
import type { MarketTerms } from '../market/market-terms.ts'
import { refuse } from '../market/refuse.ts'
import { wholeAtScale } from '../order/written-decimal.ts'
import type { Verdict } from './resolution-states.ts'
import type { OutcomePayout } from './settlement-commands.ts'
import type { Market } from './state.ts'

/**
 * Returns the fraction digits of a payout: just enough for a payout of any quantity to be a whole number of the asset's smallest
 * units. A payout at this scale times a quantity is the amount.
 */
export function payoutScale({ asset_scale, quantity_scale }: MarketTerms): number {
  return asset_scale - quantity_scale
}

/** Trade with the house, or the pool, that closes a position at a payout. */
export type Redemption = {
  readonly side: Side
  readonly quantity: number
  /** Money that changes hands, in the asset's smallest units. */
  readonly amount: number
  /** The payout at `AVERAGE_SCALE`. */
  readonly price: number
}

/** Returns the trade that closes a position at a payout: holdings are sold, shorts bought back. @param units as of `payoutUnits` */
export function redemptionOf(terms: MarketTerms, net_quantity: number, units: number): Redemption {
  const [quantity, side]: [number, Side] = net_quantity > 0 ? [net_quantity, 'SELL'] : [-net_quantity, 'BUY']
  return { side, quantity, amount: times(units, quantity), price: units * 10 ** (AVERAGE_SCALE - payoutScale(terms)) }
}

/**
 * Converts a payout to a whole number at `payoutScale`.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: not in [0, 1], or finer than that
 */
export function payoutUnits(terms: MarketTerms, { outcome_id, payout }: OutcomePayout): number {
  const scale = payoutScale(terms)
  const units = wholeAtScale(payout, scale)
  if (units !== null && units <= 10 ** scale) return units
  return refuse(
    'payout',
    `${payout} of ${outcome_id}`,
    `0 to 1 with at most ${scale} fraction digits, so that every payout is exact`,
  )
}

/**
 * Returns the payouts of a market's outcomes in their order. Given payouts must name every outcome once and sum to 1; a void
 * without any pays equal shares.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID
 */
export function checkedPayouts(
  { terms, outcomes, market_id }: Market,
  given: readonly OutcomePayout[],
  verdict: Verdict,
): readonly OutcomePayout[] {
  const outcome_ids = [...outcomes.keys()]
  if (given.length === 0 && verdict === 'voided') return equalShares(terms, outcome_ids)
  const by_outcome = new Map(given.map((payout) => [payout.outcome_id, payout]))
  if (given.length !== outcome_ids.length || outcome_ids.some((id) => !by_outcome.has(id))) {
    const seen = given.map(({ outcome_id }) => outcome_id).join(', ')
    refuse('payouts', seen || 'none', `one of every outcome of market ${market_id}: ${outcome_ids.join(', ')}`)
  }
  const payouts = outcome_ids.map((outcome_id) => ({ outcome_id, payout: by_outcome.get(outcome_id)!.payout }))
  const sum = payouts.reduce((so_far, payout) => plus(so_far, payoutUnits(terms, payout)), 0)
  const scale = payoutScale(terms)
  if (sum !== 10 ** scale) refuse('payouts', `${fromScaled(BigInt(sum), scale)} in all`, 'payouts that sum to 1')
  return payouts
}

/** Returns the payouts of a void that names none. @throws {ServiceError} VALIDATION_USAGE_INVALID: the shares are not exact */
export function equalShares(terms: MarketTerms, outcome_ids: readonly string[]): OutcomePayout[] {
  const scale = payoutScale(terms)
  const count = outcome_ids.length
  if (10 ** scale % count !== 0) {
    refuse('payouts', 'none', `one of every outcome: a share of 1 in ${count} is not exact at ${scale} fraction digits`)
  }
  const payout = fromScaled(BigInt(10 ** scale) / BigInt(count), scale)
  return outcome_ids.map((outcome_id) => ({ outcome_id, payout }))
}

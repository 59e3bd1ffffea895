import type { Micros } from '../../primitives/instants.ts'
import { type CappedTerms, checkCaps } from '../engine/check-caps.ts'
import { type CheckedTerms, checkTerms } from '../engine/check-terms.ts'
import type { FeeSchedule } from '../ledger/fees.ts'
import type { MarketTerms } from '../market/market-terms.ts'
import { isRejection, orderErrors, type Rejection } from '../order/order-errors.ts'
import type { OrderIntent } from '../order/order-intent.ts'
import type { PublicOutcome } from '../public-market/public-market.ts'
import { type HypotheticalOrder, takenAtOnce, Walk } from './walk.ts'

/** Terms of an order that is asked about; account and signature play no part. */
export type AskedOrder = CheckedTerms & CappedTerms & Pick<OrderIntent, 'market_id' | 'outcome_id'>

/**
 * Begins the walk of an order that joins a past book, or tells which public rule would have rejected it then: the market's status, its
 * terms, the order's own caps, or post_only.
 * @param fees null: no version of the market's schedule is known at the instant
 */
export function beginWalk(
  asked: AskedOrder,
  { market, book }: PublicOutcome,
  { terms, fees }: { readonly terms: MarketTerms; readonly fees: FeeSchedule | null },
  as_of: Micros,
): Walk | Rejection {
  if (market.status !== 'open') return orderErrors.market_closed(market.market_id, market.status)
  const measured = checkTerms(asked, terms, as_of)
  if (isRejection(measured)) return measured
  const capped = checkCaps(asked, measured, terms, fees)
  if (capped !== null) return capped
  const { side, time_in_force, expires_at, post_only } = asked
  const order: HypotheticalOrder = { side, ...measured, time_in_force, expires_at }
  if (post_only && takenAtOnce(order, book).length > 0) return orderErrors.would_take()
  return new Walk(order, book, as_of)
}

import { formatMicros, type Micros } from '../../primitives/instants.ts'
import { fromScaled } from '../../primitives/scaled.ts'
import type { OrderPreview } from '../../protocol/resources/order-preview.ts'
import type { WouldFill } from '../../protocol/resources/would-fill.ts'
import { errorObject } from '../engine/answers.ts'
import { emptyFeeSeries, type FeeSchedule, feeBuffer, worstFeeBase } from '../ledger/fees.ts'
import type { MarketTerms } from '../market/market-terms.ts'
import { isRejection, type Rejection } from '../order/order-errors.ts'
import type { OrderIntent } from '../order/order-intent.ts'
import type { Walk } from './walk.ts'

/** A walk and its answer, or the rule that would have rejected the order. */
export type PastResult = Rejection | { readonly walk: Walk; readonly would_fill: WouldFill }

type Named = Pick<OrderIntent, 'account_id' | 'market_id' | 'outcome_id' | 'side'>

/** Shows a preview of the past. What depends on the account's money and orders is null: a past account is not looked at. */
export function pastPreviewOf(
  { account_id, market_id, outcome_id, side }: Named,
  {
    terms,
    fees,
    result,
  }: { readonly terms: MarketTerms; readonly fees: FeeSchedule | null; readonly result: PastResult },
  { as_of, request_id }: { readonly as_of: Micros; readonly request_id: string },
): OrderPreview {
  const money = { closes: null, opens: null, reserved_amount: null, available_before: null }
  const unknown = { ...money, order_status: null, terminal_reason: null, self_trade_prevention: null }
  const named = { account_id, market_id, outcome_id, ...unknown, as_of: formatMicros(as_of) }
  if (isRejection(result)) {
    const nothing = { working_quantity: null, executable_quantity: null, average_executable_price: null }
    const rejection = errorObject(result, request_id)
    return { ...named, ...nothing, maximum_fee_charged: null, status: 'rejected', rejection, would_fill: null }
  }
  const { walk, would_fill } = result
  const { taken } = would_fill
  return {
    ...named,
    status: 'accepted',
    rejection: null,
    working_quantity: fromScaled(BigInt(walk.quantity), terms.quantity_scale),
    executable_quantity: taken.quantity,
    average_executable_price: taken.average_price,
    maximum_fee_charged: fees === null ? null : maximumFee(walk, side, terms, fees),
    would_fill,
  }
}

function maximumFee({ limit_price, quantity }: Walk, side: Named['side'], terms: MarketTerms, fees: FeeSchedule) {
  const fee = feeBuffer(emptyFeeSeries(), fees, worstFeeBase(terms, side, limit_price, quantity))
  return fromScaled(BigInt(fee), terms.asset_scale)
}

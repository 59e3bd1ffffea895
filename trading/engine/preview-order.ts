import { formatMicros } from '../../primitives/instants.ts'
import { divideHalfEven, fromScaled, pow10 } from '../../primitives/scaled.ts'
import type { OrderPreview } from '../../protocol/resources/order-preview.ts'
import { availableOf } from '../ledger/balance.ts'
import { feeBuffer, worstFeeBase } from '../ledger/fees.ts'
import { AVERAGE_SCALE } from '../ledger/position.ts'
import { ladderPrice } from '../market/ladder.ts'
import type { Executable } from '../matching/taker.ts'
import type { Order } from '../order/order.ts'
import { isRejection } from '../order/order-errors.ts'
import { answered, errorObject, refused } from './answers.ts'
import { checkSignature } from './check-signature.ts'
import type { Execution } from './execution.ts'
import type { Facts } from './facts.ts'
import { type Admitted, admitOrder } from './place-order.ts'
import { tryOrder } from './preview-matches.ts'
import { duplicateClientId } from './replay-control.ts'
import type { Outcome } from './state.ts'
import type { Answer, Preview } from './submission.ts'
import { unenroll } from './working-orders.ts'

/** Runs stages 3 to 8 of an order as if it were placed now, and changes nothing. */
export function previewOrder(execution: Execution, facts: Facts, preview: Preview): Answer {
  const { account_id, order, request_id = '' } = preview
  const { intent, signature, labels, is_published_market = false } = order
  const refusal = duplicateClientId(facts, account_id, order) ?? checkSignature(execution, facts, account_id, order)
  if (refusal !== null) return refused(refusal)
  const origin = { command_id: '', request_id, signature, labels }
  const admitted = admitOrder(execution, { intent, origin, is_published_market })
  if (isRejection(admitted)) return answered(200, rejectedPreview(execution, order, errorObject(admitted, request_id)))
  const shown = acceptedPreview(execution, admitted)
  unenroll(execution, admitted.order)
  return answered(200, shown)
}

function rejectedPreview(
  { now }: Execution,
  { intent }: Preview['order'],
  rejection: OrderPreview['rejection'],
): OrderPreview {
  const { account_id, market_id, outcome_id } = intent
  return {
    account_id,
    market_id,
    outcome_id,
    status: 'rejected',
    rejection,
    working_quantity: null,
    executable_quantity: null,
    average_executable_price: null,
    closes: null,
    opens: null,
    reserved_amount: null,
    maximum_fee_charged: null,
    available_before: null,
    order_status: 'rejected',
    terminal_reason: null,
    self_trade_prevention: null,
    as_of: formatMicros(now),
  }
}

function acceptedPreview(execution: Execution, admitted: Admitted): OrderPreview {
  const { order, outcome, rise } = admitted
  const { account_id, market_id, outcome_id } = order.intent
  const { terms, fees, reserve_fees, side, limit_price, remaining_quantity, position } = order
  const money = (amount: number) => fromScaled(BigInt(amount), terms.asset_scale)
  const quantity = (value: number) => fromScaled(BigInt(value), terms.quantity_scale)
  const { found, ...ending } = tryOrder(execution, admitted)
  const fee = feeBuffer(reserve_fees, fees, worstFeeBase(terms, side, limit_price, remaining_quantity))
  return {
    account_id,
    market_id,
    outcome_id,
    status: 'accepted',
    rejection: null,
    working_quantity: quantity(remaining_quantity),
    executable_quantity: quantity(found.quantity),
    average_executable_price: averagePrice(order, found),
    ...partsOf(outcome, order),
    reserved_amount: money(rise),
    maximum_fee_charged: money(fee),
    available_before: money(availableOf(position.money)),
    ...ending,
    as_of: formatMicros(execution.now),
  }
}

/** Returns what an order of a complementary market would close and open at its limit, as the holding covers it now. */
function partsOf(outcome: Outcome, order: Order): Pick<OrderPreview, 'closes' | 'opens'> {
  const { complement } = outcome
  if (complement === null) return { closes: null, opens: null }
  const { terms, side, limit_price, remaining_quantity, uncovered_quantity } = order
  const [opened, closed] = side === 'BUY' ? [outcome, complement] : [complement, outcome]
  const part = ({ outcome_id, is_mirrored }: Outcome, quantity: number) => {
    const price = ladderPrice(terms, limit_price, is_mirrored)
    const [size, at] = [
      fromScaled(BigInt(quantity), terms.quantity_scale),
      fromScaled(BigInt(price), terms.price_scale),
    ]
    return quantity === 0 ? null : { outcome_id, quantity: size, price: at }
  }
  return { closes: part(closed, remaining_quantity - uncovered_quantity), opens: part(opened, uncovered_quantity) }
}

function averagePrice({ terms, is_mirrored }: Order, { quantity, value }: Executable): string | null {
  if (quantity === 0) return null
  const own_value = is_mirrored ? terms.one * quantity - value : value
  const scaled = BigInt(own_value) * pow10(AVERAGE_SCALE - terms.price_scale)
  return fromScaled(divideHalfEven(scaled, BigInt(quantity)), AVERAGE_SCALE)
}

import type { OrderRequest } from '../../../protocol/requests/order-request.ts'
import type { OrderPreview } from '../../../protocol/resources/order-preview.ts'
import { addDecimals, multiplyDecimals, subtractDecimals, trimZeros } from '../../data/decimal-text.ts'

/** Money of an order at its limit, if all that works of it fills. null: it has no such part. */
export type Stakes = {
  /** Paid for what opens. */
  readonly cost: string | null
  /** Received, before fees, for what closes or is sold. */
  readonly received: string | null
  readonly fee: string
  /** Paid out if what is bought wins. */
  readonly payout: string | null
  /** Lost if what is opened loses, the largest fee included. */
  readonly worst_loss: string
}

type Part = { readonly quantity: string; readonly price: string }

/**
 * Returns what an order stakes by its preview, exactly; null: it would be rejected. In a complementary market the preview says what
 * closes and what opens. In any other one a sale may be of what is not held: then it risks what lacks to 1.
 */
export function stakesOf(
  { side, limit_price }: Pick<OrderRequest, 'side' | 'limit_price'>,
  { working_quantity, maximum_fee_charged, closes, opens }: OrderPreview,
): Stakes | null {
  if (working_quantity === null || maximum_fee_charged === null) return null
  const whole = { quantity: working_quantity, price: limit_price }
  const is_pair = closes !== null || opens !== null
  const bought = is_pair ? opens : side === 'BUY' ? whole : null
  const sold = is_pair ? closes : side === 'SELL' ? whole : null
  const at_risk = is_pair || side === 'BUY' ? bought : { ...whole, price: subtractDecimals('1', limit_price) }
  return {
    cost: bought && valueAt(bought),
    received: sold && valueAt(sold),
    fee: trimZeros(maximum_fee_charged),
    payout: bought && trimZeros(bought.quantity),
    worst_loss: trimZeros(addDecimals(at_risk === null ? '0' : valueAt(at_risk), maximum_fee_charged)),
  }
}

function valueAt({ quantity, price }: Part): string {
  return trimZeros(multiplyDecimals(quantity, price))
}

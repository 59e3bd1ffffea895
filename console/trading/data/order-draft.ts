import { ORDER_DEFAULTS, ORDER_FLAGS, type OrderFlag } from '../../../protocol/order/order-terms.ts'
import type { AccountPolicy } from '../../../protocol/resources/account-policy.ts'
import type { Order } from '../../../protocol/resources/order.ts'
import type { Side } from '../../../vocabulary/order.ts'
import { compareDecimals, multiplyDecimals, roundUp, subtractDecimals, trimZeros } from '../../data/decimal-text.ts'
import { parseWritten, showInstant } from '../../data/instant-text.ts'
import { randomToken } from '../signing/request-signature.ts'
import { newOrderNonce, type OrderTerms } from '../signing/signed-order.ts'

/** A ticket as it is filled in; texts as they were typed. */
export type OrderDraft = Readonly<Record<OrderFlag, boolean>> & {
  readonly outcome_id: string
  readonly side: Side
  readonly limit_price: string
  readonly quantity: string
  readonly time_in_force: Order['time_in_force']
  /** In UTC; of GTD alone. */
  readonly expires_at: string
  /** null: the account's default. */
  readonly self_trade_prevention: Order['self_trade_prevention'] | null
  /** null: the usual cap, of price and quantity. */
  readonly maximum_fee: string | null
  readonly maximum_notional: string | null
}

export const NO_CAPS = { maximum_fee: null, maximum_notional: null } as const

/** Caps of a ticket, each with the rule of its usual value. */
export const CAPS = [
  { cap: 'maximum_notional', label: 'Maximum notional', usual: 'price × quantity' },
  { cap: 'maximum_fee', label: 'Maximum fee', usual: '5 % of what is at risk' },
] as const

/** Returns the draft of an order with nothing entered. */
export function emptyDraft(outcome_id: string): OrderDraft {
  return {
    outcome_id,
    side: 'BUY',
    limit_price: '',
    quantity: '',
    time_in_force: ORDER_DEFAULTS.time_in_force,
    expires_at: '',
    ...flagsOf(ORDER_DEFAULTS),
    self_trade_prevention: null,
    ...NO_CAPS,
  }
}

/** The terms of an order that is to be replaced, for what remains of it. */
export function draftOf(order: Order): OrderDraft {
  const { outcome_id, side, limit_price, time_in_force, self_trade_prevention } = order
  return {
    ...{ outcome_id, side, limit_price, time_in_force, self_trade_prevention },
    quantity: order.remaining_quantity,
    expires_at: order.expires_at === null ? '' : showInstant(order.expires_at),
    ...flagsOf(order),
    ...NO_CAPS,
  }
}

function flagsOf(order: Readonly<Record<OrderFlag, boolean>>): Record<OrderFlag, boolean> {
  return Object.fromEntries(ORDER_FLAGS.map((flag) => [flag, order[flag]])) as Record<OrderFlag, boolean>
}

/** Form of a signed decimal. */
const SIGNED = /^(0|[1-9]\d{0,15})(\.\d{1,9})?$/
/** Default fee cap as a share of a contract's greatest possible gain or loss; far above real fees, and still a bound. */
const USUAL_FEE_RATE = '0.05'
const ASSET_DIGITS = 6

type UsualCaps = { readonly maximum_fee: string; readonly maximum_notional: string }

/** The caps that stand where none is typed: exactly price x quantity, and 5 % of the lesser of price and what lacks to 1; null where price or quantity is no decimal. */
export function usualCaps({
  side,
  limit_price,
  quantity,
}: Pick<OrderDraft, 'side' | 'limit_price' | 'quantity'>): UsualCaps | null {
  if (!SIGNED.test(limit_price) || !SIGNED.test(quantity)) return null
  const rest = side === 'BUY' ? limit_price : subtractDecimals('1', limit_price)
  const risk = compareDecimals(rest, '0.5') > 0 || compareDecimals(rest, '0') <= 0 ? '0.5' : rest
  return {
    maximum_fee: trimZeros(roundUp(multiplyDecimals(multiplyDecimals(risk, quantity), USUAL_FEE_RATE), ASSET_DIGITS)),
    maximum_notional: trimZeros(multiplyDecimals(limit_price, quantity)),
  }
}

export type Complaint = { readonly field: keyof OrderDraft; readonly message: string }

/** Faults that keep a ticket from being signed; the service checks everything else. */
export function complaintsOf(draft: OrderDraft): readonly Complaint[] {
  const decimals = ['limit_price', 'quantity', 'maximum_fee', 'maximum_notional'] as const
  const wrong = decimals.flatMap((field): readonly Complaint[] => {
    const text = draft[field]
    if (text === null || SIGNED.test(text)) return []
    return [{ field, message: `${field} is ${JSON.stringify(text)}; allowed: a decimal such as 0.52, without sign` }]
  })
  if (draft.time_in_force !== 'GTD' || secondOf(draft.expires_at) !== null) return wrong
  const message = `expires_at is ${JSON.stringify(draft.expires_at)}; allowed: a time in UTC of whole seconds, such as 2030-01-17 12:00`
  return [...wrong, { field: 'expires_at', message }]
}

/** The order that a ticket stands for, with a client_order_id and nonce of its own. The ticket has no complaints. */
export function termsOf(
  draft: OrderDraft,
  place: { readonly market_id: string; readonly settlement_asset_id: string },
  policy: AccountPolicy,
): OrderTerms {
  const { expires_at, maximum_fee, maximum_notional, self_trade_prevention, ...chosen } = draft
  const caps = usualCaps(draft)
  return {
    account_id: policy.account_id,
    ...place,
    ...chosen,
    expires_at: draft.time_in_force === 'GTD' ? secondOf(expires_at) : null,
    self_trade_prevention: self_trade_prevention ?? policy.default_self_trade_prevention,
    maximum_fee: maximum_fee ?? caps?.maximum_fee ?? '0',
    maximum_notional: maximum_notional ?? caps?.maximum_notional ?? '0',
    client_order_id: `web-${randomToken()}`,
    order_nonce: newOrderNonce(),
  }
}

/** An instant of whole seconds, as it is signed; null for any other text. */
function secondOf(text: string): string | null {
  const instant = parseWritten(text)
  return instant === null || instant.includes('.') ? null : instant
}

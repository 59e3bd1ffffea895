import { randomBytes } from 'node:crypto'
import type { Side } from '../../vocabulary/order.ts'
import type { WantedOrder } from '../signing/sign-order.ts'
import { clientError } from './trading-error.ts'

/** An order as its user thinks of it; decimals are strings. What is left out is as the comment says, or as ORDER_DEFAULTS. */
export type OrderTerms = Omit<WantedOrder, 'account_id' | 'client_order_id' | 'maximum_notional' | 'side'> & {
  readonly side: Side
  /** The most that limit_price x quantity may come to; signed. Default: just that. */
  readonly maximum_notional?: string
  /** 1 to 64 of [A-Za-z0-9_-]; made up by default. */
  readonly client_order_id?: string
  /** Of no effect; not signed. */
  readonly labels?: Readonly<Record<string, string>>
}

/**
 * Fills in what only a client can know.
 * @throws {TradingError} VALIDATION_DECIMAL_INVALID: price or quantity is no decimal
 */
export function wantedOrder(terms: OrderTerms, account_id: string, settlement_asset_id: string): WantedOrder {
  const { labels: _, ...given } = terms
  return {
    client_order_id: randomBytes(12).toString('hex'),
    maximum_notional: terms.maximum_notional ?? product(terms.limit_price, terms.quantity),
    settlement_asset_id,
    ...given,
    account_id,
  }
}

/** Exact product of two decimals as they are written. */
function product(limit_price: string, quantity: string): string {
  const price = written('limit_price', limit_price)
  const amount = written('quantity', quantity)
  const scale = price.scale + amount.scale
  const digits = (price.integer * amount.integer).toString().padStart(scale + 1, '0')
  return scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

/** The grammar that a signed decimal has. */
const WRITTEN = /^(0|[1-9]\d*)(?:\.(\d{1,9}))?$/

function written(field: string, text: string): { readonly integer: bigint; readonly scale: number } {
  const [, whole, fraction = ''] = WRITTEN.exec(text) ?? []
  if (whole === undefined) {
    const message = `${field} is ${JSON.stringify(text)}; allowed: a decimal string such as "0.52", with at most 9 fraction digits`
    throw clientError('VALIDATION_DECIMAL_INVALID', message, false)
  }
  return { integer: BigInt(`${whole}${fraction}`), scale: fraction.length }
}

import { randomBytes } from 'node:crypto'
import { type OptionalNotional, type WantedOrder, withNotional } from '../../protocol/order/order-terms.ts'
import type { Side } from '../../vocabulary/order.ts'
import { clientError } from './trading-error.ts'

/** Terms of an order of the client's own account; decimals are strings. */
export type OrderTerms = Omit<OptionalNotional, 'account_id' | 'client_order_id' | 'side'> & {
  readonly side: Side
  /** 1 to 64 of [A-Za-z0-9_-]; default: a new random one. */
  readonly client_order_id?: string
  /** Without effect on trading; not signed. */
  readonly labels?: Readonly<Record<string, string>>
}

/**
 * Adds the account, its settlement asset and the defaults that depend on the order.
 * @throws {TradingError} VALIDATION_DECIMAL_INVALID: price or quantity is not a decimal
 */
export function wantedOrder(terms: OrderTerms, account_id: string, settlement_asset_id: string): WantedOrder {
  const { labels: _, ...given } = terms
  const client_order_id = randomBytes(12).toString('hex')
  return withNotional({ client_order_id, settlement_asset_id, ...given, account_id }, product)
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

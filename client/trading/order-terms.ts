import {
  type OptionalNotional,
  ORDER_FLAGS,
  ORDER_TERMS,
  type WantedOrder,
  withNotional,
} from '../../protocol/order/order-terms.ts'
import { SIDES, type Side } from '../../vocabulary/order.ts'
import { decimal, multiplyDecimals } from '../decimals.ts'
import { checkedChoice, checkedObject, checkedText, checkNames, refusedArgument } from '../given.ts'
import { clientError } from '../tidemark-error.ts'
import { type MadeParts, madeParts } from './repeatable.ts'

/** Terms of an order of the client's own account; decimals are strings. */
export type OrderTerms = Omit<OptionalNotional, 'account_id' | 'client_order_id' | 'side'> & {
  readonly side: Side
  /** 1 to 64 of [A-Za-z0-9_-]; default: random, or made of the idempotency_key and the terms. */
  readonly client_order_id?: string
  /** Without effect on trading; not signed. */
  readonly labels?: Readonly<Record<string, string>>
}

/**
 * Adds the account, its settlement asset and the defaults that depend on the order.
 * @throws {TidemarkError} VALIDATION_USAGE_INVALID: a term is missing or of another type; VALIDATION_DECIMAL_INVALID: a decimal is a
 *   number, or a text that is none
 */
export function wantedOrder(
  terms: OrderTerms,
  account_id: string,
  settlement_asset_id: string,
  made: MadeParts = madeParts({ idempotency_key: undefined, of: [] }),
): WantedOrder {
  const { labels: _, ...given } = checkedTerms(terms)
  return withNotional({ ...made, settlement_asset_id, ...given, account_id }, multiplyDecimals)
}

/**
 * Returns terms without the fields that are undefined.
 * @throws {TidemarkError} names the field, its value and what is accepted
 */
export function checkedTerms(terms: OrderTerms): OrderTerms {
  const given = Object.fromEntries(
    Object.entries(checkedObject(terms, 'terms')).filter(([, value]) => value !== undefined),
  ) as OrderTerms
  checkTermNames(given)
  for (const name of TEXTS) checkedText(given[name], name)
  checkedChoice(given.side, 'side', SIDES)
  for (const name of DECIMALS) unsigned(given[name], name)
  for (const name of OPTIONAL_TEXTS) if (given[name] !== undefined) checkedText(given[name], name)
  if (given.maximum_notional !== undefined) unsigned(given.maximum_notional, 'maximum_notional')
  if (given.expires_at != null && typeof given.expires_at !== 'string')
    throw refusedArgument(
      'expires_at',
      given.expires_at,
      'an RFC 3339 text in whole seconds such as 2026-01-17T00:00:00Z',
    )
  for (const name of ORDER_FLAGS) {
    const flag: unknown = given[name]
    if (flag !== undefined && typeof flag !== 'boolean') throw refusedArgument(name, flag, 'true, false')
  }
  if (given.labels != null) checkLabels(given.labels)
  return given
}

const TEXTS = ['market_id', 'outcome_id'] as const
const DECIMALS = ['limit_price', 'quantity', 'maximum_fee'] as const
const OPTIONAL_TEXTS = [
  'client_order_id',
  'order_nonce',
  'time_in_force',
  'self_trade_prevention',
  'settlement_asset_id',
] as const

const REQUIRED = [...TEXTS, 'side', ...DECIMALS] as const
/** The account is the client's own. */
const KNOWN = ['client_order_id', 'order_nonce', 'labels', ...Object.keys(ORDER_TERMS)].filter(
  (name) => name !== 'account_id',
)

/** Refuses unknown terms, and names all that are missing at once. */
function checkTermNames(given: object): void {
  if ('idempotency_key' in given) {
    const message =
      'idempotency_key is no term of an order; pass it as an option: placeOrder(terms, { idempotency_key })'
    throw clientError('VALIDATION_USAGE_INVALID', message, false)
  }
  checkNames(given, KNOWN, 'term')
  const missing = REQUIRED.filter((name) => !(name in given))
  if (missing.length === 0) return
  const message = `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing; required: ${REQUIRED.join(', ')}`
  throw clientError('VALIDATION_USAGE_INVALID', message, false)
}

/** Signed decimals carry no sign. */
function unsigned(value: string, field: string): void {
  if (!decimal(value, field).startsWith('-')) return
  throw clientError('VALIDATION_DECIMAL_INVALID', `${field} is ${value}; allowed: a decimal without sign`, false)
}

function checkLabels(labels: object): void {
  for (const [name, value] of Object.entries(checkedObject(labels, 'labels')))
    if (typeof value !== 'string') throw refusedArgument(`labels.${name}`, value, 'a text')
}

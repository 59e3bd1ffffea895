import Type from 'typebox'
import { SIGNED_REQUESTS } from '../limits.ts'
import { AmendBatchRequest, CancelBatchRequest, MassQuoteRequest } from '../requests/order-request.ts'
import { MassQuoteResult } from '../resources/mass-quote.ts'
import { AmendItem, BatchItem } from '../resources/order.ts'
import type { PrivateEndpoint } from './private-endpoint.ts'
import { ONCE, SIGNATURE_ERRORS, WRITE } from './trading-shared.ts'

const write = { ...WRITE, tag: 'Orders', scope: 'orders:write', cost_each: 'orders' } as const
const MOST = `At most ${SIGNED_REQUESTS.batch_orders_max} orders, each processed on its own, in the order given. There is one result for each item, by index. The cost is one token for each order.`

/** Errors of the terms of an order, whatever the state of its account and market. */
const STATIC_ERRORS = [
  'MARKET_NOT_FOUND',
  'MARKET_NOT_TRADABLE',
  'MARKET_OUTCOME_NOT_FOUND',
  'ORDER_SETTLEMENT_ASSET_INVALID',
  'ORDER_TICK_SIZE_INVALID',
  'ORDER_PRICE_OUT_OF_RANGE',
  'ORDER_LOT_SIZE_INVALID',
  'ORDER_TIF_INCOMPATIBLE',
] as const

/** Endpoints that change several orders of a list. */
export const TRADING_BATCH_ENDPOINTS = {
  mass_quote: {
    ...write,
    operation_id: 'mass_quote',
    path: '/orders/mass-quote',
    summary: 'Replace a ladder',
    description: `At once: every working order of the set ends, then the orders of the list are placed in their order, at most ${SIGNED_REQUESTS.mass_quote_orders_max}. Nothing of another caller comes between. If any order fails a check of its terms or signature, or two of them would trade with each other, nothing changes. The cost is one token for each order, at least one. ${ONCE}`,
    body: MassQuoteRequest,
    data: MassQuoteResult,
    errors: [...SIGNATURE_ERRORS, ...STATIC_ERRORS, 'ORDER_DUPLICATE_CLIENT_ID', 'ORDER_MASS_QUOTE_CROSSED'],
  },
  cancel_orders: {
    ...write,
    operation_id: 'cancel_orders',
    path: '/orders/cancel-batch',
    limit_class: 'cancel',
    summary: 'Cancel several orders',
    description: `${MOST} An order is named by order_id or client_order_id. ${ONCE}`,
    body: CancelBatchRequest,
    data: Type.Array(BatchItem),
    errors: [],
  },
  amend_orders: {
    ...write,
    operation_id: 'amend_orders',
    path: '/orders/amend-batch',
    summary: 'Replace several orders',
    description: `${MOST} Each replacement is signed as a SvcOrder. A refused one leaves its order as it was. ${ONCE}`,
    body: AmendBatchRequest,
    data: Type.Array(AmendItem),
    errors: [],
  },
} as const satisfies Record<string, PrivateEndpoint>

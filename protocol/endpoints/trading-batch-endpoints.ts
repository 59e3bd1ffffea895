import Type from 'typebox'
import { SIGNED_REQUESTS } from '../limits.ts'
import { AmendBatchRequest, CancelBatchRequest } from '../requests/order-request.ts'
import { AmendItem, BatchItem } from '../resources/order.ts'
import type { PrivateEndpoint } from './private-endpoint.ts'
import { ONCE, WRITE } from './trading-shared.ts'

const write = { ...WRITE, tag: 'Orders', scope: 'orders:write', cost_each: 'orders' } as const
const MOST = `At most ${SIGNED_REQUESTS.batch_orders_max} orders, each processed on its own, in the order given. There is one result for each item, by index. The cost is one token for each order.`

/** Endpoints that change several orders of a list. */
export const TRADING_BATCH_ENDPOINTS = {
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
